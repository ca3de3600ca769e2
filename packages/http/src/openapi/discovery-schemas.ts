/**
 * The component schemas of discovery resources, made from the schemas that RFC 7643 §5 to §7 give them.
 * @module
 */
import { createModelCatalog, type ModelCatalog } from "@scim/core";
import {
  createSchemaRegistry,
  isJsonObject,
  RESOURCE_OPERATIONS,
  RESOURCE_TYPE_SCHEMA,
  SCHEMA_SCHEMA,
  SERVICE_PROVIDER_CONFIG_EXTENSION_SCHEMA,
  SERVICE_PROVIDER_CONFIG_SCHEMA,
  type JsonObject,
  type JsonValue,
  type SchemaDefinition,
} from "@scim/schemas";
import { refer, type Schema } from "./document-types.ts";
import { pageSchema, representationSchema } from "./resource-schemas.ts";

/** The schemas of discovery resources and of their pages, by component name. */
export function discoverySchemas(): Readonly<Record<string, Schema>> {
  const catalog = discoveryCatalog();
  const resourceType = representation(catalog, "ResourceType");
  return {
    "Scim.ServiceProviderConfig": {
      ...representation(catalog, "ServiceProviderConfig"),
      required: ["schemas", "meta"],
    },
    "Scim.ResourceType": {
      ...resourceType,
      properties: {
        ...properties(resourceType),
        operations: {
          type: "array",
          items: { enum: RESOURCE_OPERATIONS },
          description: "What clients may do; everything where it is missing.",
        },
      },
    },
    "Scim.ResourceType.List": pageSchema(refer("schemas", "Scim.ResourceType"), "All resource types."),
    ...schemaSchemas(representation(catalog, "Schema")),
    "Scim.Schema.List": pageSchema(refer("schemas", "Scim.Schema"), "All schemas."),
  };
}

/** Attributes hold attributes: the schema of schemas says so for one level, though its own resource has two. */
function schemaSchemas(schema: Schema): Readonly<Record<string, Schema>> {
  const { attributes, ...others } = properties(schema);
  const attribute = memberOf(memberOf(attributes, "items"), "properties");
  const nested = refer("schemas", "Scim.Attribute");
  return {
    "Scim.Schema": {
      ...schema,
      properties: { ...others, attributes: { ...objectOf(attributes), items: nested } },
    },
    "Scim.Attribute": {
      type: "object",
      description: "What a schema says of an attribute.",
      properties: {
        ...objectOf(attribute),
        subAttributes: { ...objectOf(memberOf(attribute, "subAttributes")), items: nested },
      },
    },
  };
}

/** Discovery resources are described by schemas too: as resource types of a registry of their own, they have models. */
function discoveryCatalog(): ModelCatalog {
  const registry = createSchemaRegistry();
  const kinds: readonly (readonly [name: string, ...schemas: SchemaDefinition[]])[] = [
    ["ServiceProviderConfig", SERVICE_PROVIDER_CONFIG_SCHEMA, SERVICE_PROVIDER_CONFIG_EXTENSION_SCHEMA],
    ["ResourceType", RESOURCE_TYPE_SCHEMA],
    ["Schema", SCHEMA_SCHEMA],
  ];
  for (const [name, ...schemas] of kinds) {
    const [base = "", ...extensions] = schemas.map((schema) => registry.addSchema(schema).id);
    registry.addResourceType({
      name: typeName(name),
      endpoint: `/${typeName(name)}`,
      schema: base,
      schemaExtensions: extensions.map((schema) => ({ schema, required: false })),
    });
  }
  return createModelCatalog(registry);
}

function representation(catalog: ModelCatalog, name: string): Schema {
  return representationSchema(catalog.model(typeName(name)));
}

/** Their own names belong to the protocol, and no resource type may have them. */
function typeName(name: string): string {
  return `${name}-discovery`;
}

function properties(schema: Schema): JsonObject {
  return objectOf(memberOf(schema, "properties"));
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return objectOf(value)[name];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

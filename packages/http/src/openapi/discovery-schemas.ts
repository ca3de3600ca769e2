/**
 * The component schemas of discovery resources, made from the schemas that RFC 7643 §5 to §7 give them.
 * @module
 */
import { createModelCatalog, type ModelCatalog } from "@scim/core";
import {
  createSchemaRegistry,
  RESOURCE_OPERATIONS,
  RESOURCE_TYPE_SCHEMA,
  SCHEMA_SCHEMA,
  SERVICE_PROVIDER_CONFIG_SCHEMA,
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
    "Scim.Schema": representation(catalog, "Schema"),
    "Scim.Schema.List": pageSchema(refer("schemas", "Scim.Schema"), "All schemas."),
  };
}

/** Discovery resources are described by schemas too: as resource types of a registry of their own, they have models. */
function discoveryCatalog(): ModelCatalog {
  const registry = createSchemaRegistry();
  const schemas: readonly (readonly [name: string, schema: SchemaDefinition])[] = [
    ["ServiceProviderConfig", SERVICE_PROVIDER_CONFIG_SCHEMA],
    ["ResourceType", RESOURCE_TYPE_SCHEMA],
    ["Schema", SCHEMA_SCHEMA],
  ];
  for (const [name, schema] of schemas) {
    registry.addSchema(schema);
    registry.addResourceType({ name: typeName(name), endpoint: `/${typeName(name)}`, schema: schema.id });
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

function properties(schema: Schema): Schema {
  // `representationSchema` always makes an object with properties.
  return (schema["properties"] ?? {}) as Schema;
}

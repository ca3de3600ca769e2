/**
 * The registry of schemas, extensions and resource types: an instance, never a global.
 * @module
 */
import { ENTERPRISE_USER_SCHEMA } from "./definitions/enterprise-user.ts";
import { GROUP_SCHEMA } from "./definitions/group.ts";
import { RESOURCE_TYPE_SCHEMA } from "./definitions/resource-type.ts";
import { GROUP_RESOURCE_TYPE, USER_RESOURCE_TYPE } from "./definitions/resource-types.ts";
import { SCHEMA_SCHEMA } from "./definitions/schema.ts";
import { SERVICE_PROVIDER_CONFIG_SCHEMA } from "./definitions/service-provider-config.ts";
import { USER_SCHEMA } from "./definitions/user.ts";
import { readResourceType } from "./documents/resource-type-reader.ts";
import { compareSchemas } from "./documents/schema-comparison.ts";
import { SchemaDocumentError } from "./documents/schema-document-error.ts";
import { readSchema } from "./documents/schema-reader.ts";
import type { ResourceTypeDefinition } from "./resource-type.ts";
import type { SchemaDefinition } from "./schema.ts";

/** Schemas and resource types that a service knows. */
export interface SchemaRegistry {
  /**
   * Adds a schema after checking it against the schema of schemas (RFC 7643 §7). A definition and a document
   * as served at `/Schemas` are equally good. One that says the same as a registered schema changes nothing, and
   * the registered one is returned.
   * @throws SchemaDocumentError `invalidSchema` naming the path of each fault, `schemaConflict` naming each
   *   difference from the schema that is registered under the URN
   */
  addSchema(document: unknown): SchemaDefinition;
  /**
   * Adds a resource type, or replaces the one of the same name in its place; its schemas must be known. This is
   * how an extension is bound: by a document with `schemaExtensions`.
   * @throws SchemaDocumentError `invalidResourceType` naming the path of each fault
   */
  addResourceType(document: unknown): ResourceTypeDefinition;
  /** The schema of a URN; letter case of the URN does not matter. */
  schema(urn: string): SchemaDefinition | undefined;
  /** The resource type of a name, which is case exact. */
  resourceType(name: string): ResourceTypeDefinition | undefined;
  /** All schemas, in the order of adding. */
  schemas(): readonly SchemaDefinition[];
  /** All resource types, in the order of adding. */
  resourceTypes(): readonly ResourceTypeDefinition[];
}

/** Schemas of RFC 7643 §8.7, those that resource types build on first. */
const DEFAULT_SCHEMAS: readonly SchemaDefinition[] = [
  USER_SCHEMA,
  ENTERPRISE_USER_SCHEMA,
  GROUP_SCHEMA,
  SERVICE_PROVIDER_CONFIG_SCHEMA,
  RESOURCE_TYPE_SCHEMA,
  SCHEMA_SCHEMA,
];

/**
 * Makes an empty registry.
 *
 * @example
 * const registry = createSchemaRegistry();
 * registry.addSchema(JSON.parse(await readFile("device.schema.json", "utf8")));
 * registry.addResourceType({ name: "Device", endpoint: "/Devices", schema: "urn:example:Device" });
 */
export function createSchemaRegistry(): SchemaRegistry {
  const schemas = new Map<string, SchemaDefinition>();
  const types = new Map<string, ResourceTypeDefinition>();

  const registry: SchemaRegistry = {
    addSchema(document) {
      const definition = readSchema(document);
      const key = definition.id.toLowerCase();
      const registered = schemas.get(key);
      if (registered !== undefined) return sameSchema(registered, definition);
      schemas.set(key, definition);
      return definition;
    },
    addResourceType(document) {
      const definition = readResourceType(document, registry);
      types.set(definition.name, definition);
      return definition;
    },
    schema: (urn) => schemas.get(urn.toLowerCase()),
    resourceType: (name) => types.get(name),
    schemas: () => [...schemas.values()],
    resourceTypes: () => [...types.values()],
  };
  return registry;
}

/** Makes a registry that holds the schemas of RFC 7643 and the resource types User and Group. */
export function createDefaultRegistry(): SchemaRegistry {
  const registry = createSchemaRegistry();
  for (const schema of DEFAULT_SCHEMAS) registry.addSchema(schema);
  for (const type of [USER_RESOURCE_TYPE, GROUP_RESOURCE_TYPE]) registry.addResourceType(type);
  return registry;
}

function sameSchema(registered: SchemaDefinition, candidate: SchemaDefinition): SchemaDefinition {
  const differences = compareSchemas(registered, candidate);
  if (differences.length === 0) return registered;
  const summary = `Another schema is registered as ${registered.id}. A changed schema needs a new URN.`;
  throw new SchemaDocumentError("schemaConflict", summary, differences);
}

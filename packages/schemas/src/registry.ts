/**
 * The registry of schemas, extensions and resource types: an instance, never a global.
 * @module
 */
import type { ResourceTypeDefinition } from "./resource-type.ts";
import type { SchemaDefinition } from "./schema.ts";

/** Schemas and resource types that a service knows. */
export interface SchemaRegistry {
  /**
   * Adds a schema after checking it against the meta-schema of RFC 7643 §7.
   * @throws SchemaDocumentError naming the path of each fault
   */
  addSchema(document: unknown): SchemaDefinition;
  /**
   * Adds a resource type, or replaces the one of the same name; its schemas must be known.
   * @throws SchemaDocumentError naming the path of each fault
   */
  addResourceType(document: unknown): ResourceTypeDefinition;
  /** The schema of a URN; letter case of the URN does not matter. */
  schema(urn: string): SchemaDefinition | undefined;
  /** The resource type of a name. */
  resourceType(name: string): ResourceTypeDefinition | undefined;
  /** All schemas, in the order of adding. */
  schemas(): readonly SchemaDefinition[];
  /** All resource types, in the order of adding. */
  resourceTypes(): readonly ResourceTypeDefinition[];
}

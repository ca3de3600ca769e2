/**
 * The registry of schemas, extensions and resource types: an instance, never a global.
 * @module
 */
import { DefinitionSet, type AddOptions } from "./definition-set.ts";
import { ENTERPRISE_USER_SCHEMA } from "./definitions/enterprise-user.ts";
import { GROUP_SCHEMA } from "./definitions/group.ts";
import { RESOURCE_TYPE_SCHEMA } from "./definitions/resource-type.ts";
import { GROUP_RESOURCE_TYPE, USER_RESOURCE_TYPE } from "./definitions/resource-types.ts";
import { SCHEMA_SCHEMA } from "./definitions/schema.ts";
import { SERVICE_PROVIDER_CONFIG_EXTENSION_SCHEMA } from "./definitions/service-provider-config-extension.ts";
import { SERVICE_PROVIDER_CONFIG_SCHEMA } from "./definitions/service-provider-config.ts";
import { USER_SCHEMA } from "./definitions/user.ts";
import { addDocuments, type AddedDocuments, type SourcedDocument } from "./documents/add-documents.ts";
import type { ResourceTypeDefinition } from "./resource-type.ts";
import type { SchemaDefinition } from "./schema.ts";

/** Schemas and resource types that a service knows. What is added is served at once. */
export interface SchemaRegistry {
  /**
   * Counts the changes: a number that grows with each. Whoever keeps something made of the definitions makes it anew
   * when the number is another.
   */
  readonly revision: number;
  /**
   * Adds a schema after checking it against the schema of schemas (RFC 7643 §7). A definition and a document
   * as served at `/Schemas` are equally good. Under a registered URN, a version that breaks nothing takes the place
   * of the old one (see `compareSchemas`); one that says the same changes nothing.
   * @returns the definition that is registered now
   * @throws SchemaDocumentError `invalidSchema` naming the path of each fault, `schemaConflict` naming each attribute
   *   whose change breaks the registered schema, and why
   */
  addSchema(document: unknown): SchemaDefinition;
  /**
   * Adds a resource type; its schemas must be known. Under a registered name, a version that breaks nothing takes the
   * place of the old one (see `compareResourceTypes`), and any version where the options allow it. This is how an
   * extension is bound: by a document with `schemaExtensions`.
   * @throws SchemaDocumentError `invalidResourceType` naming the path of each fault, `resourceTypeConflict` naming each
   *   member whose change breaks the registered type, and why
   */
  addResourceType(document: unknown, options?: AddOptions): ResourceTypeDefinition;
  /**
   * Adds Schema and ResourceType documents together, all or none, in whatever order they come; they may refer to
   * each other. What {@link addSchema} and {@link addResourceType} refuse is refused here.
   * @returns what was added, and notices: what a document would better say though it is accepted
   * @throws SchemaDocumentError naming document and path of each fault; also `invalidDocument`
   */
  addDocuments(documents: readonly SourcedDocument[], options?: AddOptions): AddedDocuments;
  /** The schema of a URN; letter case of the URN does not matter. */
  schema(urn: string): SchemaDefinition | undefined;
  /** The resource type of a name, which is case exact. */
  resourceType(name: string): ResourceTypeDefinition | undefined;
  /** All schemas, in the order of adding. */
  schemas(): readonly SchemaDefinition[];
  /** All resource types, in the order of adding. */
  resourceTypes(): readonly ResourceTypeDefinition[];
}

/** Schemas of RFC 7643 §8.7, those that resource types build on first, and the extension of our own. */
const DEFAULT_SCHEMAS: readonly SchemaDefinition[] = [
  USER_SCHEMA,
  ENTERPRISE_USER_SCHEMA,
  GROUP_SCHEMA,
  SERVICE_PROVIDER_CONFIG_SCHEMA,
  SERVICE_PROVIDER_CONFIG_EXTENSION_SCHEMA,
  RESOURCE_TYPE_SCHEMA,
  SCHEMA_SCHEMA,
];

/**
 * Makes a registry that is empty, or holds what another one holds now: the same definitions, not copies of them.
 *
 * @example
 * const registry = createSchemaRegistry();
 * registry.addSchema(JSON.parse(await readFile("device.schema.json", "utf8")));
 * registry.addResourceType({ name: "Device", endpoint: "/Devices", schema: "urn:example:Device" });
 */
export function createSchemaRegistry(from?: SchemaRegistry): SchemaRegistry {
  let definitions = from === undefined ? new DefinitionSet() : DefinitionSet.holding(from);
  let revision = 0;

  /** Changes a copy, so that a document that is refused changes nothing. */
  function change<Result>(run: (next: DefinitionSet) => Result): Result {
    const next = new DefinitionSet(definitions);
    const result = run(next);
    if (!next.equals(definitions)) {
      definitions = next;
      revision += 1;
    }
    return result;
  }

  return {
    get revision() {
      return revision;
    },
    addSchema: (document) => change((next) => next.addSchema(document).definition),
    addResourceType: (document, { allowBreaking = false } = {}) =>
      change((next) => next.addResourceType(document, { allowBreaking }).definition),
    addDocuments: (documents, options = {}) => change((next) => addDocuments(next, documents, options)),
    schema: (urn) => definitions.schema(urn),
    resourceType: (name) => definitions.resourceType(name),
    schemas: () => definitions.schemas(),
    resourceTypes: () => definitions.resourceTypes(),
  };
}

/** What every default registry begins with: read and checked once. */
let standard: SchemaRegistry | null = null;

/** Makes a registry that holds the schemas of RFC 7643 and the resource types User and Group. */
export function createDefaultRegistry(): SchemaRegistry {
  standard ??= readStandard();
  return createSchemaRegistry(standard);
}

function readStandard(): SchemaRegistry {
  const registry = createSchemaRegistry();
  for (const schema of DEFAULT_SCHEMAS) registry.addSchema(schema);
  for (const type of [USER_RESOURCE_TYPE, GROUP_RESOURCE_TYPE]) registry.addResourceType(type);
  return registry;
}

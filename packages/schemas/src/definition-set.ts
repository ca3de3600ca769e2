/**
 * Schemas and resource types that fit together: the state of a registry, which is changed on a copy.
 * @module
 */
import { compareResourceTypes } from "./comparison/compare-resource-types.ts";
import { compareSchemas } from "./comparison/compare-schemas.ts";
import { commonNamesIn } from "./documents/common-names.ts";
import { quote } from "./documents/issue-list.ts";
import { readResourceType } from "./documents/resource-type-reader.ts";
import { SchemaDocumentError, type DocumentIssue } from "./documents/schema-document-error.ts";
import { readSchema } from "./documents/schema-reader.ts";
import type { ResourceTypeDefinition } from "./resource-type.ts";
import type { SchemaDefinition } from "./schema.ts";
import { TypeSet } from "./type-set.ts";
import { isSameUrn } from "./urns.ts";

/** What came of a document. */
export interface Added<Definition> {
  readonly definition: Definition;
  readonly notices: readonly DocumentIssue[];
}

/** How documents are added to what is registered. */
export interface AddOptions {
  /**
   * Whether a ResourceType document may break the resource type whose place it takes (see `compareResourceTypes`). Say
   * so only where no client and no stored resource knows that type, as when a service starts. Default false.
   */
  readonly allowBreaking?: boolean;
}

/** How a resource type is added among others. */
export interface AddTypeOptions extends AddOptions {
  /** Names of types that are about to be replaced too: their names and endpoints are free. Default none. */
  readonly leaving?: ReadonlySet<string>;
}

/** Definitions that fit together. */
interface Registered {
  schemas(): readonly SchemaDefinition[];
  resourceTypes(): readonly ResourceTypeDefinition[];
}

/** Schemas and resource types that fit together. */
export class DefinitionSet {
  readonly #schemas: Map<string, SchemaDefinition>;
  readonly #types: TypeSet;

  /** Makes a set that holds what another one holds; empty without one. */
  constructor(from?: DefinitionSet) {
    this.#schemas = new Map(from === undefined ? [] : from.#schemas);
    this.#types = new TypeSet(from === undefined ? undefined : from.#types);
  }

  /** The set of what a registry holds, which fits together already. */
  static holding(registered: Registered): DefinitionSet {
    const set = new DefinitionSet();
    for (const schema of registered.schemas()) set.#schemas.set(schema.id.toLowerCase(), schema);
    for (const type of registered.resourceTypes()) set.#types.put(type);
    return set;
  }

  schema(urn: string): SchemaDefinition | undefined {
    return this.#schemas.get(urn.toLowerCase());
  }

  resourceType(name: string): ResourceTypeDefinition | undefined {
    return this.#types.get(name);
  }

  schemas(): readonly SchemaDefinition[] {
    return [...this.#schemas.values()];
  }

  resourceTypes(): readonly ResourceTypeDefinition[] {
    return this.#types.all();
  }

  /** Whether another set holds the very same definitions. */
  equals(other: DefinitionSet): boolean {
    return isSame(this.schemas(), other.schemas()) && isSame(this.resourceTypes(), other.resourceTypes());
  }

  /**
   * Adds a schema, or puts a compatible new version in the place of the registered one.
   * @throws SchemaDocumentError
   */
  addSchema(document: unknown): Added<SchemaDefinition> {
    const { definition, notices } = readSchema(document);
    const key = definition.id.toLowerCase();
    const registered = this.#schemas.get(key);
    this.#refuseCommonNames(definition);
    const accepted = registered === undefined ? definition : nextVersion(registered, definition);
    this.#schemas.set(key, accepted);
    return { definition: accepted, notices };
  }

  /**
   * Adds a resource type, or puts it in the place of the one of its name.
   * @throws SchemaDocumentError
   */
  addResourceType(
    document: unknown,
    { allowBreaking = false, leaving = new Set() }: AddTypeOptions = {},
  ): Added<ResourceTypeDefinition> {
    const others = (types: readonly ResourceTypeDefinition[]): readonly ResourceTypeDefinition[] =>
      types.filter(({ name }) => !leaving.has(name));
    const added = readResourceType(document, {
      schema: (urn) => this.schema(urn),
      typesNamed: (name) => others(this.#types.named(name)),
      typesAt: (endpoint) => others(this.#types.at(endpoint)),
      typesShowing: (name) => others(this.#types.showing(name)),
    });
    const registered = this.#types.get(added.definition.name);
    if (registered !== undefined && !allowBreaking) refuseBreaking(registered, added.definition);
    this.#types.put(added.definition);
    const lost = registered === undefined ? [] : extensionsLost(registered, added.definition);
    return { ...added, notices: [...added.notices, ...lost] };
  }

  /** The base schema of a resource type cannot define what every resource has (RFC 7643 §3.1). */
  #refuseCommonNames(definition: SchemaDefinition): void {
    const user = this.resourceTypes().find(({ schema }) => isSameUrn(schema, definition.id));
    if (user === undefined) return;
    const issues = commonNamesIn(definition).map(({ index, name }) => ({
      path: `attributes[${index}].name`,
      message: `${quote(name)} is a common attribute (RFC 7643 §3.1), and ${user.name} is built on this schema`,
    }));
    if (issues.length === 0) return;
    throw new SchemaDocumentError(
      "invalidSchema",
      `The schema ${quote(definition.id)} cannot be used.`,
      issues,
    );
  }
}

function isSame<Definition>(left: readonly Definition[], right: readonly Definition[]): boolean {
  return left.length === right.length && left.every((definition, index) => definition === right[index]);
}

/** The registered schema where the candidate says the same; the candidate, under the same spelling of its URN, where it breaks nothing. */
function nextVersion(registered: SchemaDefinition, candidate: SchemaDefinition): SchemaDefinition {
  const differences = compareSchemas(registered, candidate);
  if (differences.length === 0) return registered;
  const breaking = differences.filter((difference) => difference.breaking);
  if (breaking.length === 0) return { ...candidate, id: registered.id };
  throw new SchemaDocumentError(
    "schemaConflict",
    `This version of ${registered.id} would break what is registered: give it a URN of its own.`,
    breaking.map(({ path, message }) => ({ path, message })),
  );
}

/** Extensions that a document leaves out of the type whose place it takes: seldom meant by who only wants to add one. */
function extensionsLost(
  registered: ResourceTypeDefinition,
  { name, schemaExtensions = [] }: ResourceTypeDefinition,
): readonly DocumentIssue[] {
  return (registered.schemaExtensions ?? [])
    .filter(({ schema }) => !schemaExtensions.some((kept) => isSameUrn(kept.schema, schema)))
    .map(({ schema }) => ({
      path: "schemaExtensions",
      message: `does not name ${schema}, which ${name} has: name it too, unless clients are to lose it`,
    }));
}

function refuseBreaking(registered: ResourceTypeDefinition, candidate: ResourceTypeDefinition): void {
  const breaking = compareResourceTypes(registered, candidate).filter((difference) => difference.breaking);
  if (breaking.length === 0) return;
  throw new SchemaDocumentError(
    "resourceTypeConflict",
    `This version of the resource type ${registered.name} would break the registered one: give it a name of its own, or allow it to break (allowBreaking).`,
    breaking.map(({ path, message }) => ({ path, message })),
  );
}

/**
 * Adds documents that may refer to each other to a set of definitions, in whatever order they come.
 * @module
 */
import { compareSchemas } from "../comparison/compare-schemas.ts";
import type { Added, AddOptions, DefinitionSet } from "../definition-set.ts";
import type { ResourceTypeDefinition } from "../resource-type.ts";
import type { SchemaDefinition } from "../schema.ts";
import { RESOURCE_TYPE_URN, SCHEMA_URN } from "../urns.ts";
import { documentKind } from "./document-kind.ts";
import { isObject } from "./document-reader.ts";
import {
  SchemaDocumentError,
  type DocumentIssue,
  type SchemaDocumentErrorCode,
} from "./schema-document-error.ts";

/** A Schema or ResourceType document, and where it comes from. */
export interface SourcedDocument {
  /** A name for people, such as that of a file: errors and notices repeat it. */
  readonly source: string;
  readonly document: unknown;
}

/** What a document would better say, though it is accepted. */
export interface DocumentNotice {
  readonly source: string;
  /** Where, such as `attributes[3].uniqueness`. */
  readonly path: string;
  /** What to change. */
  readonly message: string;
}

/** What came of documents that were added together. */
export interface AddedDocuments {
  readonly schemas: readonly SchemaDefinition[];
  readonly resourceTypes: readonly ResourceTypeDefinition[];
  readonly notices: readonly DocumentNotice[];
}

/**
 * Adds the schemas, then the resource types. The set is changed on the way also where this throws: give a copy.
 * @throws SchemaDocumentError naming each document and path at fault
 */
export function addDocuments(
  definitions: DefinitionSet,
  documents: readonly SourcedDocument[],
  options: AddOptions,
): AddedDocuments {
  const faults = new Faults();
  const notices: DocumentNotice[] = [];
  const run = <Definition>(source: string, add: () => Added<Definition>): Definition[] => {
    const added = faults.catch(source, add);
    if (added === null) return [];
    notices.push(...added.notices.map((notice) => ({ ...notice, source })));
    return [added.definition];
  };
  const kinds = Map.groupBy(documents, ({ document }) => documentKind(document));
  for (const { source } of kinds.get(null) ?? [])
    faults.add("invalidDocument", { source, path: "", message: "is neither a Schema nor a ResourceType" });
  const schemas = addSchemas(kinds.get(SCHEMA_URN) ?? [], { definitions, faults, options, run });
  faults.throwIfAny(documents.length);
  const resourceTypes = addTypes(kinds.get(RESOURCE_TYPE_URN) ?? [], { definitions, faults, options, run });
  faults.throwIfAny(documents.length);
  return { schemas, resourceTypes, notices };
}

interface Adding {
  readonly definitions: DefinitionSet;
  readonly faults: Faults;
  readonly options: AddOptions;
  readonly run: <Definition>(source: string, add: () => Added<Definition>) => Definition[];
}

function addSchemas(
  documents: readonly SourcedDocument[],
  { definitions, faults, run }: Adding,
): readonly SchemaDefinition[] {
  const seen = new Map<string, { readonly source: string; readonly definition: SchemaDefinition }>();
  return documents.flatMap(({ source, document }) => {
    const [definition] = run(source, () => definitions.addSchema(document));
    if (definition === undefined) return [];
    const other = seen.get(definition.id.toLowerCase());
    if (other === undefined) {
      seen.set(definition.id.toLowerCase(), { source, definition });
      return [definition];
    }
    if (compareSchemas(other.definition, definition).length > 0) {
      faults.add("invalidDocument", {
        source,
        path: "id",
        message: `${other.source} defines ${definition.id} too, in another way`,
      });
    }
    return [];
  });
}

function addTypes(
  documents: readonly SourcedDocument[],
  { definitions, faults, options, run }: Adding,
): readonly ResourceTypeDefinition[] {
  // Types that show the rows of another come behind it.
  const types = [
    ...documents.filter(({ document }) => !showsRows(document)),
    ...documents.filter(({ document }) => showsRows(document)),
  ];
  const leaving = new Set(types.flatMap(({ document }) => nameOf(document)));
  const sources = new Map<string, string>();
  return types.flatMap(({ source, document }) => {
    const [name = ""] = nameOf(document);
    const other = sources.get(name);
    if (other !== undefined) {
      faults.add("invalidDocument", { source, path: "name", message: `${other} defines ${name} too` });
      return [];
    }
    sources.set(name, source);
    const added = run(source, () => definitions.addResourceType(document, { ...options, leaving }));
    leaving.delete(name);
    return added;
  });
}

/** The name that a ResourceType document gives, as far as it gives one. */
function nameOf(document: unknown): readonly string[] {
  if (!isObject(document)) return [];
  const member = Object.keys(document).find((key) => key.toLowerCase() === "name");
  const name = member === undefined ? undefined : document[member];
  return typeof name === "string" ? [name] : [];
}

function showsRows(document: unknown): boolean {
  return isObject(document) && Object.keys(document).some((key) => key.toLowerCase() === "rowsof");
}

/** Collects what is wrong with documents, so that all of it is told at once. */
class Faults {
  readonly #issues: DocumentIssue[] = [];
  readonly #sources = new Set<string>();
  #code: SchemaDocumentErrorCode | null = null;

  add(code: SchemaDocumentErrorCode, issue: DocumentIssue): void {
    this.#code ??= code;
    this.#issues.push(issue);
    this.#sources.add(issue.source ?? "");
  }

  /** What a step comes to; null where it refuses its document. */
  catch<Result>(source: string, step: () => Result): Result | null {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof SchemaDocumentError)) throw error;
      for (const issue of error.issues) this.add(error.code, { ...issue, source });
      return null;
    }
  }

  throwIfAny(count: number): void {
    if (this.#code === null) return;
    const summary =
      count === 1
        ? "The document cannot be used."
        : `${this.#sources.size} of ${count} documents cannot be used; nothing was changed.`;
    throw new SchemaDocumentError(this.#code, summary, this.#issues);
  }
}

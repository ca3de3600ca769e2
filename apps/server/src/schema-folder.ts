/**
 * Loads the Schema and ResourceType documents of a folder: one document, an array of them or a ListResponse
 * in each file, in any order.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  isSameUrn,
  RESOURCE_TYPE_URN,
  SCHEMA_URN,
  SchemaDocumentError,
  type SchemaRegistry,
} from "@scim/schemas";
import { CommandFailure, EXIT } from "./failure.ts";

/** A document and the file that it stands in. */
interface FoundDocument {
  readonly file: string;
  readonly document: unknown;
}

/**
 * Adds the documents of a folder to a registry: first the schemas, then the resource types, each in the order of
 * the file names. Resolves to how many there were.
 * @throws CommandFailure naming the file, and the path of each fault in it
 */
export function loadSchemaFolder(
  folder: string,
  registry: SchemaRegistry,
): { schemas: number; resourceTypes: number } {
  const documents = filesOf(folder).flatMap(documentsOf);
  const schemas = documents.filter(({ document }) => isOfKind(document, SCHEMA_URN, "attributes"));
  const resourceTypes = documents.filter(({ document }) => isOfKind(document, RESOURCE_TYPE_URN, "endpoint"));
  const stray = documents.find((found) => !schemas.includes(found) && !resourceTypes.includes(found));
  if (stray !== undefined) {
    throw new CommandFailure(
      EXIT.usage,
      `${stray.file} holds a document that is neither a Schema nor a ResourceType.`,
    );
  }
  for (const { file, document } of schemas) add(file, () => registry.addSchema(document));
  for (const { file, document } of resourceTypes) add(file, () => registry.addResourceType(document));
  return { schemas: schemas.length, resourceTypes: resourceTypes.length };
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .map((name) => join(folder, name));
  } catch (cause) {
    throw new CommandFailure(EXIT.usage, `The folder of schemas ${folder} cannot be read.`, cause);
  }
}

function documentsOf(file: string): readonly FoundDocument[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.usage, `${file} cannot be read as JSON: ${reason}`, cause);
  }
  const documents = isListResponse(content)
    ? content.Resources
    : Array.isArray(content)
      ? content
      : [content];
  return documents.map((document: unknown) => ({ file, document }));
}

function isListResponse(content: unknown): content is { readonly Resources: readonly unknown[] } {
  return (
    typeof content === "object" &&
    content !== null &&
    "Resources" in content &&
    Array.isArray(content.Resources)
  );
}

/** By its `schemas` where it has some, else by the member that only its kind has. */
function isOfKind(document: unknown, urn: string, member: string): boolean {
  if (typeof document !== "object" || document === null) return false;
  if ("schemas" in document && Array.isArray(document.schemas)) {
    return document.schemas.some((schema) => typeof schema === "string" && isSameUrn(schema, urn));
  }
  return Object.hasOwn(document, member);
}

function add(file: string, change: () => unknown): void {
  try {
    change();
  } catch (cause) {
    if (!(cause instanceof SchemaDocumentError)) throw cause;
    throw new CommandFailure(EXIT.usage, `${file}: ${cause.message}`, cause);
  }
}

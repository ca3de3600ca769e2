/**
 * Tells which schema or resource type a document defines.
 * @module
 */
import { SCHEMA_URN } from "../urns.ts";
import { documentKind } from "./document-kind.ts";
import { isObject } from "./document-reader.ts";

/** What a document defines. */
export interface DocumentIdentity {
  readonly kind: "Schema" | "ResourceType";
  /** URN of the schema as it is spelled, or name of the resource type. */
  readonly name: string;
}

/** What a document says that it defines, whether or not it can be used; null where it says nothing of the kind. */
export function identifyDocument(document: unknown): DocumentIdentity | null {
  const urn = documentKind(document);
  if (urn === null || !isObject(document)) return null;
  const kind = urn === SCHEMA_URN ? "Schema" : "ResourceType";
  const wanted = kind === "Schema" ? "id" : "name";
  const member = Object.keys(document).find((key) => key.toLowerCase() === wanted);
  const name = member === undefined ? undefined : document[member];
  return typeof name === "string" && name !== "" ? { kind, name } : null;
}

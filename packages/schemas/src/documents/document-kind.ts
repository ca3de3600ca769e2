/**
 * Tells Schema and ResourceType documents apart.
 * @module
 */
import { isSameUrn, RESOURCE_TYPE_URN, SCHEMA_URN } from "../urns.ts";
import { isObject } from "./document-reader.ts";

/** Each kind with the member that only its documents have. */
const KINDS = [
  [SCHEMA_URN, "attributes"],
  [RESOURCE_TYPE_URN, "endpoint"],
] as const;

/**
 * The kind of a document as the URN of its schema: told by its `schemas` where it states them, else by the member
 * that only its kind has. Null where it is of neither kind.
 */
export function documentKind(document: unknown): typeof SCHEMA_URN | typeof RESOURCE_TYPE_URN | null {
  if (!isObject(document)) return null;
  const members = new Map(Object.keys(document).map((name) => [name.toLowerCase(), name]));
  const schemasMember = members.get("schemas");
  const schemas: unknown = schemasMember === undefined ? undefined : document[schemasMember];
  const found = KINDS.find(([urn, member]) =>
    Array.isArray(schemas) && schemas.length > 0
      ? schemas.some((schema) => typeof schema === "string" && isSameUrn(schema, urn))
      : members.has(member),
  );
  return found?.[0] ?? null;
}

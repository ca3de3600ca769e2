/**
 * The SearchRequest message (RFC 7644 §3.4.3): the parameters of a query, in a body.
 * @module
 */
import type { QueryRequest, RequestContext } from "@scim/core";
import {
  isJsonArray,
  isJsonObject,
  ScimError,
  SEARCH_REQUEST_URN,
  isSameUrn,
  type ErrorCode,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { countable, integerIn, namesIn } from "./query-parameters.ts";

type SearchContext = Pick<RequestContext, "profile" | "onSwitch">;

/** Members of the message by lower-case name; null counts as left out. */
type Members = ReadonlyMap<string, JsonValue>;

/**
 * Reads the message. Member names stand in any letter case; unknown ones are ignored.
 * @throws ScimError `invalidSyntax` for what is no SearchRequest; `invalidValue` naming a member of the wrong
 *   type, or `invalidFilter`, `invalidCursor`, and, beside a cursor, `invalidCount`
 */
export function readSearchRequest(body: JsonValue, context: SearchContext): QueryRequest {
  if (!isJsonObject(body)) {
    throw new ScimError("invalidSyntax", "The body must be a JSON object with the parameters of a query.");
  }
  const members = membersOf(body, context);
  checkSchemas(members, context);
  const cursor = textOf(members, "cursor", "invalidCursor");
  return {
    attributes: namesOf(members, "attributes"),
    excludedAttributes: namesOf(members, "excludedAttributes"),
    filter: textOf(members, "filter", "invalidFilter"),
    sortBy: textOf(members, "sortBy", "invalidValue") || null,
    sortOrder: textOf(members, "sortOrder", "invalidValue") || null,
    startIndex: integerOf(members, "startIndex", "invalidValue"),
    count: integerOf(members, "count", cursor === null ? "invalidValue" : "invalidCount"),
    cursor,
    source: "body",
  };
}

function membersOf(body: JsonObject, context: SearchContext): Members {
  const members = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(body)) {
    const key = name.toLowerCase();
    if (KNOWN.has(key) && members.has(key)) {
      throw new ScimError("invalidSyntax", `Member '${key}' may occur once only, in whatever letter case.`);
    }
    members.set(key, value);
  }
  for (const [key, value] of members) if (value === null) members.delete(key);
  if (context.profile.switches.has("search-as-strings")) readTexts(members, context);
  return members;
}

/** Puts what text means in the place of an integer or of a list of names. What cannot be read stays, to be refused. */
function readTexts(members: Map<string, JsonValue>, { onSwitch }: SearchContext): void {
  for (const [name, read] of Object.entries(IN_AN_ADDRESS)) {
    const text = members.get(name.toLowerCase());
    const meant = typeof text === "string" ? read(text) : null;
    if (meant === null) continue;
    onSwitch("search-as-strings", name);
    members.set(name.toLowerCase(), meant);
  }
}

/** What a text means; null for one that cannot be read. */
const IN_AN_ADDRESS: Readonly<Record<string, (text: string) => JsonValue>> = {
  startIndex: integerIn,
  count: integerIn,
  attributes: (text) => namesIn(text) ?? [],
  excludedAttributes: (text) => namesIn(text) ?? [],
};

/** Unknown names are the client's affair, equal or not. */
const KNOWN: ReadonlySet<string> = new Set([
  "schemas",
  "attributes",
  "excludedattributes",
  "filter",
  "sortby",
  "sortorder",
  "startindex",
  "count",
  "cursor",
]);

function checkSchemas(members: Members, context: SearchContext): void {
  const schemas = members.get("schemas");
  if (schemas === undefined && context.profile.switches.has("missing-patch-schemas")) {
    context.onSwitch("missing-patch-schemas", "schemas");
    return;
  }
  const isNamed =
    isJsonArray(schemas) &&
    schemas.some((urn) => typeof urn === "string" && isSameUrn(urn, SEARCH_REQUEST_URN));
  if (!isNamed) {
    throw new ScimError("invalidSyntax", `'schemas' must be a list that contains ${SEARCH_REQUEST_URN}.`);
  }
}

function textOf(members: Members, name: string, code: ErrorCode): string | null {
  const value = members.get(name.toLowerCase());
  if (value === undefined) return null;
  if (typeof value === "string") return value;
  throw new ScimError(code, `Member '${name}' must be a string.`);
}

function integerOf(members: Members, name: string, code: ErrorCode): number | null {
  const value = members.get(name.toLowerCase());
  if (value === undefined) return null;
  if (typeof value === "number" && Number.isInteger(value)) return countable(value);
  throw new ScimError(code, `Member '${name}' must be an integer.`);
}

/** A list of attribute names; an empty one counts as left out. */
function namesOf(members: Members, name: string): readonly string[] | null {
  const value = members.get(name.toLowerCase());
  if (value === undefined) return null;
  const names = isJsonArray(value) ? value.filter((each) => typeof each === "string") : [];
  if (!isJsonArray(value) || names.length < value.length) {
    throw new ScimError("invalidValue", `Member '${name}' must be an array of attribute names.`);
  }
  return names.length === 0 ? null : names;
}

/**
 * Query parameters (RFC 7644 §3.4.2, §3.9): names in any letter case, `+` and `%20` are both a space.
 * @module
 */
import type { DiagnosticsRequest, ProjectionRequest, QueryRequest } from "@scim/core";
import { ScimError } from "@scim/schemas";

/** Name of a parameter that means something somewhere. */
type ParameterName = Exclude<keyof QueryRequest, "source" | "streams"> | "tenantId";

/** Parameters that mean something, by lower-case name. All others are ignored (RFC 7644 §3.4.2). */
const KNOWN = new Map<string, ParameterName>([
  ["filter", "filter"],
  ["sortby", "sortBy"],
  ["sortorder", "sortOrder"],
  ["startindex", "startIndex"],
  ["count", "count"],
  ["cursor", "cursor"],
  ["attributes", "attributes"],
  ["excludedattributes", "excludedAttributes"],
  ["tenantid", "tenantId"],
]);

/** Decoded values of the known parameters of a request. */
export type QueryParameters = ReadonlyMap<ParameterName, string>;

const NONE: QueryParameters = new Map();

/**
 * Reads the part of an address behind the `?`.
 * @throws ScimError `invalidSyntax` (`invalidFilter` for a filter) where a known parameter other than a list of
 *   attributes occurs twice, or is not valid percent-encoding
 */
export function parseQuery(query: string): QueryParameters {
  if (query === "") return NONE;
  const parameters = new Map<ParameterName, string>();
  for (const pair of query.split("&")) {
    const equals = pair.indexOf("=");
    const name = KNOWN.get(nameOf(equals === -1 ? pair : pair.slice(0, equals)));
    if (name === undefined) continue;
    const value = equals === -1 ? "" : decode(name, pair.slice(equals + 1));
    parameters.set(name, joined(name, parameters.get(name), value));
  }
  return parameters;
}

/** A list that is given twice is one list; anything else may be given once. */
function joined(name: ParameterName, earlier: string | undefined, value: string): string {
  if (earlier === undefined) return value;
  if (name === "attributes" || name === "excludedAttributes") return `${earlier},${value}`;
  throw refused(name, `Parameter '${name}' may occur once only.`);
}

/** Whether a parameter stands in a query, well-formed or not. */
export function hasParameter(query: string, parameter: ParameterName): boolean {
  return (
    query !== "" &&
    query.split("&").some((pair) => KNOWN.get(nameOf(pair.split("=", 1)[0] ?? "")) === parameter)
  );
}

/** The attributes to answer with. An empty list counts as none given. */
export function projectionOf(parameters: QueryParameters): ProjectionRequest {
  if (parameters.size === 0) return { attributes: null, excludedAttributes: null };
  return {
    attributes: namesIn(parameters.get("attributes")),
    excludedAttributes: namesIn(parameters.get("excludedAttributes")),
  };
}

/**
 * The query that a list request states.
 * @throws ScimError `invalidValue` where a number is not an integer; `invalidCount` for a count beside a cursor
 */
export function queryOf(parameters: QueryParameters): QueryRequest {
  const cursor = parameters.get("cursor") ?? null;
  return {
    ...projectionOf(parameters),
    filter: parameters.get("filter") ?? null,
    sortBy: parameters.get("sortBy") || null,
    sortOrder: parameters.get("sortOrder") || null,
    startIndex: integerOf(parameters, "startIndex", "invalidValue"),
    count: integerOf(parameters, "count", cursor === null ? "invalidValue" : "invalidCount"),
    cursor,
    source: "address",
  };
}

/**
 * How a diagnostic report is asked for.
 * @throws ScimError `invalidCount` where the count is not an integer
 */
export function diagnosticsOf(parameters: QueryParameters): DiagnosticsRequest {
  return {
    count: integerOf(parameters, "count", "invalidCount"),
    cursor: parameters.get("cursor") ?? null,
  };
}

function nameOf(text: string): string {
  if (!text.includes("%")) return text.toLowerCase();
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return "";
  }
}

function decode(name: ParameterName, text: string): string {
  try {
    return decodeURIComponent(text.includes("+") ? text.replaceAll("+", " ") : text);
  } catch (cause) {
    throw refused(name, `Parameter '${name}' is not valid percent-encoding of UTF-8.`, cause);
  }
}

function refused(name: ParameterName, detail: string, cause?: unknown): ScimError {
  return new ScimError(name === "filter" ? "invalidFilter" : "invalidSyntax", detail, { cause });
}

/** The names between commas; null where there is none. */
export function namesIn(text: string | undefined): readonly string[] | null {
  if (text === undefined) return null;
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return names.length === 0 ? null : names;
}

const INTEGER = /^[+-]?[0-9]+$/;

function integerOf(
  parameters: QueryParameters,
  name: "startIndex" | "count",
  code: "invalidValue" | "invalidCount",
): number | null {
  const text = parameters.get(name);
  if (text === undefined) return null;
  const integer = integerIn(text);
  if (integer === null) throw new ScimError(code, `Parameter '${name}' must be an integer.`);
  return integer;
}

/** The integer that a text writes in digits, as {@link countable} cuts it; null where it writes none. */
export function integerIn(text: string): number | null {
  // An unescaped plus sign has become a space.
  const trimmed = text.trim();
  if (!INTEGER.test(trimmed)) return null;
  return countable(Number(trimmed));
}

/**
 * An integer that a double counts. What is beyond is cut to the ends: it means "before the first" or "past the last", and
 * databases refuse it.
 */
export function countable(integer: number): number {
  return Math.min(Math.max(integer, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

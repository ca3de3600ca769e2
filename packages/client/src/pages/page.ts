/**
 * One page of a list (RFC 7644 §3.4.2, RFC 9865).
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { InvalidAnswerError } from "../errors/answer-error.ts";
import type { Answer } from "../exchange/answer.ts";

/** A page. */
export interface Page<Resource> {
  readonly resources: readonly Resource[];
  /** How many resources match, as the service says; null where it does not. */
  readonly totalResults: number | null;
  /** 1-based position of the first resource; null where the service does not say. */
  readonly startIndex: number | null;
  /** How many resources the page holds, as the service says; null where it does not. */
  readonly itemsPerPage: number | null;
  /** Where the next page begins; null on the last one, and where the service has no cursors. */
  readonly nextCursor: string | null;
  /** Where the page before begins; null on the first one, and where the service has no cursors. */
  readonly previousCursor: string | null;
}

/**
 * Reads a ListResponse. `Resources` may be missing where nothing matches (RFC 7644 §3.4.2).
 * @throws {@link InvalidAnswerError} `invalidMessage`
 */
export function readPage({ body, request, status }: Answer): Page<JsonObject> {
  const refuse = (what: string): never => {
    throw new InvalidAnswerError("invalidMessage", what, { request, status });
  };
  if (body === null) return refuse("the answer to a query is empty");
  const totalResults = count(body["totalResults"]);
  const startIndex = count(body["startIndex"]);
  const listed = body["Resources"];
  if (listed === undefined || listed === null) {
    const empty = totalResults === 0 || count(body["itemsPerPage"]) === 0;
    const past = totalResults !== null && startIndex !== null && startIndex > totalResults;
    if (!empty && !past)
      return refuse("the answer to a query has no 'Resources', and does not say that there are none");
  } else if (!isJsonArray(listed)) {
    return refuse("'Resources' is no list");
  }
  const resources = (isJsonArray(listed) ? listed : []).filter(isJsonObject);
  if (isJsonArray(listed) && resources.length < listed.length)
    return refuse("'Resources' holds what is no resource");
  return {
    resources,
    totalResults,
    startIndex,
    itemsPerPage: count(body["itemsPerPage"]),
    nextCursor: text(body["nextCursor"]),
    previousCursor: text(body["previousCursor"]),
  };
}

/** Some services send numbers as text. */
function count(value: JsonValue | undefined): number | null {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function text(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Cursors (RFC 9865): where to go on in a query, as a text that shows nothing and is good for that query of that
 * caller alone. The service keeps nothing of them.
 * @module
 */
import { isJsonArray, ScimError, type JsonValue } from "@scim/schemas";
import type { ComparisonKey } from "@scim/filter";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { ListRequest } from "../../requests.ts";
import type { KeysetPage, Place } from "../../store/port.ts";
import type { CursorSeal } from "./cursor-seal.ts";
import { normalFilter } from "../filter/normal-filter.ts";

/** Where a resource stands among the resources of all types. */
export interface ListPlace extends Place {
  /** Name of its resource type. */
  readonly type: string;
  /** Of a row: what it refers to. */
  readonly value?: string | undefined;
}

/** A page next to a place in a list, which may hold several resource types. */
export interface ListKeyset extends Omit<KeysetPage, "kind" | "limit"> {
  readonly from: ListPlace | null;
}

/** The cursors of one query. */
export interface Cursors {
  /**
   * The page that a cursor names.
   * @throws ScimError `invalidCursor` for a cursor of another query or caller, or none of ours; `expiredCursor`;
   *   `invalidCount` where the query gives another count
   */
  read(text: string): ListKeyset;
  write(page: ListKeyset): string;
}

/** What cursors are bound to, beside the caller. */
export interface CursorQuery {
  readonly request: ListRequest;
  /** Names of the resource types, in the order of the list. */
  readonly types: readonly string[];
  /** Resources of a page. */
  readonly limit: number;
  readonly seal: CursorSeal;
}

/** Makes the cursors of a query. */
export function createCursors(
  environment: Environment,
  query: CursorQuery,
  context: RequestContext,
): Cursors {
  const { sources, limits } = environment;
  const { seal, limit } = query;
  const binding = sources.digest(bindingText(environment, query, context));
  return {
    read: (text) => {
      const content = contentOf(seal.open(text));
      if (content === null || content.binding !== binding) throw invalidCursor();
      if (content.expires < sources.now()) throw expiredCursor(limits.cursorTimeout);
      if (content.limit !== limit) throw changedCount(content.limit);
      return content.page;
    },
    write: ({ direction, from }) => {
      const expires = sources.now() + limits.cursorTimeout * 1000;
      const place = from === null ? null : [from.type, from.id, from.key, ...valueOf(from)];
      return seal.seal(JSON.stringify([binding, limit, expires, direction, place]));
    },
  };
}

/** Everything that makes another query of it, or another caller's. */
function bindingText(
  environment: Environment,
  { request, types }: CursorQuery,
  context: RequestContext,
): string {
  const { filter, sortBy, sortOrder, attributes, excludedAttributes } = request;
  const names = (list: readonly string[] | null): JsonValue =>
    list === null ? null : [...new Set(list.map((name) => name.toLowerCase()))].toSorted();
  return JSON.stringify([
    context.tenant,
    context.connection,
    context.subject,
    types,
    filter === null ? null : normalFilter(environment.parser.filter(filter, context)),
    sortBy === null ? null : [sortBy.toLowerCase(), sortOrder?.toLowerCase() ?? "ascending"],
    names(attributes),
    names(excludedAttributes),
  ]);
}

interface CursorContent {
  readonly binding: string;
  readonly limit: number;
  readonly expires: number;
  readonly page: ListKeyset;
}

/** Reads what was sealed. Another release may have sealed it in another form. */
function contentOf(text: string | null): CursorContent | null {
  if (text === null) return null;
  const content = parsed(text);
  if (!isJsonArray(content)) return null;
  const [binding, limit, expires, direction, place] = content;
  if (typeof binding !== "string" || typeof limit !== "number" || typeof expires !== "number") return null;
  if (direction !== "forward" && direction !== "backward") return null;
  const from = placeOf(place);
  return from === undefined ? null : { binding, limit, expires, page: { direction, from } };
}

function parsed(text: string): JsonValue {
  try {
    // Any JSON text is a JSON value.
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

function placeOf(place: JsonValue | undefined): ListPlace | null | undefined {
  if (place === null) return null;
  if (place === undefined || !isJsonArray(place)) return undefined;
  const [type, id, key, value] = place;
  if (typeof type !== "string" || typeof id !== "string" || !isKey(key)) return undefined;
  return typeof value === "string" ? { type, id, key, value } : { type, id, key };
}

function valueOf({ value }: ListPlace): readonly string[] {
  return value === undefined ? [] : [value];
}

function isKey(key: JsonValue | undefined): key is ComparisonKey | null {
  return key === null || ["string", "number", "boolean"].includes(typeof key);
}

/** One message for all that is wrong, so that nobody learns which part is right (RFC 9865 §5.2). */
function invalidCursor(): ScimError {
  return new ScimError(
    "invalidCursor",
    "The cursor does not belong to this query: begin again with an empty 'cursor', and change no other parameter.",
  );
}

function expiredCursor(timeout: number): ScimError {
  return new ScimError(
    "expiredCursor",
    `The cursor is older than ${timeout} seconds: begin again with an empty 'cursor'.`,
  );
}

function changedCount(limit: number): ScimError {
  return new ScimError("invalidCount", `'count' must stay the same from page to page: it was ${limit}.`);
}

/**
 * Reads events by position.
 * @module
 */
import type { ChangeOrigin, CollectionChange, FeedEvent, FeedPage } from "@scim/core";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { parseObject } from "../resources/rows.ts";
import { sql } from "../sql.ts";
import { numberOf, type Row, type Steps, textOf, textOrNullOf } from "../steps.ts";

/** The events of a tenant behind a position. */
export function* readEvents(tenant: string, { after, limit }: FeedPage): Steps<readonly FeedEvent[]> {
  const { rows } =
    yield sql`SELECT position, at, connection, subject, kind, type, id, version, changed, before, after,
      collections, origin, version_before
    FROM events WHERE tenant = ${tenant} AND position > ${after} ORDER BY position LIMIT ${limit}`;
  return rows.map(eventOf);
}

function eventOf(row: Row): FeedEvent {
  return {
    position: numberOf(row, "position"),
    at: textOf(row, "at"),
    connection: textOf(row, "connection"),
    origin: originOf(textOrNullOf(row, "origin")),
    subject: textOrNullOf(row, "subject"),
    kind: kindOf(textOf(row, "kind")),
    type: textOf(row, "type"),
    id: textOf(row, "id"),
    version: textOf(row, "version"),
    versionBefore: textOrNullOf(row, "version_before"),
    changed: textsOf(parse(textOf(row, "changed"))),
    before: imageOf(row, "before"),
    after: imageOf(row, "after"),
    collections: collectionsOf(textOrNullOf(row, "collections")),
  };
}

function kindOf(text: string): FeedEvent["kind"] {
  switch (text) {
    case "created":
    case "replaced":
    case "patched":
    case "deleted":
      return text;
    default:
      throw new TypeError(`${text} is no kind of event`);
  }
}

function imageOf(row: Row, column: string): JsonObject | null {
  const text = textOrNullOf(row, column);
  return text === null ? null : parseObject(text);
}

const ORIGIN_MEMBERS = ["request", "credential", "admin", "address", "command"] as const;

/** What this program knows of an origin: a later one may have written more. */
function originOf(text: string | null): ChangeOrigin | null {
  if (text === null) return null;
  const stored = parseObject(text);
  const origin: { -readonly [Member in keyof ChangeOrigin]: ChangeOrigin[Member] } = {};
  for (const member of ORIGIN_MEMBERS) {
    const value = stored[member];
    if (typeof value === "string") origin[member] = value;
  }
  return origin;
}

function collectionsOf(text: string | null): readonly CollectionChange[] {
  const changes = text === null ? [] : parse(text);
  if (!Array.isArray(changes)) throw new TypeError("A list of changes was expected in the database");
  return changes.filter(isJsonObject).map((change) => {
    const { path, removed, added } = change;
    if (typeof path !== "string") throw new TypeError("A change of a collection has no path");
    return { path, removed: removed === "all" ? removed : valuesOf(removed), added: valuesOf(added) };
  });
}

function valuesOf(value: JsonValue | undefined): readonly string[] | number {
  return typeof value === "number" ? value : textsOf(value);
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function parse(text: string): JsonValue {
  // Any JSON text is a JSON value.
  return JSON.parse(text) as JsonValue;
}

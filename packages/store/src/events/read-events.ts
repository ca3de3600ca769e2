/**
 * Reads events by position.
 * @module
 */
import type { ChangeOrigin, CollectionChange, FeedEvent, FeedPage } from "@scim/core";
import { differingMembers } from "@scim/core/changes";
import type { EventToLink } from "@scim/events";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { parseObject } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import { countOf, NO_ANSWER, numberOf, type Row, type Steps, textOf, textOrNullOf } from "../steps.ts";
import type { FreshEvents, PlacedRow } from "./fresh-events.ts";

/** Reads what an event tells of the JSON before and after. */
type ImagesOf = (row: Row, changed: readonly string[]) => Images;
type Images = Pick<EventToLink, "before" | "after" | "stateText">;

/** The events of a tenant behind a position. */
export function* readEvents(tenant: string, page: FeedPage): Steps<readonly FeedEvent[]> {
  const { rows } = yield eventsBehind(tenant, page, COLUMNS);
  return rows.map((row) => eventOf(row, wholeImages));
}

/** An event that is to be linked. */
export interface UnlinkedEvent {
  /** Of a resource that was there before and after, members of the JSON that are the same in both are not read. */
  readonly event: EventToLink;
  /** What its values are hashed with; null where the resource has no secret yet. */
  readonly secret: string | null;
}

/**
 * The events of a tenant behind a position, and what the entries of the audit log are made with besides. What this
 * process wrote a moment ago is not read.
 * @param fresh the events that this process wrote last; null for none
 */
export function* readUnlinked(
  tenant: string,
  page: FeedPage,
  fresh: FreshEvents | null,
): Steps<readonly UnlinkedEvent[]> {
  const secret = secretOf(tenant);
  if (fresh === null || fresh.isEmpty) {
    const { rows } = yield eventsBehind(tenant, page, sql`${COLUMNS}, ${secret}`);
    return rows.map((row) => unlinkedOf(row, eventOf(row, differingImages)));
  }
  const { after, limit } = page;
  const { rows } = yield eventsBehind(tenant, { after, limit }, sql`${PLACES}, ${secret}`);
  const taken = rows.map((row) => fresh.take(placedRow(tenant, row)));
  const read = yield* readMissing(tenant, page, taken);
  const unlinked: UnlinkedEvent[] = [];
  for (const [index, row] of rows.entries()) {
    const event = taken[index] ?? read.get(numberOf(row, "position"));
    // What comes behind the bytes of a page is read when it is asked for.
    if (event === undefined) break;
    unlinked.push(unlinkedOf(row, event));
  }
  return unlinked;
}

/**
 * The first events of a tenant without position, as they will be linked once they have theirs: one behind the other, behind
 * `after`. Where any event that is there may have a position.
 */
export function* readUnplaced(
  tenant: string,
  { after, limit, bytes = Number.MAX_SAFE_INTEGER }: FeedPage,
): Steps<readonly UnlinkedEvent[]> {
  const waiting = sql`FROM events WHERE tenant = ${tenant} AND position IS NULL
    ORDER BY transaction_number, sequence`;
  const sizes = sql`SELECT ${SIZE} AS size ${waiting} LIMIT ${limit}`;
  const whole = countOf(yield sql`SELECT coalesce(sum(size), 0) AS n FROM (${sizes})`, "n");
  const few = whole <= bytes ? limit : fewOf((yield sizes).rows, bytes);
  const { rows } = yield sql`SELECT ${COLUMNS}, ${secretOf(tenant)} ${waiting} LIMIT ${few}`;
  return rows.map((row, index) =>
    unlinkedOf(row, eventOf({ ...row, position: after + index + 1 }, differingImages)),
  );
}

/** How many of rows are as many bytes, and one more. */
function fewOf(rows: readonly Row[], bytes: number): number {
  let [few, length] = [0, 0];
  for (const row of rows) {
    if (length >= bytes) break;
    length += numberOf(row, "size");
    few += 1;
  }
  return few;
}

/** The secret of the resource of an event. */
function secretOf(tenant: string): Sql {
  return sql`(SELECT s.secret FROM subject_secrets s
      WHERE s.tenant = ${tenant} AND s.id = events.id AND s.type = events.type) AS secret`;
}

function unlinkedOf(row: Row, event: EventToLink): UnlinkedEvent {
  return { event, secret: textOrNullOf(row, "secret") };
}

const PLACES = sql`position, type, id, version, CASE WHEN changed = '[]' THEN 1 ELSE 0 END AS emptied`;

function placedRow(tenant: string, row: Row): PlacedRow {
  return {
    tenant,
    position: numberOf(row, "position"),
    type: textOf(row, "type"),
    id: textOf(row, "id"),
    version: textOf(row, "version"),
    isEmptied: numberOf(row, "emptied") === 1,
  };
}

/** Reads what lies between the first and the last event that is missing in a list, as far as a page goes; by position. */
function* readMissing(
  tenant: string,
  { after, bytes }: FeedPage,
  events: readonly (EventToLink | null)[],
): Steps<ReadonlyMap<number, EventToLink>> {
  const first = events.indexOf(null);
  const limit = first < 0 ? 0 : events.lastIndexOf(null) - first + 1;
  const { rows } =
    limit === 0 ? NO_ANSWER : yield eventsBehind(tenant, { after: after + first, limit, bytes }, COLUMNS);
  return new Map(rows.map((row) => [numberOf(row, "position"), eventOf(row, differingImages)]));
}

const COLUMNS = sql`position, at, connection, subject, kind, type, id, version, changed, before, after,
      collections, origin, version_before`;

/** Bytes of the JSON that an event holds. */
const SIZE = sql`coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0)
          + coalesce(octet_length(collections), 0)`;

function eventsBehind(tenant: string, page: FeedPage, columns: Sql): Sql {
  const behind = sql`FROM events WHERE tenant = ${tenant} AND position > ${page.after}`;
  const first = sql`ORDER BY position LIMIT ${page.limit}`;
  if (page.bytes === undefined || page.limit === 1) return sql`SELECT ${columns} ${behind} ${first}`;
  // Lengths are known without reading the texts.
  return sql`SELECT ${columns} ${behind} AND position <= (SELECT max(position) FROM (
      SELECT position, sum(size) OVER (ORDER BY position) - size AS earlier FROM (
        SELECT position, ${SIZE} AS size ${behind} ${first}) AS sized) AS summed
      WHERE earlier < ${page.bytes}) ${first}`;
}

function eventOf(row: Row, imagesOf: ImagesOf): EventToLink {
  const changed = textsOf(parse(textOf(row, "changed")));
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
    changed,
    ...imagesOf(row, changed),
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

function wholeImages(row: Row): Images {
  return { before: imageOf(row, "before"), after: imageOf(row, "after") };
}

function differingImages(row: Row, changed: readonly string[]): Images {
  const before = textOrNullOf(row, "before");
  const after = textOrNullOf(row, "after");
  if (before === null || after === null) {
    return { ...wholeImages(row), stateText: after ?? before ?? undefined };
  }
  const differing = differingMembers(before, after);
  if (differing === null) return wholeImages(row);
  // A path that was told to have changed must be found where there is a value of it, also where that is the same.
  const isFound = changed.every(
    (path) =>
      Object.hasOwn(differing.before, path) ||
      Object.hasOwn(differing.after, path) ||
      !before.includes(`"${path}":`),
  );
  return isFound ? differing : wholeImages(row);
}

function imageOf(row: Row, column: string): JsonObject | null {
  const text = textOrNullOf(row, column);
  return text === null ? null : parseObject(text);
}

const ORIGIN_MEMBERS = ["address", "admin", "command", "credential", "request"] as const;

/** What this program knows of an origin: a later one may have written more. */
function originOf(text: string | null): ChangeOrigin | null {
  return text === null ? null : knownOrigin(parseObject(text));
}

/** The members of an origin that are known, and told. */
export function knownOrigin(stored: Readonly<Record<string, unknown>>): ChangeOrigin {
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

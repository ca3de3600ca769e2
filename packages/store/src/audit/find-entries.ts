/**
 * Finds entries of an audit log that meet a query. No index knows their times or who made them, so that writing them costs no
 * more: they are looked through in order of position, some thousands at once, and signed checkpoints tell where the times
 * that are asked for can be.
 * @module
 */
import {
  type AuditQuery,
  type ChainedEntry,
  type FoundEntries,
  meetsQuery,
  PAGE_BYTES,
  textsOfMembers,
} from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, numberOf, type Row, type Steps, textOf } from "../steps.ts";

/** Entries that one page looks at, at most, where the query does not say: some ten milliseconds. */
const LOOKS = 5000;

/** The columns of an entry. */
const ENTRY: Sql = sql`position, at, type, id, entry, hash`;

/** An entry as its row holds it. */
export function entryOf(row: Row): ChainedEntry {
  return {
    position: numberOf(row, "position"),
    at: textOf(row, "at"),
    type: textOf(row, "type"),
    id: textOf(row, "id"),
    text: textOf(row, "entry"),
    hash: textOf(row, "hash"),
  };
}

/**
 * The query of the first entries of some, in order: at most `limit`, and no more behind those that come to a page.
 * @param within where they are: `FROM audit_entries WHERE …`
 */
export function entriesIn(tenant: string, within: Sql, limit: number): Sql {
  // Lengths are known without reading the texts; what is looked for is looked for once.
  return sql`SELECT ${ENTRY}, octet_length(entry) AS size FROM audit_entries
    WHERE tenant = ${tenant} AND position IN (SELECT position FROM (
      SELECT position, sum(size) OVER (ORDER BY position) - size AS earlier FROM (
        SELECT position, octet_length(entry) AS size ${within} ORDER BY position LIMIT ${limit}) AS sized) AS summed
      WHERE earlier < ${PAGE_BYTES}) ORDER BY position`;
}

/** Whether entries come to a page: there may be more behind them. */
function isFullOfBytes(rows: readonly Row[]): boolean {
  return rows.reduce((sum, row) => sum + numberOf(row, "size"), 0) >= PAGE_BYTES;
}

/** The first entries behind a position that meet a query. */
export function* findEntries(
  tenant: string,
  query: AuditQuery,
  dialect: Pick<Dialect, "contains">,
): Steps<FoundEntries> {
  const { limit, looks = LOOKS, id, type = "" } = query;
  const { after, last } = yield* stretchOf(tenant, query);
  // An index knows the entries of a resource.
  const ofResource = id === undefined ? sql`` : sql` AND type = ${type} AND id = ${id}`;
  const compared = id === undefined ? query : { ...query, type: undefined };
  const conditions = conditionsOf(compared, dialect);
  const places = sql`FROM audit_entries WHERE tenant = ${tenant}${ofResource} AND position > ${after}`;
  const bound =
    conditions.text === ""
      ? null
      : yield* positionIn(
          sql`SELECT position ${places} AND position <= ${last} ORDER BY position LIMIT 1 OFFSET ${looks - 1}`,
        );
  const within = sql`${places} AND position <= ${bound ?? last}${conditions}`;
  const { rows }: Answer = yield entriesIn(tenant, within, limit);
  const met = rows.map(entryOf);
  const isFull = met.length === limit || isFullOfBytes(rows);
  const lastMet = met.at(-1)?.position ?? after;
  return {
    entries: met.filter((entry) => meetsQuery(entry, compared)),
    next: isFull ? lastMet : (bound ?? lastMet),
    more: isFull || bound !== null,
  };
}

function conditionsOf(query: AuditQuery, { contains }: Pick<Dialect, "contains">): Sql {
  const { from, until } = query;
  return [
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(until === undefined ? [] : [sql`at < ${until}`]),
    ...textsOfMembers(query).map((text) => contains(sql`entry`, text)),
  ].reduce((all, condition) => sql`${all} AND ${condition}`, sql``);
}

/** How far clocks may be away from each other, and an entry behind the change that it tells of (a day). */
const DISORDER_MS = 86_400_000;

/** Where in the log entries of a query's times can be: behind `after`, up to `last`. */
interface Stretch {
  readonly after: number;
  readonly last: number;
}

function* stretchOf(tenant: string, { after, from, until }: AuditQuery): Steps<Stretch> {
  const whole = { after, last: Number.MAX_SAFE_INTEGER };
  if (from === undefined && until === undefined) return whole;
  const first = yield* positionIn(
    sql`SELECT position FROM audit_entries WHERE tenant = ${tenant} ORDER BY position LIMIT 1`,
  );
  // What stands for entries that went says when they went.
  const checkpoints = sql`FROM audit_checkpoints WHERE tenant = ${tenant} AND position >= ${first ?? 0}`;
  const behind = from === undefined ? null : yield* lastBefore(checkpoints, from);
  const end = until === undefined ? null : yield* firstBehind(checkpoints, until);
  return { after: Math.max(after, behind ?? 0), last: end ?? whole.last };
}

/**
 * The last place of which the log was before an instant for sure. Of the checkpoints before the first that is later, the one of
 * the latest time: a clock that was behind for a while does not lead past what came before.
 */
function* lastBefore(checkpoints: Sql, instant: string): Steps<number | null> {
  const bound = moved(instant, -DISORDER_MS);
  const later = yield* positionIn(
    sql`SELECT position ${checkpoints} AND at >= ${bound} ORDER BY position LIMIT 1`,
  );
  return yield* positionIn(sql`SELECT position ${checkpoints} AND position < ${later ?? Number.MAX_SAFE_INTEGER}
    ORDER BY at DESC, position DESC LIMIT 1`);
}

/** The first place of which the log was past an instant for sure: the same the other way round. */
function* firstBehind(checkpoints: Sql, instant: string): Steps<number | null> {
  const bound = moved(instant, DISORDER_MS);
  const earlier = yield* positionIn(
    sql`SELECT position ${checkpoints} AND at < ${bound} ORDER BY position DESC LIMIT 1`,
  );
  return yield* positionIn(
    sql`SELECT position ${checkpoints} AND position > ${earlier ?? 0} ORDER BY at, position LIMIT 1`,
  );
}

const EARLIEST = Date.parse("0000-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** An instant so many milliseconds later, within the years that have four digits: texts of others are in another order. */
function moved(instant: string, milliseconds: number): string {
  const time = Date.parse(instant) + milliseconds;
  return new Date(Math.min(Math.max(time, EARLIEST), LATEST)).toISOString();
}

function* positionIn(query: Sql): Steps<number | null> {
  const { rows }: Answer = yield query;
  const [row] = rows;
  return row === undefined ? null : numberOf(row, "position");
}

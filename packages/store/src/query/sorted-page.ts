/**
 * A page by number of all resources of a type in the order of an attribute: read from its index, the resources
 * without a value before or behind. What it costs depends on the page and the offset.
 * @module
 */
import type { Dialect } from "../dialect.ts";
import type { RowSource } from "../resources/read.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, countOf, type Steps, textOf } from "../steps.ts";
import { type MissingRows, missingRows } from "./missing-rows.ts";

/** A part of a list. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

/** The attribute that orders, and how many resources there are in all. */
export interface AttributeOrder {
  readonly path: string;
  readonly descending: boolean;
  readonly total: number;
  readonly dialect: Dialect;
}

/** Beyond so many resources it is worth looking from which end a page is nearer. */
const SHORT_WAY = 1000;

/** The ids of a page. */
export function* sortedIds(source: RowSource, order: AttributeOrder, slice: Slice): Steps<readonly string[]> {
  const fromEnd = slice.offset > SHORT_WAY ? yield* idsFromEnd(source, order, slice) : null;
  return fromEnd ?? (yield* idsFromBeginning(source, order, slice));
}

/** The ids of a page of resources that have a value, read from the end; null where the beginning is nearer. */
function* idsFromEnd(
  source: RowSource,
  order: AttributeOrder,
  { offset, limit }: Slice,
): Steps<readonly string[] | null> {
  const { path, descending, total, dialect } = order;
  const lacking = yield* missingRows(source, path, dialect);
  if (!lacking.isIndexed) return null;
  const missing = yield* countOfRows(
    sql`(SELECT ${lacking.id} AS id FROM ${lacking.rows} LIMIT ${offset + 1}) m`,
  );
  // There may be more of them than were counted.
  if (missing > offset) return null;
  const valued = total - missing;
  const start = descending ? offset - missing : offset;
  const isInside = start >= 0 && start < valued && (start + limit <= valued || descending || missing === 0);
  const length = Math.min(limit, valued - start);
  const behind = valued - start - length;
  if (!isInside || behind >= start) return null;
  const rows = {
    ...valuedRows(source, order),
    order: descending ? sql`x.key, x.id DESC` : sql`x.key DESC, x.id DESC`,
  };
  return (yield* idsOf(rows, { offset: behind, limit: length })).toReversed();
}

function* idsFromBeginning(source: RowSource, order: AttributeOrder, slice: Slice): Steps<readonly string[]> {
  const { path, descending, total, dialect } = order;
  if (!descending) {
    const first = yield* partOf(valuedRows(source, order), slice);
    if (first.rest.limit === 0 || first.length === total) return first.ids;
    const behind = yield* missingRows(source, path, dialect);
    return [...first.ids, ...(yield* idsOf(missingPart(behind), first.rest))];
  }
  const lacking = yield* missingRows(source, path, dialect);
  const first = yield* lacking.isIndexed
    ? partOf(missingPart(lacking), slice)
    : partOfUnindexed(source, order, { lacking, slice });
  if (first.rest.limit === 0) return first.ids;
  return [...first.ids, ...(yield* idsOf(valuedRows(source, order), first.rest))];
}

/** Rows in order, as a part of the list. */
interface Rows {
  readonly rows: Sql;
  readonly id: Sql;
  readonly order: Sql;
}

/** What a slice takes of the first part of a list. */
interface FirstPart {
  readonly ids: readonly string[];
  /** Length of the part; null where the slice ends in it. */
  readonly length: number | null;
  /** What the slice takes of the second part. */
  readonly rest: Slice;
}

function valuedRows({ tenant, type }: RowSource, { path, descending }: AttributeOrder): Rows {
  return {
    rows: sql`attribute_index x WHERE x.tenant = ${tenant} AND x.type = ${type} AND x.path = ${path}`,
    id: sql`x.id`,
    order: descending ? sql`x.key DESC, x.id` : sql`x.key, x.id`,
  };
}

function missingPart({ rows, id }: MissingRows): Rows {
  return { rows, id, order: id };
}

/** Takes a slice of the first part; its length is counted only where the slice begins behind it. */
function* partOf(part: Rows, slice: Slice): Steps<FirstPart> {
  const ids = yield* idsOf(part, slice);
  if (ids.length === slice.limit) return { ids, length: null, rest: { offset: 0, limit: 0 } };
  const length =
    ids.length > 0 || slice.offset === 0 ? slice.offset + ids.length : yield* countOfRows(part.rows);
  const offset = Math.max(0, slice.offset - length);
  return { ids, length, rest: { offset, limit: slice.limit - ids.length } };
}

/** The same where going through the part means going through all resources, of which some may be in it. */
function* partOfUnindexed(
  source: RowSource,
  order: AttributeOrder,
  { lacking, slice }: { readonly lacking: MissingRows; readonly slice: Slice },
): Steps<FirstPart> {
  const length = order.total - (yield* countOfRows(valuedRows(source, order).rows));
  const limit = Math.max(0, Math.min(slice.limit, length - slice.offset));
  const ids = limit === 0 ? [] : yield* idsOf(missingPart(lacking), { offset: slice.offset, limit });
  const offset = Math.max(0, slice.offset - Math.max(0, length));
  return { ids, length, rest: { offset, limit: slice.limit - ids.length } };
}

function* idsOf({ rows, id, order }: Rows, { offset, limit }: Slice): Steps<readonly string[]> {
  const answer = yield sql`SELECT ${id} AS id FROM ${rows} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  return answer.rows.map((row) => textOf(row, "id"));
}

function* countOfRows(rows: Sql): Steps<number> {
  const counted: Answer = yield sql`SELECT count(*) AS n FROM ${rows}`;
  return countOf(counted, "n");
}

/**
 * Rows of a reference collection over all its owners, a page at a time: each page is found by index, from the
 * place where the one before ended.
 * @module
 */
import type { ReferenceRow, ReferenceRowFilter, ReferenceRowQuery, RowPlace, StoreScope } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, countOf, type Executor, numberOf, type Row, type Steps, textOf } from "../steps.ts";
import {
  type Behind,
  behind,
  isOwner,
  type OwnedOrder,
  ownersBehind,
  stretchesOf,
} from "./owner-stretches.ts";
import { memberText, parseObject } from "./rows.ts";

/** Rows that one step passes over, on the way to a page by number or to the end. */
const STRIDE = 10_000;

/** A page of rows. Those left out at its start are passed over some at a time, so that others come between. */
export async function readReferenceRows(
  executor: Executor,
  { query, ...setting }: PageSetting,
): Promise<readonly ReferenceRow[]> {
  let { after } = query;
  if (query.offset > 0) {
    const passed = await passAll(executor, setting, { query, most: query.offset });
    if (passed.place === null) return [];
    after = passed.place;
  }
  const found: ReferenceRow[] = [];
  for await (const stretch of stretchesOf(executor, setting, { ...query, after })) {
    setting.signal?.throwIfAborted();
    const limit = query.limit - found.length;
    const page = { ...setting, ...stretch, query: { ...query, after: stretch.after, limit } };
    found.push(...(await executor.snapshot(() => rowsBehind(page))));
    if (found.length === query.limit) break;
  }
  return found;
}

/** How many rows there are, counted some at a time. */
export function countReferenceRows(
  executor: Executor,
  setting: RowSetting & Pick<StoreScope, "signal">,
  filter: ReferenceRowFilter,
): Promise<number> {
  return countRows(executor, setting, { filter, most: Number.MAX_SAFE_INTEGER });
}

/** How many rows a collection has over all its owners, counted no further than `most`: 1 or more. */
export function countCollectionRows(
  executor: Executor,
  setting: RowSetting,
  { type, path, most }: { readonly type: string; readonly path: string; readonly most: number },
): Promise<number> {
  return countRows(executor, setting, { filter: { type, path, value: null, owner: null }, most });
}

/** Whose rows they are, and in which database. */
interface RowSetting {
  readonly tenant: string;
  readonly dialect: Dialect;
}

/** The same for what may take long. */
type LongSetting = RowSetting & Pick<StoreScope, "signal">;

async function countRows(
  executor: Executor,
  setting: LongSetting,
  { filter, most }: { readonly filter: ReferenceRowFilter; readonly most: number },
): Promise<number> {
  const query = { ...filter, after: null, descending: false };
  return (await passAll(executor, setting, { query, most })).count;
}

/** Passes over rows, some at a time, so that others come between: no more than `most`, which is 1 or more. */
async function passAll(
  executor: Executor,
  setting: LongSetting,
  { query, most }: { readonly query: OwnedOrder; readonly most: number },
): Promise<PassedRows> {
  let count = 0;
  for await (const stretch of stretchesOf(executor, setting, query)) {
    let after: Behind | null = stretch.after;
    do {
      setting.signal?.throwIfAborted();
      const rows = { ...query, after };
      const wanted = Math.min(STRIDE, most - count);
      const passed = await executor.snapshot(() => passRows({ ...setting, ...stretch }, rows, wanted));
      count += passed.count;
      if (count >= most) return { count, place: passed.place };
      after = passed.place;
      await executor.pause();
    } while (after !== null);
  }
  return { count, place: null };
}

/** A page that is asked for. */
export interface PageSetting extends RowSetting {
  readonly query: Omit<ReferenceRowQuery, "after"> & Pick<OwnedOrder, "after">;
  /** The last owner that is looked at. Default: there may be any number. */
  readonly upTo?: string | null;
  /** Ends a page that lies far behind others: the client went away. */
  readonly signal?: AbortSignal | undefined;
}

/** Rows that lie together in an index: what they are read from and their conditions, and their order. */
interface RowRange {
  readonly rows: Sql;
  readonly order: Sql;
}

/** The page behind a place. */
export function* rowsBehind({ tenant, query, dialect, upTo }: PageSetting): Steps<readonly ReferenceRow[]> {
  const { displayKey, limit } = query;
  const display = displayKey === null ? sql`NULL` : dialect.jsonMember(sql`r.body`, sql`${displayKey}`);
  const found: ReferenceRow[] = [];
  for (const { rows, order } of rangesOf({ tenant, dialect, upTo, most: limit }, query)) {
    const answer: Answer = yield sql`SELECT m.owner, m.position, m.value, m.rest, ${display} AS display
      ${rows} ORDER BY ${order} LIMIT ${limit - found.length}`;
    found.push(...answer.rows.map((row) => rowOf(row, displayKey)));
    if (found.length === limit) break;
  }
  return found;
}

/** Rows that were passed over. */
export interface PassedRows {
  readonly count: number;
  /** The last of them, where there are as many as were to be passed. */
  readonly place: RowPlace | null;
}

/** Passes over so many rows: 1 or more. */
export function* passRows(
  setting: Omit<RangeSetting, "most">,
  query: OwnedOrder,
  wanted: number,
): Steps<PassedRows> {
  let count = 0;
  for (const { rows, order } of rangesOf({ ...setting, most: wanted }, query)) {
    const { rows: found }: Answer = yield sql`SELECT m.owner, m.position ${rows} ORDER BY ${order}
      LIMIT 1 OFFSET ${wanted - count - 1}`;
    const [last] = found;
    if (last !== undefined) {
      return { count: wanted, place: { owner: textOf(last, "owner"), position: numberOf(last, "position") } };
    }
    count += countOf(yield sql`SELECT count(*) AS n ${rows}`, "n");
  }
  return { count, place: null };
}

/** Ranges of which no more than so many rows are looked at, up to an owner. */
interface RangeSetting extends RowSetting {
  readonly most: number;
  readonly upTo?: string | null | undefined;
}

/** An index finds what is behind one place in two ranges: the rest of an owner, and the owners behind it. */
function rangesOf(setting: RangeSetting, query: OwnedOrder): readonly RowRange[] {
  const { value, owner, after } = query;
  if (value !== null) return [referringTo(setting, query, value)];
  if (owner !== null) return [ofOwner(setting, query, owner)];
  const others = ofOwnersBehind(setting, query);
  return after === null || after.position === null
    ? [others]
    : [ofOwner(setting, query, after.owner), others];
}

/** The rows that refer to an id: there is at most one of each owner. */
function referringTo({ tenant }: RangeSetting, query: OwnedOrder, value: string): RowRange {
  const { owner, after, descending } = query;
  // Every id is greater than the empty text: said, so that SQLite takes the index of values in the order of owners.
  const whose = owner === null ? sql`m.owner > ''` : sql`m.owner = ${owner}`;
  return {
    // The table that is named first is gone through first.
    rows: sql`FROM reference_values m CROSS JOIN resources r WHERE ${isOwner(tenant, query)}
      AND ${isOwned(tenant, query)} AND m.value = ${value} AND ${whose}${behind(sql`m.owner`, after?.owner, descending)}`,
    order: descending ? sql`m.owner DESC` : sql`m.owner`,
  };
}

function ofOwner({ tenant }: RangeSetting, query: OwnedOrder, owner: string): RowRange {
  const { after, descending } = query;
  return {
    rows: sql`FROM resources r CROSS JOIN reference_values m WHERE ${isOwner(tenant, query)}
      AND ${isOwned(tenant, query)} AND r.id = ${owner} AND m.owner = ${owner}${behind(sql`m.position`, after?.position, descending)}`,
    order: descending ? sql`m.position DESC` : sql`m.position`,
  };
}

function ofOwnersBehind({ tenant, dialect, most, upTo }: RangeSetting, query: OwnedOrder): RowRange {
  const { descending } = query;
  const position = descending ? sql`m.position DESC` : sql`m.position`;
  const owned = { table: sql`reference_values`, of: isOwned(tenant, query), order: position, most };
  return {
    rows: sql`FROM resources r CROSS JOIN ${dialect.ownedRows(owned)}
      WHERE ${isOwner(tenant, query)} AND ${ownersBehind(query)}${within(upTo, descending)}`,
    order: sql`${descending ? sql`r.id DESC` : sql`r.id`}, ${position}`,
  };
}

function within(upTo: string | null | undefined, descending: boolean): Sql {
  if (upTo === null || upTo === undefined) return sql``;
  return descending ? sql` AND r.id >= ${upTo}` : sql` AND r.id <= ${upTo}`;
}

/** Condition: `m` is a row of the collection of `r`. */
function isOwned(tenant: string, { type, path }: OwnedOrder): Sql {
  return sql`m.tenant = ${tenant} AND m.type = ${type} AND m.path = ${path} AND m.owner = r.id`;
}

function rowOf(row: Row, displayKey: string | null): ReferenceRow {
  return {
    owner: textOf(row, "owner"),
    position: numberOf(row, "position"),
    display: displayKey === null ? null : memberText(row["display"], displayKey),
    value: textOf(row, "value"),
    rest: parseObject(textOf(row, "rest")),
  };
}

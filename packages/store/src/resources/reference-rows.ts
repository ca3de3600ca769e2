/**
 * Rows of a reference collection over all its owners, a page at a time: each page is found by index, from the
 * place where the one before ended.
 * @module
 */
import type { ReferenceRow, ReferenceRowFilter, ReferenceRowQuery, RowPlace, StoreScope } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, countOf, type Executor, numberOf, type Row, type Steps, textOf } from "../steps.ts";
import { memberText, parseObject } from "./rows.ts";

/** Rows that one step passes over, on the way to a page by number or to the end. */
const STRIDE = 10_000;

/** A page of rows. Those left out at its start are passed over some at a time, so that others come between. */
export async function readReferenceRows(
  executor: Executor,
  { tenant, query, dialect, signal }: PageSetting,
): Promise<readonly ReferenceRow[]> {
  let { after } = query;
  for (let left = query.offset; left > 0; left -= STRIDE) {
    signal?.throwIfAborted();
    const passed = await executor.snapshot(passRows(tenant, { ...query, after }, Math.min(STRIDE, left)));
    if (passed.place === null) return [];
    after = passed.place;
    if (left > STRIDE) await executor.pause();
  }
  signal?.throwIfAborted();
  return executor.snapshot(rowsBehind({ tenant, query: { ...query, after }, dialect }));
}

/** How many rows there are, counted some at a time. */
export function countReferenceRows(
  executor: Executor,
  { tenant, signal }: Pick<StoreScope, "tenant" | "signal">,
  filter: ReferenceRowFilter,
): Promise<number> {
  return countRows(executor, { tenant, signal, filter, most: Number.MAX_SAFE_INTEGER });
}

/** How many rows a collection has over all its owners, counted no further than `most`: 1 or more. */
export function countCollectionRows(
  executor: Executor,
  { tenant, type, path }: { readonly tenant: string; readonly type: string; readonly path: string },
  most: number,
): Promise<number> {
  return countRows(executor, { tenant, filter: { type, path, value: null, owner: null }, most });
}

interface Counting {
  readonly tenant: string;
  readonly signal?: AbortSignal | undefined;
  readonly filter: ReferenceRowFilter;
  readonly most: number;
}

async function countRows(executor: Executor, { tenant, signal, filter, most }: Counting): Promise<number> {
  let total = 0;
  let after: RowPlace | null = null;
  while (total < most) {
    signal?.throwIfAborted();
    const passed: PassedRows = await executor.snapshot(
      passRows(tenant, { ...filter, after, descending: false }, Math.min(STRIDE, most - total)),
    );
    total += passed.count;
    if (passed.place === null) break;
    after = passed.place;
    await executor.pause();
  }
  return total;
}

/** A page that is asked for. */
export interface PageSetting {
  readonly tenant: string;
  readonly query: ReferenceRowQuery;
  readonly dialect: Dialect;
  /** Ends a page that lies far behind others: the client went away. */
  readonly signal?: AbortSignal | undefined;
}

/** Rows in their order, behind a place. */
type RowOrder = ReferenceRowFilter & Pick<ReferenceRowQuery, "after" | "descending">;

/** Rows that lie together in an index. */
interface RowRange {
  readonly from: Sql;
  readonly where: Sql;
  readonly order: Sql;
}

/** The page behind a place. */
export function* rowsBehind({ tenant, query, dialect }: PageSetting): Steps<readonly ReferenceRow[]> {
  const { displayKey, limit } = query;
  const display = displayKey === null ? sql`NULL` : dialect.jsonMember(sql`r.body`, sql`${displayKey}`);
  const found: ReferenceRow[] = [];
  for (const { from, where, order } of rangesOf(query)) {
    const { rows }: Answer =
      yield sql`SELECT m.owner, m.position, m.value, m.rest, ${display} AS display FROM ${from}
        WHERE ${rowsOfOwners(tenant, query)} AND ${where} ORDER BY ${order} LIMIT ${limit - found.length}`;
    found.push(...rows.map((row) => rowOf(row, displayKey)));
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
export function* passRows(tenant: string, order: RowOrder, wanted: number): Steps<PassedRows> {
  let count = 0;
  for (const range of rangesOf(order)) {
    const rows = sql`FROM ${range.from} WHERE ${rowsOfOwners(tenant, order)} AND ${range.where}`;
    const { rows: found }: Answer = yield sql`SELECT m.owner, m.position ${rows} ORDER BY ${range.order}
      LIMIT 1 OFFSET ${wanted - count - 1}`;
    const [last] = found;
    if (last !== undefined) {
      return { count: wanted, place: { owner: textOf(last, "owner"), position: numberOf(last, "position") } };
    }
    count += countOf(yield sql`SELECT count(*) AS n ${rows}`, "n");
  }
  return { count, place: null };
}

/** An index finds what is behind one place in two ranges: the rest of an owner, and the owners behind it. */
function rangesOf({ value, owner, after, descending }: RowOrder): readonly RowRange[] {
  if (value !== null) return [referringTo({ value, owner }, after, descending)];
  if (owner !== null) return [ofOwner(owner, after, descending)];
  const others = ofOwnersBehind(after, descending);
  return after === null ? [others] : [ofOwner(after.owner, after, descending), others];
}

// The table that is named first is gone through first.
const BY_OWNER: Sql = sql`resources r CROSS JOIN reference_values m`;
const BY_VALUE: Sql = sql`reference_values m CROSS JOIN resources r`;

/** The rows that refer to an id: there is at most one of each owner. */
function referringTo(
  { value, owner }: { readonly value: string; readonly owner: string | null },
  after: RowPlace | null,
  descending: boolean,
): RowRange {
  // Every id is greater than the empty text: said, so that SQLite takes the index of values in the order of owners.
  const whose = owner === null ? sql`m.owner > ''` : sql`m.owner = ${owner}`;
  return {
    from: BY_VALUE,
    where: sql`m.value = ${value} AND ${whose}${behind(sql`m.owner`, after?.owner, descending)}`,
    order: descending ? sql`m.owner DESC` : sql`m.owner`,
  };
}

function ofOwner(owner: string, after: RowPlace | null, descending: boolean): RowRange {
  return {
    from: BY_OWNER,
    where: sql`r.id = ${owner} AND m.owner = ${owner}${behind(sql`m.position`, after?.position, descending)}`,
    order: descending ? sql`m.position DESC` : sql`m.position`,
  };
}

function ofOwnersBehind(after: RowPlace | null, descending: boolean): RowRange {
  return {
    from: BY_OWNER,
    where: sql`r.id > ''${behind(sql`r.id`, after?.owner, descending)}`,
    order: descending ? sql`r.id DESC, m.position DESC` : sql`r.id, m.position`,
  };
}

function behind(column: Sql, place: string | number | undefined, descending: boolean): Sql {
  if (place === undefined) return sql``;
  return descending ? sql` AND ${column} < ${place}` : sql` AND ${column} > ${place}`;
}

/** Condition: `m` is a row of the collection, and `r` its owner: live, unless those of a deleted one are asked for. */
function rowsOfOwners(
  tenant: string,
  { type, path, ofDeleted = false }: Pick<ReferenceRowFilter, "type" | "path" | "ofDeleted">,
): Sql {
  const state = ofDeleted ? sql`r.deleted IS NOT NULL` : sql`r.deleted IS NULL`;
  return sql`r.tenant = ${tenant} AND r.type = ${type} AND ${state}
    AND m.tenant = ${tenant} AND m.type = ${type} AND m.path = ${path} AND m.owner = r.id`;
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

/**
 * The owners of a reference collection, some at a time: however many of them hold nothing, no statement goes through all.
 * @module
 */
import type { ReferenceRowFilter, ReferenceRowQuery, RowPlace, StoreScope } from "@scim/core";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Executor, type Steps, textOf } from "../steps.ts";

/** A place among rows; without a position, behind all rows of its owner. */
export interface Behind extends Pick<RowPlace, "owner"> {
  readonly position: number | null;
}

/** Rows in their order, behind a place. */
export type OwnedOrder = ReferenceRowFilter &
  Pick<ReferenceRowQuery, "descending"> & { readonly after: Behind | null };

/** Owners that one statement looks at: first few, of whom some will do where most hold something; then some milliseconds' worth. */
const FEWEST = 500;
const MOST = 10_000;

/** Where a stretch of rows begins, and the last owner that is in it; null where it goes on to the end. */
export interface Stretch {
  readonly after: Behind | null;
  readonly upTo: string | null;
}

/** The stretches of an order, one behind the other. Rows that are found by what they refer to, or by their owner, are one. */
export async function* stretchesOf(
  executor: Pick<Executor, "read" | "pause">,
  { tenant, signal }: Pick<StoreScope, "tenant" | "signal">,
  order: OwnedOrder,
): AsyncGenerator<Stretch, void, undefined> {
  let { after } = order;
  const isWhole = order.value !== null || order.owner !== null;
  for (let owners = FEWEST; ; owners = Math.min(MOST, 2 * owners)) {
    const upTo: string | null = isWhole
      ? null
      : await executor.read(lastOfOwners(tenant, { ...order, after }, owners));
    yield { after, upTo };
    if (upTo === null) return;
    after = { owner: upTo, position: null };
    await executor.pause();
    signal?.throwIfAborted();
  }
}

/** The last of so many owners behind a place; null where no more come behind them. */
function* lastOfOwners(tenant: string, order: OwnedOrder, owners: number): Steps<string | null> {
  const id = order.descending ? sql`r.id DESC` : sql`r.id`;
  const { rows }: Answer = yield sql`SELECT r.id FROM resources r
    WHERE ${isOwner(tenant, order)} AND ${ownersBehind(order)} ORDER BY ${id} LIMIT 1 OFFSET ${owners - 1}`;
  const [row] = rows;
  return row === undefined ? null : textOf(row, "id");
}

/** Condition: `r` is an owner that is live, unless rows of deleted ones are asked for. */
export function isOwner(tenant: string, { type, ofDeleted = false }: ReferenceRowFilter): Sql {
  const state = ofDeleted ? sql`r.deleted IS NOT NULL` : sql`r.deleted IS NULL`;
  return sql`r.tenant = ${tenant} AND r.type = ${type} AND ${state}`;
}

/** Condition: `r` comes behind the owner of a place. Every id is greater than the empty text: said, so that they are read in order. */
export function ownersBehind({ after, descending }: Pick<OwnedOrder, "after" | "descending">): Sql {
  return sql`r.id > ''${behind(sql`r.id`, after?.owner, descending)}`;
}

/** The condition that a column comes behind a place, in the direction of an order; behind another condition. */
export function behind(column: Sql, place: string | number | null | undefined, descending: boolean): Sql {
  if (place === undefined || place === null) return sql``;
  return descending ? sql` AND ${column} < ${place}` : sql` AND ${column} > ${place}`;
}

/**
 * A page of all resources of a type in the order of an attribute: read from its index, the resources
 * without a value before or behind.
 * @module
 */
import { sql } from "../sql.ts";
import { type Answer, countOf, type Steps, textOf } from "../steps.ts";
import { liveResources } from "../resources/rows.ts";
import type { RowSource } from "../resources/read.ts";

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
}

/** The ids of a page. */
export function* sortedIds(source: RowSource, order: AttributeOrder, slice: Slice): Steps<readonly string[]> {
  const { path, descending, total } = order;
  const valued = yield* countValued(source, path);
  const missing = Math.max(0, total - valued);
  if (descending) {
    const first = yield* idsWithout(source, path, cut(slice, 0, missing));
    return [...first, ...(yield* idsWith(source, order, cut(slice, missing, valued)))];
  }
  const first = yield* idsWith(source, order, cut(slice, 0, valued));
  return [...first, ...(yield* idsWithout(source, path, cut(slice, valued, missing)))];
}

/** What a slice takes of a part that begins at `start` and has `length` places. */
function cut({ offset, limit }: Slice, start: number, length: number): Slice {
  const from = Math.min(length, Math.max(0, offset - start));
  const to = Math.min(length, Math.max(0, offset + limit - start));
  return { offset: from, limit: to - from };
}

function* countValued({ tenant, type }: RowSource, path: string): Steps<number> {
  const counted: Answer = yield sql`SELECT count(*) AS n FROM attribute_index
    WHERE tenant = ${tenant} AND type = ${type} AND path = ${path}`;
  return countOf(counted, "n");
}

function* idsWith(
  { tenant, type }: RowSource,
  order: AttributeOrder,
  slice: Slice,
): Steps<readonly string[]> {
  if (slice.limit === 0) return [];
  const direction = order.descending ? sql`x.key DESC, x.id` : sql`x.key, x.id`;
  const { rows } = yield sql`SELECT x.id FROM attribute_index x
    WHERE x.tenant = ${tenant} AND x.type = ${type} AND x.path = ${order.path}
    ORDER BY ${direction} LIMIT ${slice.limit} OFFSET ${slice.offset}`;
  return rows.map((row) => textOf(row, "id"));
}

function* idsWithout(source: RowSource, path: string, slice: Slice): Steps<readonly string[]> {
  if (slice.limit === 0) return [];
  const { tenant, type } = source;
  const { rows } = yield sql`SELECT r.id FROM ${liveResources(tenant, type)}
    AND NOT EXISTS (SELECT 1 FROM attribute_index x WHERE x.tenant = ${tenant} AND x.type = ${type}
      AND x.id = r.id AND x.path = ${path})
    ORDER BY r.id LIMIT ${slice.limit} OFFSET ${slice.offset}`;
  return rows.map((row) => textOf(row, "id"));
}

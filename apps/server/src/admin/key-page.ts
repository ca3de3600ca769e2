/**
 * Lists of the admin API in the order of their keys, page by page: `after` and `limit`, and `next` for the next page.
 * @module
 */
import { type KeyPage, onPage } from "@scim/tenancy";
import type { FastifyRequest } from "fastify";
import { limitOf, parameterOf } from "./parameters.ts";

/** The parameters that say which page is read. */
export const KEY_PAGE = ["after", "limit"] as const;

/** Reads a page of a list. */
export type ReadKeyPage<Row> = (page: KeyPage) => Promise<readonly Row[]>;

/** A page that was read. */
export interface ReadPage<Row> {
  readonly rows: readonly Row[];
  /** The `after` of the next page; null where this is the last. */
  readonly next: string | null;
}

/**
 * Reads the page that a query asks for: `limit` (1 to 1000, 100 where it says nothing) behind the key `after`.
 * @throws ScimError `invalidValue`
 */
export async function keyPageOf<Row>(
  request: FastifyRequest,
  read: ReadKeyPage<Row>,
  keyOf: (row: Row) => string,
): Promise<ReadPage<Row>> {
  const limit = limitOf(request);
  const found = await read({ after: parameterOf(request, "after"), count: limit + 1 });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? keyOf(last) : null };
}

/** Pages of a list that is short enough to be read whole, in the order of its keys. */
export function ofList<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadKeyPage<Row> {
  const inOrder = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return async (page) => onPage(inOrder, keyOf, page);
}

/**
 * Pages of rows in the order of a key.
 * @module
 */
import type { KeyPage } from "@scim/tenancy";
import { type Sql, sql } from "../sql.ts";

/** The two parts of a statement that a page bounds: a condition behind others, and what ends it behind its order. */
export interface BoundedRows {
  readonly behind: Sql;
  readonly most: Sql;
}

/** Bounds a statement to a page; not at all without one. */
export function onPage(key: Sql, page: KeyPage | undefined): BoundedRows {
  if (page === undefined) return { behind: sql``, most: sql`` };
  const { after, count } = page;
  return {
    behind: after === null ? sql`` : sql` AND ${key} > ${after}`,
    most: sql` LIMIT ${count}`,
  };
}

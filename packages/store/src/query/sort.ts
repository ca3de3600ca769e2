/**
 * Orders that the database gives (RFC 7644 §3.4.2.3): missing values last ascending and first descending,
 * equal ones by id.
 * @module
 */
import type { StoreQuery } from "@scim/core";
import { type Sql, sql } from "../sql.ts";
import type { RowSource } from "../resources/read.ts";

/** How a query is ordered. */
export type SortPlan =
  /** By columns of the resource. */
  | { readonly kind: "columns"; readonly order: Sql; readonly byId: boolean }
  /** By the index of an attribute with one value. */
  | { readonly kind: "attribute"; readonly path: string; readonly descending: boolean };

const COLUMNS: ReadonlyMap<string, Sql> = new Map([
  ["meta.created", sql`r.created`],
  ["meta.lastModified", sql`r.last_modified`],
]);

/** The order of a query, or null where the database cannot give it. */
export function sortPlan(sort: StoreQuery["sort"]): SortPlan | null {
  if (sort === null) return { kind: "columns", order: sql`r.id`, byId: true };
  const { target, descending } = sort;
  const { path, indexed } = target.handle;
  if (path === "meta.resourceType") return { kind: "columns", order: sql`r.id`, byId: true };
  if (path === "id")
    return { kind: "columns", order: descending ? sql`r.id DESC` : sql`r.id`, byId: !descending };
  const column = COLUMNS.get(path);
  if (column !== undefined) {
    return {
      kind: "columns",
      order: descending ? sql`${column} DESC, r.id` : sql`${column}, r.id`,
      byId: false,
    };
  }
  return indexed && !target.multiValued ? { kind: "attribute", path, descending } : null;
}

/** What to put behind ORDER BY where a filter has narrowed the resources down. */
export function orderBy(plan: SortPlan, source: RowSource): Sql {
  if (plan.kind === "columns") return plan.order;
  const key = sql`(SELECT x.key FROM attribute_index x WHERE x.tenant = ${source.tenant} AND x.type = ${source.type}
    AND x.id = r.id AND x.path = ${plan.path})`;
  return plan.descending ? sql`${key} DESC NULLS FIRST, r.id` : sql`${key} ASC NULLS LAST, r.id`;
}

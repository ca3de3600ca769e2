/**
 * Orders that the database gives (RFC 7644 §3.4.2.3): missing values last ascending and first descending,
 * equal ones by id.
 * @module
 */
import type { Place, StoreQuery } from "@scim/core";
import type { Dialect, ReadKey } from "../dialect.ts";
import type { Serves } from "../indexes/view.ts";
import type { RowSource } from "../resources/read.ts";
import { type Sql, sql } from "../sql.ts";
import { millisecondOf } from "./instant.ts";

/** How a query is ordered. */
export type SortPlan =
  | { readonly kind: "id" }
  /** By a column of the resource, which always has a value. */
  | {
      readonly kind: "column";
      readonly column: Sql;
      readonly descending: boolean;
      readonly holds: "ids" | "instants";
    }
  /** By the index of an attribute with one value. */
  | { readonly kind: "attribute"; readonly path: string; readonly descending: boolean };

const INSTANTS: ReadonlyMap<string, Sql> = new Map([
  ["meta.created", sql`r.created`],
  ["meta.lastModified", sql`r.last_modified`],
]);

/** The order of a query, or null where the database cannot give it. */
export function sortPlan(sort: StoreQuery["sort"], serves: Serves): SortPlan | null {
  if (sort === null) return { kind: "id" };
  const { target, descending } = sort;
  const { path } = target.handle;
  // The same for all resources of a query.
  if (path === "meta.resourceType") return { kind: "id" };
  if (path === "id") return { kind: "column", column: sql`r.id`, descending, holds: "ids" };
  const column = INSTANTS.get(path);
  if (column !== undefined) return { kind: "column", column, descending, holds: "instants" };
  return serves(target.handle) && !target.multiValued ? { kind: "attribute", path, descending } : null;
}

/** Which resources are ordered, and in which database. */
export interface SortSetting {
  readonly source: RowSource;
  readonly dialect: Dialect;
}

/** What to put behind ORDER BY where a filter has narrowed the resources down; or the reverse of it. */
export function orderBy(plan: SortPlan, { source, dialect }: SortSetting, backward = false): Sql {
  const id = backward ? sql`r.id DESC` : sql`r.id`;
  if (plan.kind === "id") return id;
  const falling = plan.descending !== backward;
  if (plan.kind === "column") {
    if (plan.holds === "ids") return falling ? sql`r.id DESC` : sql`r.id`;
    return falling ? sql`${plan.column} DESC, ${id}` : sql`${plan.column}, ${id}`;
  }
  const key = keyOf(plan.path, { source, dialect });
  return falling ? sql`${key} DESC NULLS FIRST, ${id}` : sql`${key} ASC NULLS LAST, ${id}`;
}

/** What a resource `r` is ordered by beside its id, to see whether it is still the same; null where ids alone order. */
export function orderingKey(plan: SortPlan, setting: SortSetting): Sql | null {
  switch (plan.kind) {
    case "id":
      return null;
    case "column":
      return plan.holds === "ids" ? null : plan.column;
    case "attribute":
      return setting.dialect.keys.readable(keyOf(plan.path, setting));
  }
}

/** The key of the resource `r`; null where it has none. */
function keyOf(path: string, { source: { tenant, type }, dialect }: SortSetting): Sql {
  return sql`(SELECT ${dialect.keys.whole} FROM attribute_index x WHERE x.tenant = ${tenant} AND x.type = ${type}
    AND x.id = r.id AND x.path = ${path})`;
}

/** A place with its key as columns hold it: an instant in milliseconds, a boolean as 0 or 1. */
export interface RowPlace {
  readonly key: ReadKey | null;
  readonly id: string;
}

/** The place that a query names. */
export function rowPlace(plan: SortPlan, place: Place): RowPlace {
  const { id, key } = place;
  if (key === null || plan.kind === "id") return { id, key: null };
  const isInstant = plan.kind === "column" && plan.holds === "instants" && typeof key === "string";
  return { id, key: isInstant ? millisecondOf(key).text : typeof key === "boolean" ? Number(key) : key };
}

/** The condition that `r` stands behind a place in the order of a plan, or before it. */
export function behind(
  plan: SortPlan,
  { source, dialect }: SortSetting,
  { place, backward }: { readonly place: RowPlace; readonly backward: boolean },
): Sql {
  const id = backward ? sql`r.id < ${place.id}` : sql`r.id > ${place.id}`;
  if (plan.kind === "id") return id;
  const falling = plan.descending !== backward;
  const key = plan.kind === "column" ? plan.column : keyOf(plan.path, { source, dialect });
  if (place.key === null) {
    return falling ? sql`(${key} IS NOT NULL OR ${id})` : sql`(${key} IS NULL AND ${id})`;
  }
  const value = plan.kind === "column" ? place.key : dialect.keys.ordered(place.key);
  const beyond = falling ? sql`${key} < ${value}` : sql`${key} > ${value}`;
  const equal = sql`${key} = ${value} AND ${id}`;
  // Resources without a value stand behind all others where keys rise.
  return falling || plan.kind === "column"
    ? sql`(${beyond} OR ${equal})`
    : sql`(${beyond} OR ${equal} OR ${key} IS NULL)`;
}

/**
 * A query, and what it runs on.
 * @module
 */
import type { StoreQuery, StoreScope } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import type { IndexView } from "../indexes/view.ts";
import type { RowSource } from "../resources/read.ts";
import type { SortPlan, SortSetting } from "./sort.ts";

/** A query and what it runs on. */
export interface QuerySetting {
  readonly scope: StoreScope;
  readonly query: StoreQuery;
  readonly dialect: Dialect;
  /** What is known of the indexes of the type. */
  readonly indexes: IndexView;
}

/** The resources that a query is over. */
export function sourceOf({ scope, query }: QuerySetting): RowSource {
  return { tenant: scope.tenant, type: query.type };
}

/** An order, and what it runs on. */
export interface Order extends SortSetting {
  readonly sort: SortPlan;
}

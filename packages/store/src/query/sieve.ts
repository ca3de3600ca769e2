/**
 * What a scan tests and orders resources by beyond what the database can tell.
 * @module
 */
import { ownFilter, ownSort, type ResourceFilter, type StoreQuery } from "@scim/core";
import type { BoundFilter, SortPath } from "@scim/filter/evaluate";
import { filterSetting, type ScanPlan } from "./answer.ts";
import type { QuerySetting } from "./query-setting.ts";
import { compileFilter, type FilterSetting } from "./compile-filter.ts";
import { UNKNOWN } from "./predicate.ts";

/** What rows are tested by where the condition of the plan lets them through. */
export interface ScanTest {
  /** Null where there is nothing to test. */
  readonly filter: BoundFilter<null> | null;
  /** Whether what passes the condition and this test is what the query asks for. */
  readonly exact: boolean;
}

/** The test of a scan. */
export function scanTest(
  setting: QuerySetting,
  { predicate, serves }: Pick<ScanPlan, "predicate" | "serves">,
): ScanTest {
  const { filter } = setting.query;
  if (filter === null || predicate.exact) return { filter: null, exact: true };
  const own = ownFilter(filter);
  const isNeeded = own.filter.kind !== "constant" || !own.filter.value;
  const tells = predicate === UNKNOWN ? null : filterSetting(setting, serves);
  return {
    filter: isNeeded ? own.filter : null,
    exact: own.exact || conjuncts(filter).every((each) => isDecided(tells, each)),
  };
}

/** Where a scan finds what the query sorts by; null where it is not in the row, and without a sort. */
export function scanSort(sort: StoreQuery["sort"]): SortPath | null {
  return sort === null ? null : ownSort(sort);
}

function conjuncts(filter: ResourceFilter): readonly ResourceFilter[] {
  return filter.kind === "and" ? filter.operands.flatMap(conjuncts) : [filter];
}

/** Whether the row or, where it takes part, the database tells all of a filter. */
function isDecided(database: FilterSetting | null, filter: ResourceFilter): boolean {
  if (ownFilter(filter).exact) return true;
  return database !== null && compileFilter(database, filter).exact;
}

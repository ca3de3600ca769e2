/**
 * Answers a query, as far as an index serves it; else says how the resources are to be gone through.
 * @module
 */
import { attributesOf, type AttributeNode, type StorePage, type StoreQuery } from "@scim/core";
import { servedAttributes, type Serves, unready } from "../indexes/view.ts";
import type { Answer, Steps } from "../steps.ts";
import { compileFilter, type FilterSetting } from "./compile-filter.ts";
import { everything } from "./everything.ts";
import { narrowed, type Narrowed, type NarrowLookup, narrowLookup, sortsLong } from "./narrowed.ts";
import { constantPredicate, knownOutcome, type Predicate } from "./predicate.ts";
import { type QuerySetting, sourceOf } from "./query-setting.ts";
import { type SortPlan, sortPlan } from "./sort.ts";

/** The resources have to be gone through. */
export interface ScanPlan {
  readonly kind: "scan";
  readonly predicate: Predicate;
  /** A look-up that finds few enough to go through them alone. */
  readonly lookup: NarrowLookup | null;
  /** Whether a scan goes in the order of the query. */
  readonly isOrdered: boolean;
  /** The order of the query, or null where the database cannot give it. */
  readonly sort: SortPlan | null;
  /** Which attributes are found by index. */
  readonly serves: Serves;
  /** Which indexes are not ready yet, for operators; or nothing. */
  readonly unready: string;
}

/** Answers a query, or plans a scan; null where other requests would wait for the answer: it is to be read beside them. */
export function* answerQuery(setting: QuerySetting): Steps<StorePage | ScanPlan | null> {
  const plan = yield* planned(setting);
  if (plan.kind !== "narrowed") return plan;
  return sortsLong(plan) ? null : yield* narrowed(setting, plan);
}

/** The same where nobody waits for it. */
export function* answerBeside(setting: QuerySetting): Steps<StorePage | ScanPlan> {
  const plan = yield* planned(setting);
  return plan.kind === "narrowed" ? yield* narrowed(setting, plan) : plan;
}

function* planned(setting: QuerySetting): Steps<StorePage | ScanPlan | Narrowed> {
  const { query, indexes } = setting;
  const named = namedAttributes(query);
  const serves = yield* servedAttributes(sourceOf(setting), indexes, named);
  const predicate =
    query.filter === null
      ? constantPredicate(true)
      : compileFilter(filterSetting(setting, serves), query.filter);
  const sort = yield* indexedOrder(setting, sortPlan(query.sort, serves));
  const outcome = predicate.exact ? knownOutcome(predicate) : null;
  if (outcome === false)
    return { kind: "page", total: 0, more: false, resources: [], plan: "nothing matches" };
  if (outcome === true && sort !== null) return yield* everything(setting, sort);
  const lookup = yield* narrowLookup(predicate.lookup, conditionsOf(query));
  if (predicate.exact && sort !== null && lookup?.atOnce === true) {
    return { kind: "narrowed", sort, predicate, lookup };
  }
  const isOrdered = sort !== null && (query.page.kind === "keyset" || isById(sort));
  return { kind: "scan", predicate, lookup, isOrdered, sort, serves, unready: unready(indexes, named) };
}

/** What the filter of a query is compiled for. */
export function filterSetting({ scope, query, dialect }: QuerySetting, serves: Serves): FilterSetting {
  return { tenant: scope.tenant, type: query.type, dialect, inverses: query.select.inverses, serves };
}

/** How many conditions a query asks of a resource. */
export function conditionsOf({ filter }: StoreQuery): number {
  return filter === null ? 0 : attributesOf(filter).length;
}

/** The attributes that a query filters and sorts by. */
function namedAttributes({ filter, sort }: StoreQuery): readonly AttributeNode[] {
  const filtered = filter === null ? [] : attributesOf(filter);
  return sort === null ? filtered : [...filtered, sort.target.handle];
}

/** An order that the database gives; null where the index of its attribute is not in order. */
function* indexedOrder(
  { scope, query, dialect }: QuerySetting,
  sort: SortPlan | null,
): Steps<SortPlan | null> {
  if (sort?.kind !== "attribute") return sort;
  const cut = dialect.keys.cutKeys(scope.tenant, query.type, sort.path);
  if (cut === null) return sort;
  const { rows }: Answer = yield cut;
  return rows.length === 0 ? sort : null;
}

/** Whether an order is that of ids, in which a scan by number goes. */
function isById(sort: SortPlan): boolean {
  return sort.kind === "id" || (sort.kind === "column" && sort.holds === "ids" && !sort.descending);
}

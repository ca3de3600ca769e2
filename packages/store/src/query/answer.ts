/**
 * Answers a query, as far as an index serves it; else says how the resources are to be gone through.
 * @module
 */
import type { StorePage, StoreQuery, StoreScope } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { completeRows, readResources } from "../resources/read.ts";
import { liveResources, RESOURCE_COLUMNS } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, countOf, NO_ANSWER, type Steps } from "../steps.ts";
import { compileFilter } from "./compile-filter.ts";
import { constantPredicate, knownOutcome, type Lookup, type Predicate } from "./predicate.ts";
import { orderBy, type SortPlan, sortPlan } from "./sort.ts";
import { sortedIds } from "./sorted-page.ts";

/** Most ids that a look-up may find for the answer to be made in one statement. */
const NARROW = 10_000;

/** The resources have to be gone through. */
export interface ScanPlan {
  readonly kind: "scan";
  readonly predicate: Predicate;
  /** A look-up that finds few enough to go through them alone. */
  readonly lookup: Lookup | null;
  /** Whether the matches in order of id are the answer. */
  readonly exact: boolean;
}

/** A query and what it runs on. */
export interface QuerySetting {
  readonly scope: StoreScope;
  readonly query: StoreQuery;
  readonly dialect: Dialect;
}

/** Answers a query, or plans a scan. */
export function* answerQuery(setting: QuerySetting): Steps<StorePage | ScanPlan> {
  const { scope, query, dialect } = setting;
  const filterSetting = { tenant: scope.tenant, type: query.type, dialect, inverses: query.select.inverses };
  const predicate =
    query.filter === null ? constantPredicate(true) : compileFilter(filterSetting, query.filter);
  const sort = sortPlan(query.sort);
  const outcome = predicate.exact ? knownOutcome(predicate) : null;
  if (outcome === false) return { kind: "page", total: 0, resources: [], plan: "nothing matches" };
  if (outcome === true && sort !== null) return yield* everything(setting, sort);
  const lookup = yield* narrowLookup(predicate.lookup);
  if (predicate.exact && sort !== null && lookup !== null) {
    return yield* narrowed(setting, { sort, predicate, lookup });
  }
  const exact = predicate.exact && sort?.kind === "columns" && sort.byId;
  return { kind: "scan", predicate, lookup, exact };
}

/** A look-up that finds few enough, or null. */
function* narrowLookup(lookup: Lookup | null): Steps<Lookup | null> {
  if (lookup === null || lookup.size === "one") return lookup;
  const found = yield* readCount(sql`SELECT count(*) AS n FROM (${lookup.ids} LIMIT ${NARROW + 1}) found`);
  return found > NARROW ? null : lookup;
}

function* everything({ scope, query, dialect }: QuerySetting, sort: SortPlan): Steps<StorePage> {
  const source = { tenant: scope.tenant, type: query.type };
  const { offset, limit, select } = query;
  const total = yield* readCount(sql`SELECT coalesce(sum(n), 0) AS n FROM resource_counters
    WHERE tenant = ${source.tenant} AND type = ${source.type}`);
  if (limit === 0 || offset >= total) return { kind: "page", total, resources: [], plan: "counter" };
  if (sort.kind === "attribute") {
    const ids = yield* sortedIds(source, { ...sort, total }, { offset, limit });
    const resources = yield* readResources(source, { ids, select }, dialect);
    return { kind: "page", total, resources, plan: `index of ${sort.path}` };
  }
  const { rows } = yield sql`SELECT ${RESOURCE_COLUMNS} FROM ${liveResources(source.tenant, source.type)}
    ORDER BY ${sort.order} LIMIT ${limit} OFFSET ${offset}`;
  const resources = yield* completeRows(source, { rows, select }, dialect);
  return { kind: "page", total, resources, plan: "index" };
}

interface Narrowed {
  readonly sort: SortPlan;
  readonly predicate: Predicate;
  readonly lookup: Lookup;
}

function* narrowed(setting: QuerySetting, { sort, predicate, lookup }: Narrowed): Steps<StorePage> {
  const { query, dialect } = setting;
  const source = { tenant: setting.scope.tenant, type: query.type };
  const { offset, limit, select } = query;
  const matches = narrowMatches(setting, predicate, lookup);
  const { rows }: Answer =
    limit === 0
      ? NO_ANSWER
      : yield sql`SELECT ${RESOURCE_COLUMNS} FROM ${matches}
          ORDER BY ${orderBy(sort, source)} LIMIT ${limit} OFFSET ${offset}`;
  const resources = yield* completeRows(source, { rows, select }, dialect);
  const isLastPage = rows.length < limit && (offset === 0 || rows.length > 0);
  const total = isLastPage
    ? offset + rows.length
    : yield* readCount(sql`SELECT count(*) AS n FROM ${matches}`);
  return { kind: "page", total, resources, plan: `index of ${lookup.name}` };
}

/** The resources that a look-up finds and a condition lets through, as a table named `r` with its condition. */
export function narrowMatches({ scope, query }: QuerySetting, predicate: Predicate, lookup: Lookup): Sql {
  const found = sql`${liveResources(scope.tenant, query.type)} AND r.id IN (${lookup.ids})`;
  return lookup.complete ? found : sql`${found} AND ${predicate.test}`;
}

function* readCount(statement: Sql): Steps<number> {
  return countOf(yield statement, "n");
}

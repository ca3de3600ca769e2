/**
 * Answers a query, as far as an index serves it; else says how the resources are to be gone through.
 * @module
 */
import {
  attributesOf,
  type AttributeNode,
  type IndexPage,
  type KeysetPage,
  type StorePage,
  type StoreQuery,
  type StoreScope,
} from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { type IndexView, servedAttributes, type Serves, unready } from "../indexes/view.ts";
import { completeRows, readResources, type RowSource } from "../resources/read.ts";
import { liveResources, RESOURCE_COLUMNS } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, countOf, NO_ANSWER, type Row, type Steps, textOf } from "../steps.ts";
import { compileFilter, type FilterSetting } from "./compile-filter.ts";
import { liveCount } from "./live-count.ts";
import { constantPredicate, knownOutcome, type Lookup, type Predicate } from "./predicate.ts";
import {
  behind,
  orderBy,
  type RowPlace,
  rowPlace,
  type SortPlan,
  sortPlan,
  type SortSetting,
} from "./sort.ts";
import { sortedIds } from "./sorted-page.ts";
import { nextPlaces } from "./walk.ts";

/** Most ids that a look-up may find for the answer to be made in one statement. */
const NARROW = 10_000;

/** Ids that a look-up finds so fast that no other is worth trying. */
const FEW = 100;

/** Resources that a page by number passes over together with their rows; beyond, by index alone. */
const SHORT_WAY = 1000;

/** The resources have to be gone through. */
export interface ScanPlan {
  readonly kind: "scan";
  readonly predicate: Predicate;
  /** A look-up that finds few enough to go through them alone. */
  readonly lookup: Lookup | null;
  /** Whether a scan goes in the order of the query. */
  readonly isOrdered: boolean;
  /** The order of the query, or null where the database cannot give it. */
  readonly sort: SortPlan | null;
  /** Which attributes are found by index. */
  readonly serves: Serves;
  /** Which indexes are not ready yet, for operators; or nothing. */
  readonly unready: string;
}

/** A query and what it runs on. */
export interface QuerySetting {
  readonly scope: StoreScope;
  readonly query: StoreQuery;
  readonly dialect: Dialect;
  /** What is known of the indexes of the type. */
  readonly indexes: IndexView;
}

/** Answers a query, or plans a scan. */
export function* answerQuery(setting: QuerySetting): Steps<StorePage | ScanPlan> {
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
  const lookup = yield* narrowLookup(predicate.lookup);
  if (predicate.exact && sort !== null && lookup !== null) {
    return yield* narrowed(setting, { sort, predicate, lookup });
  }
  const isOrdered = sort !== null && (query.page.kind === "keyset" || isById(sort));
  return { kind: "scan", predicate, lookup, isOrdered, sort, serves, unready: unready(indexes, named) };
}

/** What the filter of a query is compiled for. */
export function filterSetting({ scope, query, dialect }: QuerySetting, serves: Serves): FilterSetting {
  return { tenant: scope.tenant, type: query.type, dialect, inverses: query.select.inverses, serves };
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

/** A look-up that finds few enough, or null. Of several, the first that finds very few, else that finds few. */
function* narrowLookup(lookup: Lookup | null): Steps<Lookup | null> {
  if (lookup === null || lookup.size === "one") return lookup;
  const { others = [] } = lookup;
  for (const most of others.length === 0 ? [NARROW] : [FEW, NARROW]) {
    for (const each of [lookup, ...others]) {
      const found = yield* readCount(sql`SELECT count(*) AS n FROM (${each.ids} LIMIT ${most + 1}) found`);
      if (found <= most) return each;
    }
  }
  return null;
}

function* everything(setting: QuerySetting, sort: SortPlan): Steps<StorePage> {
  const { query, dialect } = setting;
  const { page, select } = query;
  const source = sourceOf(setting);
  const total = yield* liveCount(source);
  const plan = sort.kind === "attribute" ? `index of ${sort.path}` : "index";
  if (page.kind === "keyset") {
    const { places, more } = yield* placesOfPage(setting, sort, page);
    const resources = yield* readResources(source, { ids: places.map(({ id }) => id), select }, dialect);
    return { kind: "page", total, more, resources, plan };
  }
  const { offset, limit } = page;
  if (limit === 0 || offset >= total) {
    return { kind: "page", total, more: false, resources: [], plan: "counter" };
  }
  if (sort.kind === "attribute") {
    const ids = yield* sortedIds(source, { ...sort, total, dialect }, { offset, limit });
    const resources = yield* readResources(source, { ids, select }, dialect);
    return { kind: "page", total, more: false, resources, plan };
  }
  if (offset > SHORT_WAY) {
    const ids = yield* farIds({ source, sort, dialect }, { offset, limit, total });
    const resources = yield* readResources(source, { ids, select }, dialect);
    return { kind: "page", total, more: false, resources, plan };
  }
  const { rows } = yield sql`SELECT ${RESOURCE_COLUMNS} FROM ${liveResources(source.tenant, source.type)}
    ORDER BY ${orderBy(sort, { source, dialect })} LIMIT ${limit} OFFSET ${offset}`;
  const resources = yield* completeRows(source, { rows, select }, dialect);
  return { kind: "page", total, more: false, resources, plan };
}

/** The ids of a page far from the beginning: reached by index, from the nearer end. */
function* farIds(
  { sort, ...setting }: Order,
  { offset, limit, total }: { readonly offset: number; readonly limit: number; readonly total: number },
): Steps<readonly string[]> {
  const { tenant, type } = setting.source;
  const length = Math.min(limit, total - offset);
  const fromEnd = total - offset - length;
  const backward = fromEnd < offset;
  const { rows } = yield sql`SELECT r.id FROM ${liveResources(tenant, type)}
    ORDER BY ${orderBy(sort, setting, backward)} LIMIT ${length} OFFSET ${backward ? fromEnd : offset}`;
  const ids = rows.map((row) => textOf(row, "id"));
  return backward ? ids.toReversed() : ids;
}

/** The places of a keyset page, in the order of the query. */
function* placesOfPage(
  setting: QuerySetting,
  sort: SortPlan,
  { from, direction, limit }: KeysetPage,
): Steps<{ readonly places: readonly RowPlace[]; readonly more: boolean }> {
  const backward = direction === "backward";
  const start = from === null ? null : rowPlace(sort, from);
  const { dialect } = setting;
  const step = { from: start, backward, limit: limit + 1, dialect };
  const next = yield* nextPlaces(sourceOf(setting), sort, step);
  const places = next.slice(0, limit);
  return { places: backward ? places.toReversed() : places, more: next.length > limit };
}

interface Narrowed {
  readonly sort: SortPlan;
  readonly predicate: Predicate;
  readonly lookup: Lookup;
}

function* narrowed(setting: QuerySetting, { sort, predicate, lookup }: Narrowed): Steps<StorePage> {
  const { query, dialect } = setting;
  const source = sourceOf(setting);
  const matches = narrowMatches(setting, predicate, lookup);
  const { rows, total, more } = yield* query.page.kind === "keyset"
    ? rowsFromPlace(matches, { source, sort, dialect }, query.page)
    : rowsByNumber(matches, { source, sort, dialect }, query.page);
  const resources = yield* completeRows(source, { rows, select: query.select }, dialect);
  return { kind: "page", total, more, resources, plan: `index of ${lookup.name}` };
}

interface Order extends SortSetting {
  readonly sort: SortPlan;
}

interface NarrowedRows {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly more: boolean;
}

function* rowsByNumber(
  matches: Sql,
  { sort, ...setting }: Order,
  { offset, limit }: IndexPage,
): Steps<NarrowedRows> {
  const { rows }: Answer =
    limit === 0
      ? NO_ANSWER
      : yield sql`SELECT ${RESOURCE_COLUMNS} FROM ${matches}
          ORDER BY ${orderBy(sort, setting)} LIMIT ${limit} OFFSET ${offset}`;
  const isLastPage = rows.length < limit && (offset === 0 || rows.length > 0);
  const total = isLastPage ? offset + rows.length : yield* countMatches(matches);
  return { rows, total, more: false };
}

function* rowsFromPlace(matches: Sql, order: Order, page: KeysetPage): Steps<NarrowedRows> {
  const { rows } = yield sql`SELECT ${RESOURCE_COLUMNS} FROM ${fromPlace(matches, order, page)}
    LIMIT ${page.limit + 1}`;
  const more = rows.length > page.limit;
  const nearest = rows.slice(0, page.limit);
  const total = page.from === null && !more ? rows.length : yield* countMatches(matches);
  return { rows: page.direction === "backward" ? nearest.toReversed() : nearest, total, more };
}

/** What a look-up finds behind a place, in the direction of a page. */
export function fromPlace(matches: Sql, { sort, ...setting }: Order, { from, direction }: KeysetPage): Sql {
  const backward = direction === "backward";
  const order = orderBy(sort, setting, backward);
  if (from === null) return sql`${matches} ORDER BY ${order}`;
  return sql`${matches} AND ${behind(sort, setting, { place: rowPlace(sort, from), backward })} ORDER BY ${order}`;
}

function countMatches(matches: Sql): Steps<number> {
  return readCount(sql`SELECT count(*) AS n FROM ${matches}`);
}

function sourceOf({ scope, query }: QuerySetting): RowSource {
  return { tenant: scope.tenant, type: query.type };
}

/** The resources that a look-up finds and a condition lets through, as a table named `r` with its condition. */
export function narrowMatches(
  { scope, query, dialect }: QuerySetting,
  predicate: Predicate,
  lookup: Lookup,
): Sql {
  const found = sql`${liveResources(scope.tenant, query.type)} AND ${dialect.among(sql`r.id`, lookup.ids)}`;
  return lookup.complete ? found : sql`${found} AND ${predicate.test}`;
}

function* readCount(statement: Sql): Steps<number> {
  return countOf(yield statement, "n");
}

/**
 * Pages of the few resources that a look-up finds.
 * @module
 */
import type { IndexPage, KeysetPage, StorePage } from "@scim/core";
import { completeRows } from "../resources/read.ts";
import { liveResources, RESOURCE_COLUMNS } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, countOf, NO_ANSWER, type Row, type Steps } from "../steps.ts";
import type { Lookup, Predicate } from "./predicate.ts";
import { type Order, type QuerySetting, sourceOf } from "./query-setting.ts";
import { behind, orderBy, rowPlace, type SortPlan } from "./sort.ts";

/** Most ids that a look-up may find for the answer to be made in one statement. */
const NARROW = 10_000;

/** Ids that a look-up finds so fast that no other is worth trying. */
const FEW = 100;

/** A look-up that finds few enough, or null. Of several, the first that finds very few, else that finds few. */
export function* narrowLookup(lookup: Lookup | null): Steps<Lookup | null> {
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

interface Narrowed {
  readonly sort: SortPlan;
  readonly predicate: Predicate;
  readonly lookup: Lookup;
}

/** Answers a query by what a look-up finds. */
export function* narrowed(setting: QuerySetting, { sort, predicate, lookup }: Narrowed): Steps<StorePage> {
  const { query, dialect } = setting;
  const source = sourceOf(setting);
  const matches = narrowMatches(setting, predicate, lookup);
  const { rows, total, more } = yield* query.page.kind === "keyset"
    ? rowsFromPlace(matches, { source, sort, dialect }, query.page)
    : rowsByNumber(matches, { source, sort, dialect }, query.page);
  const resources = yield* completeRows(source, { rows, select: query.select }, dialect);
  return { kind: "page", total, more, resources, plan: `index of ${lookup.name}` };
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

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

/** Most ids that a look-up may find to be worth more than going through all resources. */
const NARROW = 10_000;

/** Ids that a look-up finds so fast that no other is worth trying. */
const FEW = 100;

/** Ids that are counted for all look-ups of a query together: a millisecond or two. */
const MOST_COUNTED = 30_000;

/** Ids that take as long to count as it takes to begin. */
const BEGINNING = 100;

/** Conditions, each asked of one resource, that are asked in one statement between requests: some milliseconds. */
export const MOST_ASKED = 5000;

/** Resources that are put in the order of an attribute in one statement between requests: each looks its key up. */
const MOST_SORTED = 2500;

/** A look-up that finds few enough. */
export interface NarrowLookup extends Lookup {
  /** How many it finds, some more than once. */
  readonly found: number;
  /** Whether what it finds is told by one statement between requests; else it is gone through beside them. */
  readonly atOnce: boolean;
}

/**
 * A look-up that finds few enough, or null. Of several, the first that finds very few, else that finds few.
 * @param conditions how many are asked of what it finds
 */
export function* narrowLookup(lookup: Lookup | null, conditions: number): Steps<NarrowLookup | null> {
  if (lookup === null) return null;
  if (lookup.size === "one") return { ...lookup, found: 1, atOnce: true };
  const { others = [] } = lookup;
  let left = MOST_COUNTED;
  for (const most of others.length === 0 ? [NARROW] : [FEW, NARROW]) {
    for (const each of [lookup, ...others]) {
      const bound = Math.min(most, left);
      const found = yield* readCount(
        sql`SELECT count(*) AS n FROM (${each.entries ?? each.ids} LIMIT ${bound + 1}) found`,
      );
      if (found <= bound)
        return { ...each, found, atOnce: each.complete || found * conditions <= MOST_ASKED };
      left -= found + BEGINNING;
      if (left <= 0) return null;
    }
  }
  return null;
}

/** A query that is answered by what a look-up finds. */
export interface Narrowed {
  readonly kind: "narrowed";
  readonly sort: SortPlan;
  readonly predicate: Predicate;
  readonly lookup: NarrowLookup;
}

/** Whether so many are to be put in order that other requests would wait for it. */
export function sortsLong({ sort, lookup }: Narrowed): boolean {
  return sort.kind === "attribute" && lookup.found > MOST_SORTED;
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
export function narrowMatches(setting: QuerySetting, predicate: Predicate, lookup: Lookup): Sql {
  const found = foundBy(setting, lookup);
  return lookup.complete ? found : sql`${found} AND ${predicate.test}`;
}

/** The resources that a look-up finds, without one all of the type, as a table named `r` with its condition. */
export function foundBy({ scope, query, dialect }: QuerySetting, lookup: Lookup | null): Sql {
  const live = liveResources(scope.tenant, query.type);
  return lookup === null ? live : sql`${live} AND ${dialect.among(sql`r.id`, lookup.ids)}`;
}

function* readCount(statement: Sql): Steps<number> {
  return countOf(yield statement, "n");
}

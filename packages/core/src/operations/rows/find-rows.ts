/**
 * Finds pages of rows: by index where the filter names an end, else on a stream of windows.
 * @module
 */
import { compileFilter } from "@scim/filter";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { pause } from "../../pause.ts";
import type { ReferenceRow, ReferenceRowQuery, RowPlace } from "../../store/reference-rows.ts";
import { referencesAtOnce } from "../../store/capabilities.ts";
import { scopeOf } from "../../store/scope.ts";
import { rowView, type RowModel } from "./represent-row.ts";
import type { RowFilter } from "./row-filter.ts";

/** What is looked for. */
export interface RowSearch {
  readonly rows: RowModel;
  readonly filter: RowFilter;
  /** Whether the last row comes first. */
  readonly descending: boolean;
}

/** Rows of a page by number. */
export interface NumberedRows {
  readonly total: number;
  readonly found: readonly ReferenceRow[];
}

/** Rows of a page next to a place, in the order of the search. */
export interface AdjacentRows {
  /** How many rows there are, where the page holds them all; null where counting would mean going through them. */
  readonly total: number | null;
  readonly found: readonly ReferenceRow[];
  /** Whether more come behind the page in its direction. */
  readonly more: boolean;
}

/** Rows that one step of a stream looks at. */
const WINDOW = 500;

/** Windows that are looked at before others have their turn. */
const BETWEEN_TURNS = 4;

/** Finds a page by number, and counts. */
export async function findByNumber(
  environment: Environment,
  context: RequestContext,
  search: RowSearch & { readonly offset: number; readonly limit: number },
): Promise<NumberedRows> {
  if (search.filter.rest !== null) return findOnStream(environment, context, search);
  const { store } = environment;
  const scope = scopeOf(context);
  const { offset, limit } = search;
  const query = { ...queryOf(search), offset, limit };
  const found = await store.referenceRows(scope, query);
  const isLastPage = found.length < limit && (offset === 0 || found.length > 0);
  const total = isLastPage ? offset + found.length : await store.countReferenceRows(scope, query);
  return { total, found };
}

/** Goes through the rows, and keeps no more of them than a window and the page. */
async function findOnStream(
  environment: Environment,
  context: RequestContext,
  search: RowSearch & { readonly offset: number; readonly limit: number },
): Promise<NumberedRows> {
  const { offset, limit } = search;
  const found: ReferenceRow[] = [];
  let total = 0;
  for await (const row of matches(environment, context, { search, after: null, window: WINDOW })) {
    if (total >= offset && total < offset + limit) found.push(row);
    total += 1;
  }
  return { total, found };
}

/** Finds a page next to a place. */
export async function findByPlace(
  environment: Environment,
  context: RequestContext,
  page: RowSearch & {
    readonly direction: "forward" | "backward";
    readonly from: RowPlace | null;
    readonly limit: number;
  },
): Promise<AdjacentRows> {
  const { from, limit } = page;
  const backward = page.direction === "backward";
  const search: RowSearch = { ...page, descending: page.descending !== backward };
  // One row more than the page tells whether there is another page.
  const wanted = limit + 1;
  const window = search.filter.rest === null ? wanted : WINDOW;
  const found: ReferenceRow[] = [];
  for await (const row of matches(environment, context, { search, after: from, window })) {
    if (found.push(row) === wanted) break;
  }
  const more = found.length === wanted;
  const shown = found.slice(0, limit);
  return {
    total: from === null && !more ? shown.length : null,
    found: backward ? shown.toReversed() : shown,
    more,
  };
}

/** The rows behind a place that pass the whole filter, in order; read so many at a time. */
async function* matches(
  environment: Environment,
  context: RequestContext,
  stream: { readonly search: RowSearch; readonly after: RowPlace | null; readonly window: number },
): AsyncGenerator<ReferenceRow, void, undefined> {
  const { search, window } = stream;
  const { rows, filter } = search;
  const passes = filter.rest === null ? () => true : compileFilter(filter.rest);
  const query = { ...queryOf(search), limit: limitOf(environment, search, window) };
  let { after } = stream;
  let looked = 0;
  for (;;) {
    context.signal?.throwIfAborted();
    const seen = await environment.store.referenceRows(scopeOf(context), { ...query, after });
    for (const row of seen) {
      if (passes(rowView(environment, context, { row, rows }))) yield row;
      looked += 1;
      if (looked % (BETWEEN_TURNS * WINDOW) === 0) await pause(context);
    }
    const last = seen.at(-1);
    if (last === undefined || seen.length < query.limit) return;
    after = last;
  }
}

/**
 * What is looked through of one owner may all cost what some of it does; rows of all owners are too many to be held, and of
 * a page without more to compare no others are needed.
 */
function limitOf({ store }: Environment, { rows, filter }: RowSearch, window: number): number {
  if (filter.owner === null || filter.rest === null) return window;
  return referencesAtOnce(store, rows.source.type, window);
}

function queryOf({ rows: { source }, filter, descending }: RowSearch): ReferenceRowQuery {
  const { type, path, displayKey } = source;
  const { owner, value } = filter;
  return { type, path, displayKey, owner, value, descending, after: null, offset: 0, limit: 0 };
}

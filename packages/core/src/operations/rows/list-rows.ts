/**
 * Queries rows.
 * @module
 */
import { compileFilter } from "@scim/filter";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { selectAttributes } from "../../projection/selection.ts";
import { readFilter } from "../../query/filter.ts";
import type { ListAnswer, ListRequest } from "../../service.ts";
import type { ReferenceRow, ReferenceRowQuery } from "../../store/reference-rows.ts";
import { scopeOf } from "../answer.ts";
import { rowAnswer, rowView, type RowModel } from "./represent-row.ts";
import { readRowFilter, type RowFilter } from "./row-filter.ts";
import { readRowOrder } from "./row-order.ts";

/** Rows that one step of a search looks at. */
const WINDOW = 500;

/** Answers a page of rows. */
export async function listRows(
  environment: Environment,
  context: RequestContext,
  { rows, request }: { readonly rows: RowModel; readonly request: ListRequest },
): Promise<ListAnswer> {
  const { model, source } = rows;
  const selection = selectAttributes(model, request, context);
  const bound =
    request.filter === null ? null : readFilter(environment, { model, text: request.filter }, context);
  const filter = readRowFilter(source, bound);
  const startIndex = Math.max(1, request.startIndex ?? 1);
  const { pageSize, maxResults } = environment.limits;
  const query: ReferenceRowQuery = {
    type: source.type,
    path: source.path,
    owner: filter.owner,
    value: filter.value,
    displayKey: source.displayKey,
    descending: readRowOrder(rows, { request, filter }, context),
    after: null,
    offset: startIndex - 1,
    limit: Math.min(Math.max(0, request.count ?? pageSize), maxResults),
  };
  const page = await findPage(environment, context, { rows, filter, query });
  return {
    kind: "list",
    totalResults: page.total,
    startIndex,
    resources: page.found.map((row) => rowAnswer(environment, context, { row, rows, selection }).resource),
    nextCursor: null,
    previousCursor: null,
    filterPlan: planOf(rows, filter),
  };
}

interface Search {
  readonly rows: RowModel;
  readonly filter: RowFilter;
  readonly query: ReferenceRowQuery;
}

interface Page {
  readonly total: number;
  readonly found: readonly ReferenceRow[];
}

async function findPage(environment: Environment, context: RequestContext, search: Search): Promise<Page> {
  if (search.filter.rest !== null) return searchPage(environment, context, search);
  const { store } = environment;
  const scope = scopeOf(context);
  const { offset, limit } = search.query;
  const found = await store.referenceRows(scope, search.query);
  const isLastPage = found.length < limit && (offset === 0 || found.length > 0);
  const total = isLastPage ? offset + found.length : await store.countReferenceRows(scope, search.query);
  return { total, found };
}

/** Goes through the rows, and keeps no more of them than a window and the page. */
async function searchPage(environment: Environment, context: RequestContext, search: Search): Promise<Page> {
  const { offset, limit } = search.query;
  const found: ReferenceRow[] = [];
  let total = 0;
  for await (const row of matches(environment, context, search)) {
    if (total >= offset && total < offset + limit) found.push(row);
    total += 1;
  }
  return { total, found };
}

/** The rows behind a place that pass the whole filter, in order. */
async function* matches(
  environment: Environment,
  context: RequestContext,
  { rows, filter, query }: Search,
): AsyncGenerator<ReferenceRow, void, undefined> {
  const passes = filter.rest === null ? () => true : compileFilter(filter.rest);
  let { after } = query;
  for (;;) {
    context.signal?.throwIfAborted();
    const window = { ...query, after, offset: 0, limit: WINDOW };
    const seen = await environment.store.referenceRows(scopeOf(context), window);
    for (const row of seen) if (passes(rowView(environment, context, { row, rows }))) yield row;
    const last = seen.at(-1);
    if (last === undefined || seen.length < WINDOW) return;
    after = last;
  }
}

/** How a filter was served that the store did not serve alone. */
function planOf({ source }: RowModel, { owner, value, rest }: RowFilter): string | null {
  if (rest === null) return null;
  return `${owner === null && value === null ? "scan" : "index"} of ${source.path}, then a filter`;
}

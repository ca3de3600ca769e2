/**
 * Queries rows (RFC 7644 §3.4.2, RFC 9865): of a million in one collection, any page costs what the first costs.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { ListPlace } from "../../query/paging/cursor.ts";
import { readPage } from "../../query/paging/requested-page.ts";
import { bindTypeQuery, type TypeQuery } from "../../query/one-type/type-query.ts";
import type { ListAnswer } from "../../answers.ts";
import type { ListRequest } from "../../requests.ts";
import type { ReferenceRow, RowPlace } from "../../store/reference-rows.ts";
import { findByNumber, findByPlace, type RowSearch } from "./find-rows.ts";
import { rowAnswer, type RowModel } from "./represent-row.ts";
import { readRowFilter, type RowFilter } from "./row-filter.ts";
import { isRowOrderDescending } from "./row-order.ts";

/** Answers a page of rows. */
export async function listRows(
  environment: Environment,
  context: RequestContext,
  { rows, request }: { readonly rows: RowModel; readonly request: ListRequest },
): Promise<ListAnswer> {
  const { model, source } = rows;
  const query = bindTypeQuery(environment, { model, request, among: "one" }, context);
  const filter = readRowFilter(source, query.filter);
  const descending = isRowOrderDescending(rows, query.sort, filter);
  const search: RowSearch = { rows, filter, descending };
  const page = readPage(environment, { request, types: [model.name] }, context);
  const { limit } = page;
  const show = showing(environment, context, { rows, query, filter });
  if (page.kind === "index") {
    const { startIndex } = page;
    const number = { offset: startIndex - 1, limit };
    const { total, found } = await findByNumber(environment, context, { ...search, ...number });
    return { ...show(found), totalResults: total, startIndex };
  }
  if (limit === 0) {
    const { total } = await findByNumber(environment, context, { ...search, offset: 0, limit });
    return { ...show([]), totalResults: total };
  }
  const { direction, from } = page.keyset;
  const keyset = { direction, from: from === null ? null : rowPlace(from), limit };
  const { total, found, more } = await findByPlace(environment, context, { ...search, ...keyset });
  const places = found.map((row) => listPlace(model.name, row));
  return { ...show(found), totalResults: total, ...page.beside({ more, places }) };
}

/** Makes answers of rows, without what paging adds. */
function showing(
  environment: Environment,
  context: RequestContext,
  { rows, query, filter }: { readonly rows: RowModel; readonly query: TypeQuery; readonly filter: RowFilter },
): (found: readonly ReferenceRow[]) => ListAnswer {
  const { selection } = query;
  return (found) => ({
    kind: "list",
    totalResults: null,
    startIndex: null,
    resources: found.map((row) => rowAnswer(environment, context, { row, rows, selection }).resource),
    nextCursor: null,
    previousCursor: null,
    filterPlan: planOf(rows, filter),
  });
}

/** A cursor holds the owner as the id, and the position as the key. */
function listPlace(type: string, { owner, position, value }: RowPlace): ListPlace {
  return { type, id: owner, key: position, value };
}

function rowPlace({ id, key, value }: ListPlace): RowPlace {
  return { owner: id, position: Number(key), value };
}

/** How a filter was served that the store did not serve alone. */
function planOf({ source }: RowModel, { owner, value, rest }: RowFilter): string | null {
  if (rest === null) return null;
  return `${owner === null && value === null ? "scan" : "index"} of ${source.path}, then a filter`;
}

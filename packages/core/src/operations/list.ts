/**
 * Queries the resources of one type, or of all types (RFC 7644 §3.4.2, RFC 9865).
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { bindList } from "../query/list/bind-list.ts";
import { findByIndex, findByPlace, type FoundList } from "../query/list/find-list.ts";
import type { ListQuery } from "../query/list/merge-places.ts";
import { readPage } from "../query/paging/requested-page.ts";
import type { ListAnswer, ListRequest } from "../service.ts";
import { answerWith } from "./answer.ts";
import { listRows } from "./rows/list-rows.ts";

/** Answers a page of resources. */
export async function listResources(
  environment: Environment,
  context: RequestContext,
  request: ListRequest,
): Promise<ListAnswer> {
  const model = request.type === null ? null : environment.catalog.model(request.type);
  if (model !== null && model.rows !== null) {
    return listRows(environment, context, { rows: { model, source: model.rows }, request });
  }
  const { list, types } = bindList(environment, request, context);
  const page = readPage(environment, { request, types }, context);
  const { limit } = page;
  if (page.kind === "index") {
    const { startIndex } = page;
    const numbered = { kind: "index", offset: startIndex - 1, limit } as const;
    const found = await findByIndex(environment, { list, page: numbered }, context);
    return answerOf(environment, found, { context, startIndex });
  }
  if (limit === 0) return answerOf(environment, await countOf(environment, list, context), { context });
  const found = await findByPlace(environment, { list, page: { ...page.keyset, limit } }, context);
  return { ...answerOf(environment, found, { context }), ...page.beside(found) };
}

/** A count of 0 asks for the number of resources alone (R9865-2-02). */
function countOf(environment: Environment, list: ListQuery, context: RequestContext): Promise<FoundList> {
  return findByIndex(environment, { list, page: { kind: "index", offset: 0, limit: 0 } }, context);
}

function answerOf(
  environment: Environment,
  { total, resources, filterPlan }: FoundList,
  { context, startIndex = null }: { readonly context: RequestContext; readonly startIndex?: number | null },
): ListAnswer {
  return {
    kind: "list",
    totalResults: total,
    startIndex,
    resources: resources.map(
      ({ query: { model, selection }, stored }) =>
        answerWith(environment, { model, selection, stored }, context).resource,
    ),
    nextCursor: null,
    previousCursor: null,
    filterPlan,
  };
}

/**
 * Queries the resources of one type, or of all types (RFC 7644 §3.4.2, RFC 9865).
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { bindList } from "../query/bind-list.ts";
import { createCursors, type Cursors, type ListKeyset } from "../query/cursor.ts";
import { findByIndex, findByPlace, type FoundList } from "../query/find-list.ts";
import type { ListQuery } from "../query/merge.ts";
import { readPaging } from "../query/page-parameters.ts";
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
  const paging = readPaging(environment, request, context);
  const { limit } = paging;
  if (paging.kind === "index") {
    const { startIndex } = paging;
    const page = { kind: "index", offset: startIndex - 1, limit } as const;
    return answerOf(environment, await findByIndex(environment, { list, page }, context), {
      context,
      startIndex,
    });
  }
  const cursors = createCursors(environment, { request, types, limit, seal: paging.seal }, context);
  const keyset = paging.text === "" ? BEGINNING : cursors.read(paging.text);
  if (limit === 0) return answerOf(environment, await countOf(environment, list, context), { context });
  const page = { ...keyset, limit };
  const found = await findByPlace(environment, { list, page }, context);
  return { ...answerOf(environment, found, { context }), ...neighbours(found, keyset, cursors) };
}

const BEGINNING: ListKeyset = { direction: "forward", from: null };

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

/**
 * The cursors of the pages beside a page. Where it is empty, all resources stand before the place that it begins
 * behind, or behind the one that it ends before: then the page beside it is the last, or the first.
 */
function neighbours(
  { more, places }: FoundList,
  { direction, from }: ListKeyset,
  cursors: Cursors,
): Pick<ListAnswer, "nextCursor" | "previousCursor"> {
  const forward = direction === "forward";
  const hasNext = forward ? more : from !== null;
  const hasPrevious = forward ? from !== null : more;
  return {
    nextCursor: hasNext ? cursors.write({ direction: "forward", from: places.at(-1) ?? null }) : null,
    previousCursor: hasPrevious ? cursors.write({ direction: "backward", from: places[0] ?? null }) : null,
  };
}

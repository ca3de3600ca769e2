/**
 * Queries the resources of one type, or of all types (RFC 7644 §3.4.2, RFC 9865).
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { bindList } from "../query/list/bind-list.ts";
import { findByIndex, findByPlace, type FoundList, type FoundResource } from "../query/list/find-list.ts";
import type { ListQuery } from "../query/list/merge-places.ts";
import { readPage } from "../query/paging/requested-page.ts";
import { withTimeLimit } from "../query/time-limit.ts";
import { isWhole } from "../projection/bounded-selection.ts";
import type { ListAnswer } from "../answers.ts";
import type { ListRequest } from "../requests.ts";
import { answerWith } from "./answer.ts";
import { answerLong } from "./long-collections.ts";
import { listRows } from "./rows/list-rows.ts";

/**
 * Answers a page of resources.
 * @throws ScimError `tooMany` where going through the resources takes longer than `queryTimeout`
 */
export function listResources(
  environment: Environment,
  context: RequestContext,
  request: ListRequest,
): Promise<ListAnswer> {
  return withTimeLimit(context, environment.limits.queryTimeout, (limited) =>
    findAndAnswer(environment, limited, request),
  );
}

async function findAndAnswer(
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
    return { ...(await answerOf(environment, found, context)), startIndex };
  }
  if (limit === 0) return answerOf(environment, await countOf(environment, list, context), context);
  const found = await findByPlace(environment, { list, page: { ...page.keyset, limit } }, context);
  return { ...(await answerOf(environment, found, context)), ...page.beside(found) };
}

/** A count of 0 asks for the number of resources alone (R9865-2-02). */
function countOf(environment: Environment, list: ListQuery, context: RequestContext): Promise<FoundList> {
  return findByIndex(environment, { list, page: { kind: "index", offset: 0, limit: 0 } }, context);
}

async function answerOf(
  environment: Environment,
  { total, resources, filterPlan }: FoundList,
  context: RequestContext,
): Promise<ListAnswer> {
  return {
    kind: "list",
    totalResults: total,
    startIndex: null,
    ...(await represented(environment, resources, context)),
    nextCursor: null,
    previousCursor: null,
    filterPlan,
  };
}

async function represented(
  environment: Environment,
  resources: readonly FoundResource[],
  context: RequestContext,
): Promise<Pick<ListAnswer, "resources" | "stream">> {
  if (resources.every(({ query, stored }) => isWhole(stored, query.shown))) {
    const answers = resources.map(({ query: { model, selection }, stored }) =>
      answerWith(environment, { model, selection, stored }, context),
    );
    return { resources: answers.map(({ resource }) => resource) };
  }
  const page = resources.map(({ query: { model, selection, shown }, stored }) => ({
    model,
    selection,
    select: shown,
    id: stored.id,
  }));
  const { answers, stream } = await answerLong(environment, context, page);
  return { resources: answers.map(({ resource }) => resource), stream };
}

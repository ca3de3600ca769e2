/**
 * Asks a handler for the resources of a query, and takes as much of the answer as the handler did.
 * @module
 */
import { compareKeys } from "@scim/filter";
import { FIRST_ID, LAST_ID } from "../store/edge-ids.ts";
import { queryReads } from "../store/query-reads.ts";
import type { ReadSelection, StoreCandidates, StorePage, StoreQuery, StoreScope } from "../store/port.ts";
import type { StoredResource } from "../store/stored-resource.ts";
import type { HandledState } from "./handled-state.ts";
import { askList, inOrderOfId, listed, outOfOrder, type AskedList } from "./handler-list.ts";
import { withCollections } from "./handler-reads.ts";
import { isId, type HandlerType } from "./handler-type.ts";
import { plainFilter } from "./plain-filter.ts";
import type { HandlerPage, HandlerQuery } from "./resource-handler.ts";

/** A query, and what candidates come with. */
export interface HandledQuery extends StoreQuery {
  /** Default: what filter and sort key read. */
  readonly reads?: ReadSelection;
}

/** Answers a query. */
export async function queryHandler(
  type: HandlerType,
  scope: StoreScope,
  query: HandledQuery,
): Promise<StorePage | StoreCandidates> {
  const filter = query.filter === null ? true : plainFilter(query.filter);
  if (filter === false) return pageOf([], { total: 0, more: false, plan: "no resource" });
  if (isBehindAll(query)) return pageOf([], { total: null, more: false, plan: "no resource" });
  const page = handlerPage(type, query);
  const asked: HandlerQuery = {
    filter: filter === true ? null : filter,
    sort: query.sort === null ? null : { path: query.sort.target.path, descending: query.sort.descending },
    page,
  };
  const answered = await askList(type, scope, asked);
  const { list } = answered;
  if (list.served === "all" && page !== null) return wholePage(type, scope, { query, answered, page });
  const plan = asked.filter === null && query.sort === null ? "handler" : "handler's candidates";
  if (list.order !== "id" || page === null || "offset" in page)
    return { kind: "candidates", order: "id", batches: candidates(type, scope, { answered, query }), plan };
  // Sent in order of id, they need not be read behind the page.
  const batches = candidates(type, scope, { answered, query, after: page.after });
  return { kind: "candidates", order: "query", batches, plan };
}

/** Whether a list of several types has passed all resources of this one. */
function isBehindAll({ sort, page }: StoreQuery): boolean {
  return page.kind === "keyset" && sort === null && page.direction === "forward" && page.from?.id === LAST_ID;
}

/**
 * What can be told of a page without the keys of a sort. A page behind a place asks for one more than it holds. An id that
 * is none of the handler's, its database might choke on: such a place the service finds.
 */
function handlerPage(type: HandlerType, { sort, page }: StoreQuery): HandlerPage | null {
  if (page.kind === "index") return { offset: page.offset, limit: page.limit };
  if (sort !== null || page.direction === "backward") return null;
  const after = page.from?.id ?? FIRST_ID;
  if (after === FIRST_ID) return { after: null, limit: page.limit + 1 };
  return isId(type, after) ? { after, limit: page.limit + 1 } : null;
}

interface ListedQuery {
  readonly answered: AskedList;
  readonly query: HandledQuery;
  /** The id that the candidates stand behind. */
  readonly after?: string | null;
}

async function* candidates(
  type: HandlerType,
  scope: StoreScope,
  { answered, query, after = null }: ListedQuery,
): AsyncGenerator<readonly StoredResource[], void, undefined> {
  const select = query.reads ?? queryReads(query);
  for await (const batch of inOrderOfId(type, scope, answered)) {
    const states = after === null ? batch : batch.filter(({ id }) => compareKeys(id, after) > 0);
    if (states.length > 0) yield await withCollections(type, scope, { states, select });
  }
}

interface ServedPage {
  readonly query: StoreQuery;
  readonly answered: AskedList;
  readonly page: HandlerPage;
}

async function wholePage(
  type: HandlerType,
  scope: StoreScope,
  { query, answered, page }: ServedPage,
): Promise<StorePage> {
  const states: HandledState[] = [];
  const ids = new Set<string>();
  for await (const state of listed(type, scope, answered)) {
    if (ids.has(state.id)) throw outOfOrder(type, true);
    ids.add(state.id);
    states.push(state);
    if (states.length > page.limit)
      throw new TypeError(`The handler of ${type.model.name} listed more than its page`);
  }
  const total = answered.list.total ?? null;
  if ("offset" in page) {
    if (total === null)
      throw new TypeError(`The handler of ${type.model.name} served a page without its total`);
    const resources = await withCollections(type, scope, { states, select: query.select });
    // What came between counting and reading is there too.
    const atLeast = states.length === 0 ? 0 : page.offset + states.length;
    return pageOf(resources, { total: Math.max(total, atLeast), more: false, plan: "handler" });
  }
  checkOrder(type, states, page.after);
  const shown = states.slice(0, page.limit - 1);
  const resources = await withCollections(type, scope, { states: shown, select: query.select });
  return pageOf(resources, { total, more: states.length === page.limit, plan: "handler" });
}

function checkOrder(type: HandlerType, states: readonly HandledState[], after: string | null): void {
  let last = after;
  for (const { id } of states) {
    if (last !== null && compareKeys(id, last) <= 0) throw outOfOrder(type, id === last);
    last = id;
  }
}

function pageOf(
  resources: readonly StoredResource[],
  rest: Pick<StorePage, "total" | "more" | "plan">,
): StorePage {
  return { kind: "page", resources, ...rest };
}

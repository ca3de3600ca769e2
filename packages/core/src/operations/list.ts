/**
 * Queries the resources of one type (RFC 7644 §3.4.2).
 * @module
 */
import { compileFilter } from "@scim/filter";
import { ScimError } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { inverseSelections, readSelection, type InverseReach } from "../projection/represent.ts";
import { selectAttributes, type Selection } from "../projection/selection.ts";
import { readFilter } from "../query/filter.ts";
import { compareOrdered, readSort, sortKey, type Ordered } from "../query/sort.ts";
import { viewOf } from "../query/view.ts";
import type { ListAnswer, ListRequest } from "../service.ts";
import type { ReadSelection, StoreCandidates, StoredResource, StoreQuery } from "../store/port.ts";
import { queryReads } from "../store/query-reads.ts";
import { answerWith, scopeOf } from "./answer.ts";
import { listRows } from "./rows/list-rows.ts";

/** A page and how it came about. */
interface Page {
  readonly total: number;
  readonly resources: readonly StoredResource[];
  readonly filterPlan: string | null;
}

/** Answers a page of resources. */
export async function listResources(
  environment: Environment,
  context: RequestContext,
  request: ListRequest,
): Promise<ListAnswer> {
  if (request.type === null) throw new ScimError("notFound", "There is nothing at this address.");
  const model = environment.catalog.model(request.type);
  if (model.rows !== null)
    return listRows(environment, context, { rows: { model, source: model.rows }, request });
  const selection = selectAttributes(model, request, context);
  const startIndex = Math.max(1, request.startIndex ?? 1);
  const { pageSize, maxResults, groups } = environment.limits;
  const shown = readSelection(model, selection, groups);
  const query = withFilteredInverses(model, groups, {
    type: model.name,
    filter:
      request.filter === null ? null : readFilter(environment, { model, text: request.filter }, context),
    sort: readSort(model, request, context),
    offset: startIndex - 1,
    limit: Math.min(Math.max(0, request.count ?? pageSize), maxResults),
    select: shown,
  });
  const page = await findPage(environment, context, { model, query, shown });
  return {
    kind: "list",
    totalResults: page.total,
    startIndex,
    resources: page.resources.map((stored) =>
      representOne(environment, context, { model, selection, stored }),
    ),
    nextCursor: null,
    previousCursor: null,
    filterPlan: page.filterPlan,
  };
}

/** A filter and a sort read inverses also where the answer does not show them. */
function withFilteredInverses(model: ResourceModel, reach: InverseReach, query: StoreQuery): StoreQuery {
  const { collections, inverses } = query.select;
  const all = inverseSelections(model, reach);
  const read = queryReads({ ...query, select: { collections, inverses: all } }).inverses;
  const paths = new Set([...inverses, ...read].map(({ inverse }) => inverse.node.path));
  return {
    ...query,
    select: { collections, inverses: all.filter(({ inverse }) => paths.has(inverse.node.path)) },
  };
}

function representOne(
  environment: Environment,
  context: RequestContext,
  input: { readonly model: ResourceModel; readonly selection: Selection; readonly stored: StoredResource },
): ListAnswer["resources"][number] {
  return answerWith(environment, input, context).resource;
}

interface QueryInput {
  readonly model: ResourceModel;
  readonly query: StoreQuery;
  /** What the answer shows; the query may read more. */
  readonly shown: ReadSelection;
}

async function findPage(environment: Environment, context: RequestContext, input: QueryInput): Promise<Page> {
  const scope = scopeOf(context);
  const answer = await environment.store.query(scope, input.query);
  if (answer.kind === "page") {
    const resources = answer.resources.map((stored) => withShown(stored, input));
    return { total: answer.total, resources, filterPlan: null };
  }
  const { total, ids } = await chooseIds(answer, context, input);
  const { type } = input.query;
  const resources =
    ids.length === 0 ? [] : await environment.store.readMany(scope, { type, ids }, input.shown);
  return { total, resources, filterPlan: answer.plan };
}

/** Without the inverses that only the filter reads: they are no part of the representation and its version. */
function withShown(stored: StoredResource, { query, shown }: QueryInput): StoredResource {
  if (query.select.inverses.length === shown.inverses.length) return stored;
  const paths = new Set(shown.inverses.map(({ inverse }) => inverse.node.path));
  return { ...stored, inverses: new Map([...stored.inverses].filter(([path]) => paths.has(path))) };
}

/** Filters, orders and pages candidates; keeps no more of them than their ids and sort keys. */
async function chooseIds(
  candidates: StoreCandidates,
  context: RequestContext,
  { model, query }: QueryInput,
): Promise<{ readonly total: number; readonly ids: readonly string[] }> {
  const matches = query.filter === null ? () => true : compileFilter(query.filter);
  const { sort } = query;
  const end = query.offset + query.limit;
  const chosen: Ordered[] = [];
  let total = 0;
  for await (const batch of candidates.batches) {
    context.signal?.throwIfAborted();
    for (const stored of batch) {
      const view = viewOf(model, stored, context.baseUrl);
      if (!matches(view)) continue;
      total += 1;
      if (sort !== null) chosen.push({ id: stored.id, key: sortKey(sort, view) });
      else if (total > query.offset && total <= end) chosen.push({ id: stored.id, key: undefined });
    }
  }
  if (sort === null) return { total, ids: chosen.map(({ id }) => id) };
  const ordered = chosen.toSorted((left, right) => compareOrdered(left, right, sort.descending));
  return { total, ids: ordered.slice(query.offset, end).map(({ id }) => id) };
}

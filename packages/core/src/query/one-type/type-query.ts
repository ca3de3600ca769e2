/**
 * A query bound to the attributes of one resource type.
 * @module
 */
import type { ComparisonKey } from "@scim/filter";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { boundedSelection } from "../../projection/bounded-selection.ts";
import { inverseSelections, readSelection, type InverseReach } from "../../projection/read-selection.ts";
import { selectAttributes, type Selection } from "../../projection/selection.ts";
import type { ListRequest } from "../../requests.ts";
import type { ReadSelection, ResourceFilter, StoreQuery } from "../../store/port.ts";
import { queryReads } from "../../store/query-reads.ts";
import type { Among } from "../bind.ts";
import { readFilter } from "../filter/read-filter.ts";
import { requireInsensitive } from "../filter/sensitive.ts";
import { readSort, sortKey, type Sort } from "../sort.ts";

/** What is asked of one resource type. */
export interface TypeQuery {
  readonly model: ResourceModel;
  readonly selection: Selection;
  /** What the answer shows; the query may read more. */
  readonly shown: ReadSelection;
  readonly filter: ResourceFilter | null;
  /** Null where all resources of the type have the same key. */
  readonly sort: Sort | null;
  /** That key; null where the query names no sort, or an attribute that the type does not have. */
  readonly typeKey: ComparisonKey | null;
}

/** A request, and the type that it is bound to. */
export interface TypeQueryInput {
  readonly model: ResourceModel;
  readonly request: ListRequest;
  readonly among: Among;
}

/**
 * Binds a query.
 * @throws ScimError `invalidFilter`, `sensitive`, `invalidValue` for what cannot be sorted by or shown
 */
export function bindTypeQuery(
  environment: Environment,
  { model, request, among }: TypeQueryInput,
  context: RequestContext,
): TypeQuery {
  const { limits, sensitive } = environment;
  const selection = selectAttributes(model, request, context);
  const { filter: text, sortBy, sortOrder } = request;
  const filter = text === null ? null : readFilter(environment, { model, text, among }, context);
  if (filter !== null) requireInsensitive({ filter, model }, request.source, sensitive);
  const sort = readSort(model, { sortBy, sortOrder, among }, context);
  const isByType = sort?.target.path === "meta.resourceType";
  return {
    model,
    selection,
    shown: boundedSelection(environment, request, readSelection(model, selection, limits.groups)),
    filter,
    sort: isByType ? null : sort,
    typeKey: isByType ? sortKey(sort, { meta: { resourceType: model.name } }) : null,
  };
}

/** The query as a store is asked: a filter and a sort read inverses also where the answer does not show them. */
export function storeQuery(
  { model, shown, filter, sort }: TypeQuery,
  page: StoreQuery["page"],
  reach: InverseReach,
): StoreQuery {
  const { collections, inverses, most } = shown;
  const all = inverseSelections(model, reach);
  const query = { type: model.name, filter, sort, page, select: { collections, inverses: all } };
  const read = queryReads(query).inverses;
  const paths = new Set([...inverses, ...read].map(({ inverse }) => inverse.node.path));
  return {
    ...query,
    select: {
      collections,
      inverses: all.filter(({ inverse }) => paths.has(inverse.node.path)),
      most,
    },
  };
}

/**
 * Binds a list request to the resource types that it is about.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { narrowProjection } from "../../projection/narrow-projection.ts";
import type { ListRequest } from "../../requests.ts";
import { capabilitiesOf } from "../../store/capabilities.ts";
import type { ListQuery } from "./merge-places.ts";
import { narrowToType } from "../filter/narrow-to-type.ts";
import { readDescending } from "../sort.ts";
import { bindTypeQuery, type TypeQuery } from "../one-type/type-query.ts";

/** A bound list, and the names of the resource types that the request is about. */
export interface BoundList {
  readonly list: ListQuery;
  readonly types: readonly string[];
}

/**
 * Binds a request. Among all types (RFC 7644 §3.4.2.1), a name that a type does not have stands for no value in it,
 * and types that cannot be queried, that nobody keeps, or in which nothing can match, take no part.
 * @throws ScimError as `bindTypeQuery` does
 */
export function bindList(environment: Environment, request: ListRequest, context: RequestContext): BoundList {
  const descending = readDescending(request.sortOrder);
  const sorted = descending ? "descending" : "ascending";
  const order = request.sortBy === null ? "types" : sorted;
  if (request.type !== null) {
    const model = environment.catalog.model(request.type);
    const query = bindTypeQuery(environment, { model, request, among: "one" }, context);
    return { list: { queries: [query], order }, types: [model.name] };
  }
  const models = environment.catalog.models().filter((model) => isQueried(environment, model));
  const narrowed = narrowProjection(request, models, context);
  const queries = models.map((model) =>
    bindOne(environment, { model, request: { ...request, ...narrowed(model) } }, context),
  );
  return {
    list: { queries: queries.filter(({ filter }) => !matchesNothing(filter)), order },
    types: models.map(({ name }) => name),
  };
}

/** Rows of a collection are shown with the resources that hold them already. */
function isQueried({ store }: Environment, { name, definition, rows }: ResourceModel): boolean {
  const isOffered = definition.operations?.includes("query") ?? true;
  return rows === null && isOffered && capabilitiesOf(store, name).kept !== false;
}

interface OneOfSeveral {
  readonly model: ResourceModel;
  readonly request: ListRequest;
}

function bindOne(
  environment: Environment,
  { model, request }: OneOfSeveral,
  context: RequestContext,
): TypeQuery {
  const query = bindTypeQuery(environment, { model, request, among: "several" }, context);
  return query.filter === null ? query : { ...query, filter: narrowToType(query.filter, model.name) };
}

function matchesNothing(filter: TypeQuery["filter"]): boolean {
  return filter?.kind === "constant" && !filter.value;
}

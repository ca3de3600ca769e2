/**
 * Where a resource stands in the order of a query. Of a collection that was not read with it, the value that sorts is
 * looked for: the primary one, else the first (RFC 7644 §3.4.2.3).
 * @module
 */
import { own } from "../../attributes/json-object.ts";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { Place } from "../../store/port.ts";
import { hasPrimary, topAttribute } from "../../store/query-reads.ts";
import { scopeOf } from "../../store/scope.ts";
import type { ReferenceValue, StoredResource } from "../../store/stored-resource.ts";
import { sortKey } from "../sort.ts";
import { partsOf, type Part } from "./long-values.ts";
import type { TypeQuery } from "./type-query.ts";
import { viewOf } from "./view.ts";

/** A resource that a query finds. */
export interface FoundOne {
  readonly query: Pick<TypeQuery, "model" | "sort">;
  readonly stored: StoredResource;
}

/** Where a resource stands. */
export async function placeOf(
  environment: Environment,
  { query, stored }: FoundOne,
  context: RequestContext,
): Promise<Place> {
  const { model, sort } = query;
  if (sort === null) return { id: stored.id, key: null };
  const sorted = topAttribute(sort.target.handle);
  const collection = model.collections.find(({ node }) => node === sorted);
  const isRead = collection === undefined || stored.collections.has(sorted.path);
  const told = isRead ? stored : await withSortingValue(environment, context, { collection, stored });
  return { id: stored.id, key: sortKey(sort, viewOf(model, told, context.baseUrl)) };
}

async function withSortingValue(
  environment: Environment,
  context: RequestContext,
  part: Part,
): Promise<StoredResource> {
  const { stored, collection } = part;
  const { path } = collection.node;
  const values = hasPrimary(collection.node)
    ? await primaryOrFirst(environment, context, part)
    : await environment.store.references(scopeOf(context), { type: stored.type, id: stored.id, path }, FIRST);
  return { ...stored, collections: new Map([[path, values]]) };
}

const FIRST = { first: 1 };

async function primaryOrFirst(
  environment: Environment,
  context: RequestContext,
  part: Part,
): Promise<readonly ReferenceValue[]> {
  let first: readonly ReferenceValue[] = [];
  for await (const values of partsOf(environment, context, part)) {
    const primary = values.find(({ rest }) => own(rest, "primary") === true);
    if (primary !== undefined) return [primary];
    if (first.length === 0) first = values.slice(0, 1);
  }
  return first;
}

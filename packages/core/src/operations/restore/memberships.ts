/**
 * The memberships that come back with a deleted resource: found by index in the rows that nobody has touched, and read a
 * page at a time, since a group may have a million.
 * @module
 */
import { compareKeys } from "@scim/filter";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { EVENT_VALUES, type CollectionChange } from "../../store/event-feed.ts";
import type { ReferenceRowFilter } from "../../store/reference-rows.ts";
import { scopeOf } from "../../store/scope.ts";
import { keptResource, restorableModel } from "./kept-resource.ts";
import type {
  MembershipPlace,
  RestoreTarget,
  ReturningCollection,
  ReturningMembership,
  ReturningRequest,
} from "./restore-operations.ts";

/** The values of a resource's own collections, as the event of its restoration tells them: many are only counted. */
export async function returningChanges(
  environment: Environment,
  context: RequestContext,
  { model, id }: { readonly model: ResourceModel; readonly id: string },
): Promise<readonly CollectionChange[]> {
  const { store } = environment;
  const scope = scopeOf(context);
  const changes: CollectionChange[] = [];
  for (const filter of ownRows(model, id)) {
    const { path } = filter;
    const rows = await store.referenceRows(scope, { ...filter, ...FIRST, limit: EVENT_VALUES + 1 });
    const added =
      rows.length > EVENT_VALUES
        ? await store.countReferenceRows(scope, filter)
        : rows.map(({ value }) => value);
    if (rows.length > 0) changes.push({ path, removed: [], added });
  }
  return changes;
}

/** How many memberships in live resources name a resource, by collection. */
export async function holdingMemberships(
  environment: Environment,
  context: RequestContext,
  { type, id }: Pick<RestoreTarget, "type" | "id">,
): Promise<readonly ReturningCollection[]> {
  const found: ReturningCollection[] = [];
  for (const filter of holdingRows(environment, type, id)) {
    const count = await environment.store.countReferenceRows(scopeOf(context), filter);
    if (count > 0) found.push({ type: filter.type, path: filter.path, count });
  }
  return found;
}

/** A page of the memberships that come back, in the order of their places. */
export async function returningMemberships(
  environment: Environment,
  context: RequestContext,
  request: ReturningRequest,
): Promise<readonly ReturningMembership[]> {
  const { type, id, side, after, limit } = request;
  const model = restorableModel(environment, type);
  await keptResource(environment, context, request);
  const collections = side === "members" ? ownRows(model, id) : holdingRows(environment, type, id);
  const found: ReturningMembership[] = [];
  for (const filter of collections) {
    const order = after === null ? 1 : compareCollections(filter, after);
    if (order < 0 || found.length === limit) continue;
    const rows = await environment.store.referenceRows(scopeOf(context), {
      ...filter,
      ...FIRST,
      after: order > 0 || after === null ? null : { owner: after.id, position: after.position },
      limit: limit - found.length,
    });
    found.push(
      ...rows.map(({ owner, position, value }) => ({
        type: filter.type,
        id: owner,
        path: filter.path,
        position,
        value,
      })),
    );
  }
  return found;
}

const FIRST = { displayKey: null, descending: false, after: null, offset: 0 } as const;

function ownRows({ name, collections }: ResourceModel, owner: string): readonly ReferenceRowFilter[] {
  return collections
    .map(({ node }) => ({ type: name, path: node.path, owner, value: null, ofDeleted: true }))
    .toSorted(compareCollections);
}

/** The collections of all types whose values may name resources of a type. */
function holdingRows(
  { catalog }: Pick<Environment, "catalog">,
  type: string,
  value: string,
): readonly ReferenceRowFilter[] {
  return catalog
    .models()
    .filter(({ rows }) => rows === null)
    .flatMap(({ name, collections }) =>
      collections
        .filter(({ types }) => types.includes(type))
        .map(({ node }) => ({ type: name, path: node.path, owner: null, value })),
    )
    .toSorted(compareCollections);
}

type CollectionName = Pick<MembershipPlace, "type" | "path">;

function compareCollections(left: CollectionName, right: CollectionName): number {
  return compareKeys(left.type, right.type) || compareKeys(left.path, right.path);
}

/**
 * Finds a page of a list: of one resource type, or of several.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { NO_SELECTION } from "../../projection/read-selection.ts";
import type { IndexPage } from "../../store/port.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import type { ListPlace } from "../paging/cursor.ts";
import { findPage, findPlaces, readShown, type FoundPage } from "../one-type/find-page.ts";
import { tooManySorted } from "../one-type/first-few.ts";
import { mergePlaces, type ListPage, type ListQuery, type MergedPage } from "./merge-places.ts";
import { placesByNumber } from "./places-by-number.ts";
import type { TypeQuery } from "../one-type/type-query.ts";

/** A resource and the query that found it. */
export interface FoundResource {
  readonly query: TypeQuery;
  readonly stored: StoredResource;
}

/** A page of a list, with the resources that are still there. */
export interface FoundList extends MergedPage {
  readonly resources: readonly FoundResource[];
}

/** Finds a page next to a place. */
export async function findByPlace(
  environment: Environment,
  { list, page }: { readonly list: ListQuery; readonly page: ListPage },
  context: RequestContext,
): Promise<FoundList> {
  const [query, ...others] = list.queries;
  if (query !== undefined && others.length === 0) {
    const found = await findPage(environment, { query, page: { ...page, kind: "keyset" } }, context);
    return listOf(query, found);
  }
  const merged = await mergePlaces(environment, { list: unshown(list), page }, context);
  return { ...merged, resources: await readPlaces(environment, { list, places: merged.places }, context) };
}

/** Finds a page by number; its total is known. */
export async function findByIndex(
  environment: Environment,
  { list, page }: { readonly list: ListQuery; readonly page: IndexPage },
  context: RequestContext,
): Promise<FoundList> {
  const [query, ...others] = list.queries;
  if (query !== undefined && others.length === 0) {
    return listOf(query, await findPage(environment, { query, page }, context));
  }
  const find = list.order === "types" ? findTypeByType : findMerged;
  return find(environment, { list, page }, context);
}

function listOf(query: TypeQuery, found: FoundPage): FoundList {
  return {
    ...found,
    places: found.places.map((place) => ({ ...place, type: query.model.name })),
    resources: found.resources.map((stored) => ({ query, stored })),
  };
}

interface IndexSearch {
  readonly list: ListQuery;
  readonly page: IndexPage;
}

/** The types one after another: each is asked for what the page takes of it, and for its number. */
async function findTypeByType(
  environment: Environment,
  { list, page }: IndexSearch,
  context: RequestContext,
): Promise<FoundList> {
  const resources: FoundResource[] = [];
  const plans: string[] = [];
  let total = 0;
  for (const query of list.queries) {
    const offset = Math.max(0, page.offset - total);
    const part = { kind: "index", offset, limit: page.limit - resources.length } as const;
    const found = await findPage(environment, { query, page: part }, context);
    total += found.total ?? 0;
    resources.push(...found.resources.map((stored) => ({ query, stored })));
    if (found.filterPlan !== null) plans.push(`${query.model.name}: ${found.filterPlan}`);
  }
  return {
    total,
    more: false,
    places: [],
    resources,
    filterPlan: plans.length === 0 ? null : plans.join("; "),
  };
}

/** Goes along the merged list up to the end of the page. */
async function findMerged(
  environment: Environment,
  { list, page }: IndexSearch,
  context: RequestContext,
): Promise<FoundList> {
  const total = await countAll(environment, list, context);
  const { sortedResults } = environment.limits;
  if (page.limit === 0 || page.offset >= total) {
    return { total, more: false, places: [], resources: [], filterPlan: null };
  }
  if (Math.min(page.offset + page.limit, total) > sortedResults) throw tooManySorted(sortedResults);
  const limit = Math.min(page.limit, total - page.offset);
  const { places, filterPlan } = await placesByNumber(
    environment,
    { list: unshown(list), page: { ...page, limit } },
    context,
  );
  const resources = await readPlaces(environment, { list, places }, context);
  return { total, more: false, places: [], resources, filterPlan };
}

/** How many resources match, in whatever order. */
async function countAll(environment: Environment, list: ListQuery, context: RequestContext): Promise<number> {
  let total = 0;
  const page = { kind: "index", offset: 0, limit: 0 } as const;
  for (const query of unshown(list).queries) {
    const found = await findPlaces(environment, { query: { ...query, sort: null }, page }, context);
    total += found.total ?? 0;
  }
  return total;
}

/** The same list without what answers show: enough to find places. */
function unshown(list: ListQuery): ListQuery {
  return { ...list, queries: list.queries.map((query) => ({ ...query, shown: NO_SELECTION })) };
}

async function readPlaces(
  environment: Environment,
  { list, places }: { readonly list: ListQuery; readonly places: readonly ListPlace[] },
  context: RequestContext,
): Promise<readonly FoundResource[]> {
  const found = new Map<string, ReadonlyMap<string, FoundResource>>();
  for (const query of list.queries) {
    const type = query.model.name;
    const own = places.filter((place) => place.type === type);
    const resources = await readShown(environment, { query, places: own }, context);
    found.set(type, new Map(resources.map((stored) => [stored.id, { query, stored }])));
  }
  return places.flatMap(({ type, id }) => found.get(type)?.get(id) ?? []);
}

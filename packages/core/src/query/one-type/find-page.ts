/**
 * Finds a page of the resources of one type, through whatever the store answers of it.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { Place, StorePage, StoreQuery } from "../../store/port.ts";
import { passingOwn } from "../../store/own-values.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import { scopeOf } from "../../store/scope.ts";
import { chooseByIndex, chooseByPlace, type ChosenPage } from "./choose-page.ts";
import { placeOf } from "./place-of.ts";
import { storeQuery, type TypeQuery } from "./type-query.ts";

/** Where the resources of a page stand. */
export interface FoundPlaces extends ChosenPage {
  /** The resources, where the store read them with the page. */
  readonly resources: readonly StoredResource[] | null;
  /** How the query was served; null where indexes served it. */
  readonly filterPlan: string | null;
}

/** A page with its resources. */
export interface FoundPage extends FoundPlaces {
  /** Those that are still there and match, in the order of the query, with what the answer shows and nothing else. */
  readonly resources: readonly StoredResource[];
}

/** A query and the page to find. */
export interface PageSearch {
  readonly query: TypeQuery;
  readonly page: StoreQuery["page"];
}

/** Finds a page. */
export async function findPage(
  environment: Environment,
  search: PageSearch,
  context: RequestContext,
): Promise<FoundPage> {
  const found = await find(environment, { ...search, wanted: "resources" }, context);
  if (found.resources !== null) return { ...found, resources: found.resources };
  const resources = await readShown(environment, { query: search.query, places: found.places }, context);
  return { ...found, resources };
}

/** Finds where the resources of a page stand. */
export function findPlaces(
  environment: Environment,
  search: PageSearch,
  context: RequestContext,
): Promise<FoundPlaces> {
  return find(environment, { ...search, wanted: "places" }, context);
}

async function find(
  environment: Environment,
  { query, page, wanted }: PageSearch & { readonly wanted: "resources" | "places" },
  context: RequestContext,
): Promise<FoundPlaces> {
  const { store, limits } = environment;
  const { sortedResults } = limits;
  const placesOnly = wanted === "places";
  const asked = { ...storeQuery(query, page, limits.groups), sortedResults, placesOnly };
  const answer = await store.query(scopeOf(context), asked);
  if (answer.kind === "page") return placesOf(environment, { answer, query, asked }, context);
  const choice = { environment, candidates: answer, query, ceiling: limits.sortedResults };
  const chosen = await (page.kind === "index"
    ? chooseByIndex(choice, page, context)
    : chooseByPlace(choice, page, context));
  return { ...chosen, resources: null, filterPlan: answer.plan };
}

/** Reads the resources at places with what the answer shows. Others may have changed them since they were found to match. */
export async function readShown(
  { store }: Environment,
  { query, places }: { readonly query: TypeQuery; readonly places: readonly Place[] },
  context: RequestContext,
): Promise<readonly StoredResource[]> {
  if (places.length === 0) return [];
  const target = { type: query.model.name, ids: places.map(({ id }) => id) };
  const resources = await store.readMany(scopeOf(context), target, query.shown);
  return query.filter === null ? resources : passingOwn(resources, query.filter);
}

interface AnsweredPage {
  readonly answer: StorePage;
  readonly query: TypeQuery;
  readonly asked: StoreQuery;
}

async function placesOf(
  environment: Environment,
  { answer, query, asked }: AnsweredPage,
  context: RequestContext,
): Promise<FoundPlaces> {
  const { total, more, plan, scanned = false } = answer;
  const filterPlan = scanned ? plan : null;
  if (answer.places !== undefined && asked.placesOnly === true)
    return { total, more, places: answer.places, resources: null, filterPlan };
  if (answer.places !== undefined) {
    const { filter } = query;
    const resources = filter === null ? answer.resources : passingOwn(answer.resources, filter);
    const shown = resources.map((stored) => withShown(stored, query, asked));
    return { total, more, places: answer.places, resources: shown, filterPlan };
  }
  const { resources } = answer;
  const places: Place[] = [];
  if (asked.page.kind === "keyset")
    for (const stored of resources) places.push(await placeOf(environment, { query, stored }, context));
  return {
    total,
    more,
    places,
    resources: resources.map((stored) => withShown(stored, query, asked)),
    filterPlan,
  };
}

/** Without the inverses that only the filter reads: they are no part of the representation and its version. */
function withShown(stored: StoredResource, { shown }: TypeQuery, { select }: StoreQuery): StoredResource {
  if (select.inverses.length === shown.inverses.length) return stored;
  const paths = new Set(shown.inverses.map(({ inverse }) => inverse.node.path));
  return { ...stored, inverses: new Map([...stored.inverses].filter(([path]) => paths.has(path))) };
}

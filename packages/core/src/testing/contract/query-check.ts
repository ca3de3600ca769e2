/**
 * Reads the answer of a store to a query, whichever form it has, and works it out by itself.
 * @module
 */
import { compareKeys, comparePlaces, compileFilter } from "@scim/filter";
import { sortKey } from "../../query/sort.ts";
import { viewOf } from "../../query/one-type/view.ts";
import type {
  IndexPage,
  KeysetPage,
  Place,
  ReadSelection,
  ResourceStore,
  StoreCandidates,
  StoreQuery,
  StoreScope,
} from "../../store/port.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import { expectTrue } from "./expect.ts";
import { modelOf, type SampleType } from "./models.ts";
import { NOTHING, SCOPE, withGroups } from "./sample.ts";

/** A query; its selection is that of the groups of users, where it does not say. */
export type CheckedQuery = Omit<StoreQuery, "select" | "type"> & {
  readonly type: SampleType;
  readonly select?: ReadSelection;
};

/** What a query finds. */
export interface Found {
  /** Null where a store does not tell it of a page next to a place. */
  readonly total: number | null;
  readonly ids: readonly string[];
  /** Whether resources come behind a page next to a place, in its direction. */
  readonly more: boolean;
}

/** A page by number. */
export function indexPage(offset: number, limit: number): IndexPage {
  return { kind: "index", offset, limit };
}

/** The ids of the page and the number of matches: from a page, or worked out from candidates. */
export async function matchingIds(
  store: ResourceStore,
  checked: CheckedQuery,
  scope: StoreScope = SCOPE,
): Promise<Found> {
  const query: StoreQuery = { ...checked, select: checked.select ?? selectionFor(checked.type) };
  const answer = await store.query(scope, query);
  if (answer.kind === "page") {
    const { total, more, resources } = answer;
    return { total, more, ids: resources.map(({ id }) => id) };
  }
  const candidates = await collect(answer);
  const { total, ids, more } = workOut(checked, candidates);
  if (answer.order === "query") {
    expectTrue(checked.page.kind === "keyset", "candidates in the order of the query are for a place");
    requireInDirection(checked, candidates);
    return { total: null, ids, more };
  }
  return { total, ids, more };
}

function selectionFor(type: SampleType): ReadSelection {
  return type === "User" ? withGroups(1) : NOTHING;
}

async function collect(answer: StoreCandidates): Promise<readonly StoredResource[]> {
  const candidates: StoredResource[] = [];
  for await (const batch of answer.batches) candidates.push(...batch);
  const ids = candidates.map(({ id }) => id);
  expectTrue(new Set(ids).size === ids.length, "every candidate comes once");
  if (answer.order === "id") {
    expectTrue(
      ids.every((id, index) => index === 0 || compareKeys(ids[index - 1] ?? "", id) < 0),
      "candidates come in ascending order of id",
    );
  }
  return candidates;
}

/** Candidates from a place on must come nearest first, so that the caller can stop. */
function requireInDirection({ type, sort, page }: CheckedQuery, candidates: readonly StoredResource[]): void {
  if (page.kind === "index") return;
  const { from } = page;
  const sign = page.direction === "backward" ? -1 : 1;
  const places = placesOf(type, sort, candidates);
  const descending = sort?.descending ?? false;
  const follows = (before: Place, place: Place): boolean =>
    sign * comparePlaces(before, place, descending) < 0;
  expectTrue(
    places.every((place, index) => {
      const before = places[index - 1] ?? from;
      return before === null || follows(before, place);
    }),
    "candidates of a place come in the order of the query, from the place on",
  );
}

function placesOf(
  type: SampleType,
  sort: StoreQuery["sort"],
  resources: readonly StoredResource[],
): readonly Place[] {
  const model = modelOf(type);
  return resources.map((stored) => ({
    id: stored.id,
    key: sort === null ? null : sortKey(sort, viewOf(model, stored, BASE_URL)),
  }));
}

const BASE_URL = "https://scim.example";

/** Filters, sorts and pages resources as the service does with candidates. */
export function workOut(
  checked: CheckedQuery,
  all: readonly StoredResource[],
): Found & { readonly total: number } {
  return choose(orderedPlaces(checked, all), checked);
}

/** The page among places that are in the order of the query. */
export function choose(
  places: readonly Place[],
  { page, sort }: Pick<CheckedQuery, "page" | "sort">,
): Found & { readonly total: number } {
  const { chosen, more } =
    page.kind === "index"
      ? { chosen: places.slice(page.offset, page.offset + page.limit), more: false }
      : nextTo(places, page, sort?.descending ?? false);
  return { total: places.length, ids: chosen.map(({ id }) => id), more };
}

/** Where all resources that match stand, in the order of a query. */
export function orderedPlaces(
  { type, filter, sort }: Omit<CheckedQuery, "page">,
  all: readonly StoredResource[],
): readonly Place[] {
  const model = modelOf(type);
  const matches = filter === null ? (): boolean => true : compileFilter(filter);
  const found = all.filter((stored) => matches(viewOf(model, stored, BASE_URL)));
  const descending = sort?.descending ?? false;
  return placesOf(type, sort, found).toSorted((a, b) => comparePlaces(a, b, descending));
}

function nextTo(
  places: readonly Place[],
  { from, direction, limit }: KeysetPage,
  descending: boolean,
): { readonly chosen: readonly Place[]; readonly more: boolean } {
  const isBehind = (place: Place): boolean => {
    const order = from === null ? 0 : comparePlaces(place, from, descending);
    return from === null || (direction === "forward" ? order > 0 : order < 0);
  };
  const next = places.filter(isBehind);
  const chosen = direction === "forward" ? next.slice(0, limit) : next.slice(-limit);
  return { chosen, more: next.length > limit };
}

/**
 * Filters, orders and pages the candidates of a store. No more is kept of them than where those of the page stand.
 * @module
 */
import { compileFilter, comparePlaces } from "@scim/filter";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { IndexPage, KeysetPage, Place, StoreCandidates } from "../../store/port.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import { FirstFew } from "./first-few.ts";
import { filteredCollections, matchesLong } from "./long-values.ts";
import { placeOf } from "./place-of.ts";
import type { TypeQuery } from "./type-query.ts";
import { viewOf } from "./view.ts";

/** The places of a page. */
export interface ChosenPage {
  /** How many resources match; null where the candidates were not gone through. */
  readonly total: number | null;
  /** Whether resources come behind a keyset page in its direction. */
  readonly more: boolean;
  /** In the order of the query. */
  readonly places: readonly Place[];
}

/** Candidates and what is asked of them. */
export interface Choice {
  readonly environment: Environment;
  readonly candidates: StoreCandidates;
  readonly query: TypeQuery;
  /** Most places that sorting may keep. */
  readonly ceiling: number;
}

type Matches = AsyncIterable<readonly Place[]>;

/** Chooses the page by number. */
export async function chooseByIndex(
  choice: Choice,
  { offset, limit }: IndexPage,
  context: RequestContext,
): Promise<ChosenPage> {
  const end = offset + limit;
  const { ceiling } = choice;
  const { sort } = choice.query;
  const first = new FirstFew<Place>({
    size: limit === 0 ? 0 : end,
    compare: (left, right) => comparePlaces(left, right, sort?.descending ?? false),
    ceiling,
  });
  const places: Place[] = [];
  let total = 0;
  for await (const matches of matchesOf(choice, context)) {
    for (const place of matches) {
      total += 1;
      // Candidates come in order of id: without a sort that is the order of the query.
      if (sort !== null) first.add(place);
      else if (total > offset && total <= end) places.push(place);
    }
  }
  return { total, more: false, places: sort === null ? places : first.sorted().slice(offset) };
}

/** Chooses the page next to a place. */
export async function chooseByPlace(
  choice: Choice,
  page: KeysetPage,
  context: RequestContext,
): Promise<ChosenPage> {
  const { candidates } = choice;
  const matches = matchesOf(choice, context);
  const found =
    candidates.order === "query" ? await takeFirst(matches, page) : await selectNext(matches, choice, page);
  const places = found.places.slice(0, page.limit);
  return {
    total: found.total,
    more: found.places.length > page.limit,
    places: page.direction === "backward" ? places.toReversed() : places,
  };
}

/** Places in the direction of a page, nearest first: one more than it takes, where there are as many. */
interface NextPlaces {
  readonly total: number | null;
  readonly places: readonly Place[];
}

async function takeFirst(matches: Matches, { from, limit }: KeysetPage): Promise<NextPlaces> {
  const places: Place[] = [];
  for await (const batch of matches) {
    places.push(...batch);
    if (places.length > limit) return { total: null, places };
  }
  return { total: from === null ? places.length : null, places };
}

async function selectNext(
  matches: Matches,
  { query, ceiling }: Choice,
  { from, direction, limit }: KeysetPage,
): Promise<NextPlaces> {
  const descending = query.sort?.descending ?? false;
  const sign = direction === "backward" ? -1 : 1;
  const compare = (left: Place, right: Place): number => sign * comparePlaces(left, right, descending);
  const next = new FirstFew<Place>({ size: limit + 1, compare, ceiling });
  let total = 0;
  for await (const batch of matches) {
    total += batch.length;
    for (const place of batch) if (from === null || compare(place, from) > 0) next.add(place);
  }
  return { total, places: next.sorted() };
}

/** Where the candidates that match stand, batch by batch. */
async function* matchesOf(
  { environment, candidates, query }: Choice,
  context: RequestContext,
): AsyncGenerator<readonly Place[], void, undefined> {
  const { model, filter } = query;
  const test = filter === null ? (): boolean => true : compileFilter(filter);
  const paths = filter === null ? [] : filteredCollections(model, filter);
  const isWhole = ({ collections }: StoredResource): boolean => paths.every((path) => collections.has(path));
  for await (const batch of candidates.batches) {
    context.signal?.throwIfAborted();
    const places: Place[] = [];
    for (const stored of batch) {
      const isMatch =
        filter === null || isWhole(stored)
          ? test(viewOf(model, stored, context.baseUrl))
          : await matchesLong(environment, context, { model, filter, stored });
      if (isMatch) places.push(await placeOf(environment, { query, stored }, context));
    }
    yield places;
  }
}

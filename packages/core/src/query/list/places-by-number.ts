/**
 * Finds by number where resources stand in the merged list of several types: each type is walked as far as the list
 * takes of it.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { pause } from "../../pause.ts";
import type { IndexPage, Place } from "../../store/port.ts";
import { findPlaces } from "../one-type/find-page.ts";
import type { TypeQuery } from "../one-type/type-query.ts";
import type { ListPlace } from "../paging/cursor.ts";
import { compareInList, listPlace, type ListQuery } from "./merge-places.ts";

/** Resources that are read in one step to find where they stand, and places that are passed between turns of others. */
const STRIDE = 2000;

/** Places of a page, in the order of the list. */
export interface NumberedPlaces {
  readonly places: readonly ListPlace[];
  /** How the types that no index serves were gone through; null where indexes served all. */
  readonly filterPlan: string | null;
}

/** Finds the places of a page. Others have their turn on the way. */
export async function placesByNumber(
  environment: Environment,
  { list, page }: { readonly list: ListQuery; readonly page: IndexPage },
  context: RequestContext,
): Promise<NumberedPlaces> {
  const walks = list.queries.map((query) => new TypeWalk(environment, query));
  const end = page.offset + page.limit;
  const places: ListPlace[] = [];
  for (let passed = 0; passed < end; passed += 1) {
    if (passed > 0 && passed % STRIDE === 0) await pause(context);
    for (const walk of walks) if (walk.isShort) await walk.fill(end - passed, context);
    const next = nextOf(list, walks)?.take();
    if (next === undefined) break;
    if (passed >= page.offset) places.push(next);
  }
  const plans = walks.flatMap(({ plan }) => (plan === null ? [] : [plan]));
  return { places, filterPlan: plans.length === 0 ? null : plans.join("; ") };
}

/** The walk whose next place comes first in the list. */
function nextOf(list: ListQuery, walks: readonly TypeWalk[]): TypeWalk | undefined {
  let first: TypeWalk | undefined;
  for (const walk of walks) {
    if (walk.next === undefined) continue;
    if (first?.next === undefined || compareInList(list, walk.next, first.next) < 0) first = walk;
  }
  return first;
}

/** A walk along the resources of one type. */
class TypeWalk {
  readonly #environment: Environment;
  readonly #query: TypeQuery;
  /** The last place that was found; null before the first. */
  #from: Place | null = null;
  #found: readonly ListPlace[] = [];
  /** How many of those found the list has taken. */
  #taken = 0;
  #isOver = false;
  /** Most places that are found in one step. */
  #stride: number;
  plan: string | null = null;

  constructor(environment: Environment, query: TypeQuery) {
    this.#environment = environment;
    this.#query = query;
    this.#stride = Math.min(STRIDE, mostFound(environment));
  }

  get next(): ListPlace | undefined {
    return this.#found[this.#taken];
  }

  /** Whether more must be found before it can be told which place comes next. */
  get isShort(): boolean {
    return this.next === undefined && !this.#isOver;
  }

  take(): ListPlace | undefined {
    this.#taken += 1;
    return this.#found[this.#taken - 1];
  }

  /** Finds the next places: at most as many as the list may still take. */
  async fill(most: number, context: RequestContext): Promise<void> {
    const limit = Math.min(this.#stride, most);
    const page = { kind: "keyset", from: this.#from, direction: "forward", limit } as const;
    const found = await findPlaces(this.#environment, { query: this.#query, page }, context);
    this.#from = found.places.at(-1) ?? this.#from;
    this.#found = found.places.map((place) => listPlace(this.#query, place));
    this.#taken = 0;
    this.#isOver = !found.more;
    // A store that tells places alone may have gone through all resources for them: not once more for each stride.
    if (found.resources === null) this.#stride = mostFound(this.#environment);
    if (found.filterPlan !== null) this.plan = `${this.#query.model.name}: ${found.filterPlan}`;
  }
}

/** Most places of a page: one more is looked for, which tells whether others come behind it. */
function mostFound({ limits }: Environment): number {
  return Math.max(1, limits.sortedResults - 1);
}

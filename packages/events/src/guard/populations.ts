/**
 * What the share of a guard is a share of: the resources of a type, or the values that its collections hold.
 * @module
 */
import { catalogFor, isRecent, type CatalogSource } from "@scim/core";
import type { GuardPlace, GuardStore } from "./port.ts";

/** What a share is asked for. */
export interface ShareQuestion {
  readonly place: GuardPlace;
  readonly percent: number;
  /** A share that is this great, or greater, lets everything pass that there is to decide on. */
  readonly enough: number;
}

/** What is known of a population. */
interface Known {
  readonly count: number;
  /** Whether there may be more: values are counted no further than they have to be. */
  readonly isCut: boolean;
  /** When it was counted. */
  readonly at: number;
}

/** What populations are counted with. */
export interface PopulationOptions {
  readonly store: Pick<GuardStore, "population" | "values">;
  /** Tells which collections a type has. */
  readonly catalog: CatalogSource;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Milliseconds that a count is believed. */
const BELIEVED_MS = 60_000;
const MOST_KEPT = 10_000;
/** Values are counted for a share so many times as great as is needed, so that the next changes need no other count. */
const HEADROOM = 2;

/** Counts populations, and remembers them for a minute. */
export class Populations {
  readonly #options: PopulationOptions;
  readonly #known = new Map<string, Known>();

  constructor(options: PopulationOptions) {
    this.#options = options;
  }

  /**
   * So many percent of the resources of a type; of removals, of the values in its collections. What the latter costs
   * grows with what is removed, and not with what there is.
   */
  async share({ place, percent, enough }: ShareQuestion): Promise<number> {
    if (percent === 0) return 0;
    const { tenant, type, measure } = place;
    const key = `${tenant}\n${measure === "removals" ? "values" : "resources"}\n${type}`;
    const shareOf = ({ count }: Known): number => Math.floor((count * percent) / 100);
    const known = this.#known.get(key);
    const isGood =
      known !== undefined && isRecent(known.at, { now: this.#options.now(), within: BELIEVED_MS });
    if (isGood && (!known.isCut || shareOf(known) >= enough)) return shareOf(known);
    const counted = await this.#count(place, Math.ceil((HEADROOM * Math.max(1, enough) * 100) / percent));
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    this.#known.set(key, counted);
    return shareOf(counted);
  }

  async #count({ tenant, type, measure }: GuardPlace, most: number): Promise<Known> {
    const { store, catalog, now } = this.#options;
    const at = now();
    if (measure !== "removals") return { count: await store.population(tenant, type), isCut: false, at };
    let count = 0;
    for (const { node } of (await catalogFor(catalog, tenant)).model(type).collections) {
      count += await store.values(tenant, { type, path: node.path }, most - count);
      if (count >= most) break;
    }
    return { count, isCut: count >= most, at };
  }
}

/**
 * What lies above groups: who holds them, who holds those, and what of it is reached by going in a circle.
 *
 * Clients decide how groups are nested, and all groups of a tenant may lie above each of them: so holders are numbers
 * here, one look holds what it is asked for and no more, and lets other work have its turn.
 * @module
 */
import { componentsFrom } from "../operations/bulk/components.ts";
import { pause } from "../pause.ts";
import { TRANSITIVE_DEPTH } from "../projection/read-selection.ts";
import type { ResourceSnapshot } from "../store/resource-snapshot.ts";
import type { WalkedCollection } from "./walked-collection.ts";

/** A resource that may hold others. */
export interface Holder {
  readonly type: string;
  readonly id: string;
}

/** What lies above a holder. */
export interface Above {
  /** Whether this one holds it, itself or through others; of the holder itself, whether it lies in a circle. */
  has(holder: Holder): boolean;
}

/** By which ways a holder is held. */
export interface Ways {
  /** What holds it by no other way than along a circle. */
  readonly roundabout: readonly Holder[];
  /** Whether more lies above than is followed: levels, or holders. */
  readonly isCut: boolean;
}

/** Where the holders lie, and how to read what is not known of them yet. */
export interface NestingSource {
  readonly snapshot: ResourceSnapshot;
  readonly collection: WalkedCollection;
  readonly signal: AbortSignal | undefined;
}

/** Levels above a holder that are followed: what it holds is one level below. */
const LEVELS = TRANSITIVE_DEPTH - 1;

/** Most holders that are followed for one look: what lies above a whole batch of rows. */
const MOST_HOLDERS = 20_000;

/** Ids of one question to the store. */
const AT_ONCE = 500;

/** Holders that are passed between two pauses: some milliseconds. */
export const BETWEEN_PAUSES = 20_000;

/** Stands for a holder in sets. */
export function keyOf({ type, id }: Holder): string {
  return `${type} ${id}`;
}

/** Reads what lies above some holders, level by level for all of them at once. */
export async function readNesting(source: NestingSource, holders: readonly Holder[]): Promise<Nesting> {
  const links = new Links();
  let level = [...new Set(holders.map((holder) => links.numberOf(holder)))];
  for (let up = 0; up <= LEVELS && level.length > 0 && links.asked < MOST_HOLDERS; up += 1) {
    const next = new Set<number>();
    const held = level.flatMap((number) => links.holders[number] ?? []);
    for (const [type, some] of Map.groupBy(held, (holder) => holder.type)) {
      const ids = some.map(({ id }) => id);
      for (const [id, found] of await readHolders(source, { type, ids })) {
        for (const number of links.put({ type, id }, found)) next.add(number);
      }
    }
    level = [...next].filter((number) => links.above[number] === undefined);
  }
  return new Nesting(links, source.signal);
}

/** Who holds each of some resources directly, by their id. */
export async function readHolders(
  { snapshot, collection: { holders: inverse } }: NestingSource,
  { type, ids }: { readonly type: string; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, readonly Holder[]>> {
  const found = new Map<string, readonly Holder[]>();
  const select = { collections: [], inverses: [{ inverse, depth: 1 }] };
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE);
    for (const { id, inverses } of await snapshot.readMany({ type, ids: some }, select)) {
      found.set(id, inverses.get(inverse.node.path) ?? []);
    }
  }
  return found;
}

/** Who holds whom, by number. */
class Links {
  readonly holders: Holder[] = [];
  readonly keys: string[] = [];
  /** Numbers of those that hold each; what was not asked for is missing. */
  readonly above: (readonly number[] | undefined)[] = [];
  /** Of how many it is known who holds them. */
  asked = 0;
  readonly #numbers = new Map<string, number>();

  /** The number of a holder, a new one where it has none. */
  numberOf(holder: Holder): number {
    const key = keyOf(holder);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.holders.length);
    this.keys.push(key);
    this.above.push(undefined);
    return this.holders.push(holder) - 1;
  }

  /** The number of a holder; undefined where it has none. */
  find(holder: Holder): number | undefined {
    return this.#numbers.get(keyOf(holder));
  }

  /** Keeps who holds a resource, and answers their numbers. */
  put(held: Holder, holders: readonly Holder[]): readonly number[] {
    const numbers = holders.map((holder) => this.numberOf(holder));
    this.above[this.numberOf(held)] = numbers;
    this.asked += 1;
    return numbers;
  }
}

/** What was read of what lies above some holders. */
export class Nesting {
  readonly #links: Links;
  readonly #signal: AbortSignal | undefined;
  #passed = 0;

  constructor(links: Links, signal: AbortSignal | undefined) {
    this.#links = links;
    this.#signal = signal;
  }

  /** All that lies above a holder. */
  async above(holder: Holder): Promise<Above> {
    const from = this.#startOf(holder);
    if (from === null) return NOTHING;
    const { reached } = await this.#climb(from, () => true);
    return { has: (other) => reached.has(this.#links.find(other) ?? -1) };
  }

  /** What holds it by roundabout ways, and whether all was followed. */
  async ways(holder: Holder): Promise<Ways> {
    const from = this.#startOf(holder);
    if (from === null) return { roundabout: [], isCut: false };
    const { all, straight, isCut } = await this.#bothWays(from);
    const roundabout = [...all].filter((number) => number !== from && !straight.has(number));
    return { roundabout: roundabout.flatMap((number) => this.#links.holders[number] ?? []), isCut };
  }

  /** The holder, and all that holds it without going in a circle: by key. */
  async straightTo(holder: Holder): Promise<readonly string[]> {
    const from = this.#startOf(holder);
    if (from === null) return [keyOf(holder)];
    const { straight } = await this.#bothWays(from);
    return [...new Set([from, ...straight])].flatMap((number) => this.#links.keys[number] ?? []);
  }

  /** The number of a holder; null where nothing holds it. */
  #startOf(holder: Holder): number | null {
    const number = this.#links.find(holder);
    return number === undefined || this.#links.above[number]?.length === 0 ? null : number;
  }

  async #bothWays(from: number): Promise<BothWays> {
    const { reached: all, isCut } = await this.#climb(from, () => true);
    const component = this.#componentsOf(from, all);
    const { reached: straight } = await this.#climb(
      from,
      (below, above) => below !== above && component.get(below) !== component.get(above),
    );
    return { all, straight, isCut };
  }

  /** Follows links upwards, level by level. */
  async #climb(from: number, follows: (below: number, above: number) => boolean): Promise<Climbed> {
    await this.#takeTurns();
    const reached = new Set<number>();
    let isCut = false;
    let level: readonly number[] = [from];
    for (let up = 0; level.length > 0; up += 1) {
      const next: number[] = [];
      for (const held of level) {
        const holders = this.#links.above[held];
        if (holders === undefined) isCut = true;
        for (const holder of holders ?? []) {
          if (reached.has(holder) || !follows(held, holder)) continue;
          if (up === LEVELS) {
            isCut = true;
            continue;
          }
          reached.add(holder);
          if (holder !== from) next.push(holder);
        }
      }
      level = next;
    }
    this.#passed += reached.size;
    return { reached, isCut };
  }

  /** To which circle each of those that were reached belongs: those with the same number reach each other. */
  #componentsOf(from: number, all: ReadonlySet<number>): ReadonlyMap<number, number> {
    const targetsOf = (node: number): readonly number[] =>
      (this.#links.above[node] ?? []).filter((holder) => holder === from || all.has(holder));
    this.#passed += all.size;
    return new Map(
      componentsFrom(from, targetsOf).flatMap((members, component) =>
        members.map((member) => [member, component] as const),
      ),
    );
  }

  async #takeTurns(): Promise<void> {
    if (this.#passed < BETWEEN_PAUSES) return;
    this.#passed = 0;
    await pause({ signal: this.#signal });
  }
}

const NOTHING: Above = { has: () => false };

interface Climbed {
  readonly reached: ReadonlySet<number>;
  readonly isCut: boolean;
}

interface BothWays {
  readonly all: ReadonlySet<number>;
  readonly straight: ReadonlySet<number>;
  readonly isCut: boolean;
}

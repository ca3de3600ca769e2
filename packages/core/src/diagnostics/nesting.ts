/**
 * What lies above groups: who holds them, who holds those, and what of it is reached by going in a circle.
 * @module
 */
import { componentsFrom } from "../operations/bulk/components.ts";
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
  /** All that hold it, itself or through others, by key; the holder too where it lies in a circle. */
  readonly all: ReadonlyMap<string, Holder>;
  /** Those among them that are reached by no other way than along a circle. */
  readonly roundabout: ReadonlyMap<string, Holder>;
  /** Whether more lies above than is followed: levels, or holders. */
  readonly isCut: boolean;
}

/** Levels above a holder that are followed: what it holds is one level below. */
const LEVELS = TRANSITIVE_DEPTH - 1;

/** Most holders that are followed for one look: what lies above a whole batch of rows. */
const MOST_HOLDERS = 20_000;

/** Ids of one question to the store. */
const AT_ONCE = 500;

/** Stands for a holder in sets. */
export function keyOf({ type, id }: Holder): string {
  return `${type} ${id}`;
}

/** What lies above each of some holders, by key; read level by level for all of them at once. */
export async function findAbove(
  snapshot: ResourceSnapshot,
  collection: WalkedCollection,
  holders: readonly Holder[],
): Promise<ReadonlyMap<string, Above>> {
  const links = await readLinks(snapshot, collection, holders);
  return new Map(holders.map((holder) => [keyOf(holder), aboveOne(holder, links)]));
}

/** Who holds whom, by key of what is held. What was not asked for is missing. */
type Links = ReadonlyMap<string, readonly Holder[]>;

async function readLinks(
  snapshot: ResourceSnapshot,
  collection: WalkedCollection,
  from: readonly Holder[],
): Promise<Links> {
  const links = new Map<string, readonly Holder[]>();
  let level = from;
  for (let up = 0; up <= LEVELS && level.length > 0 && links.size < MOST_HOLDERS; up += 1) {
    const next = new Map<string, Holder>();
    for (const [type, held] of Map.groupBy(level, (holder) => holder.type)) {
      const ids = [...new Set(held.map(({ id }) => id))];
      for (const [id, holders] of await readHolders(snapshot, collection, { type, ids })) {
        links.set(keyOf({ type, id }), holders);
        for (const holder of holders) next.set(keyOf(holder), holder);
      }
    }
    level = [...next].filter(([key]) => !links.has(key)).map(([, holder]) => holder);
  }
  return links;
}

/** Who holds each of some resources directly, by their id. */
export async function readHolders(
  snapshot: ResourceSnapshot,
  { holders: inverse }: WalkedCollection,
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

function aboveOne(holder: Holder, links: Links): Above {
  if (links.get(keyOf(holder))?.length === 0) return { all: NONE, roundabout: NONE, isCut: false };
  const { all, isCut } = climb(holder, links, () => true);
  const component = componentsOf(holder, links, all);
  const straight = climb(
    holder,
    links,
    (from, to) => from !== to && component.get(from) !== component.get(to),
  );
  const roundabout = new Map([...all].filter(([key]) => !straight.all.has(key) && key !== keyOf(holder)));
  return { all, roundabout, isCut };
}

const NONE: ReadonlyMap<string, Holder> = new Map();

interface Climbed {
  readonly all: ReadonlyMap<string, Holder>;
  readonly isCut: boolean;
}

/** Follows links upwards, level by level. */
function climb(from: Holder, links: Links, follows: (from: string, to: string) => boolean): Climbed {
  const all = new Map<string, Holder>();
  let isCut = false;
  let level: readonly Holder[] = [from];
  for (let up = 0; level.length > 0; up += 1) {
    const next: Holder[] = [];
    for (const held of level) {
      const key = keyOf(held);
      const holders = links.get(key);
      if (holders === undefined) isCut = true;
      for (const holder of holders ?? []) {
        const above = keyOf(holder);
        if (all.has(above) || !follows(key, above)) continue;
        if (up === LEVELS) {
          isCut = true;
          continue;
        }
        all.set(above, holder);
        if (above !== keyOf(from)) next.push(holder);
      }
    }
    level = next;
  }
  return { all, isCut };
}

/** To which circle each holder belongs: those with the same number reach each other. */
function componentsOf(
  from: Holder,
  links: Links,
  all: ReadonlyMap<string, Holder>,
): ReadonlyMap<string, number> {
  const keys = [...new Set([keyOf(from), ...all.keys()])];
  const numbers = new Map(keys.map((key, index) => [key, index]));
  const targetsOf = (node: number): readonly number[] =>
    (links.get(keys[node] ?? "") ?? []).flatMap((holder) => numbers.get(keyOf(holder)) ?? []);
  return new Map(
    componentsFrom(0, targetsOf).flatMap((members, component) =>
      members.map((member) => [keys[member] ?? "", component] as const),
    ),
  );
}

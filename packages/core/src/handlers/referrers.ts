/**
 * Inverse collections (`User.groups`) where the resources that refer and those that they name are kept in different
 * places: a walk, level by level, over whoever can tell who names an id.
 * @module
 */
import { compareKeys } from "@scim/filter";
import type { InverseSource } from "../model/attribute-node.ts";
import { someAtOnce } from "../some-at-once.ts";
import type { InverseSelection, ResourceStore, StoreScope } from "../store/port.ts";
import type { InverseValue } from "../store/stored-resource.ts";

/** Who names one of some ids. */
export interface Referrer {
  /** The id that is named. */
  readonly value: string;
  /** The id of the resource that names it. */
  readonly owner: string;
  readonly display: string | null;
}

/** What is asked of the resources of one type. */
export interface ReferrersQuery extends Omit<InverseSource, "type"> {
  readonly ids: readonly string[];
}

/** Finds who names any of some ids, wherever the resources of a type are kept. */
export type FindReferrers = (
  scope: StoreScope,
  type: string,
  query: ReferrersQuery,
) => Promise<readonly Referrer[]>;

/** Rows that are asked for at a time. */
const ROWS = 1000;

/** Who names any of some ids, of a store that finds the rows of each by index; some of them are asked for at a time. */
export async function storedReferrers(
  store: ResourceStore,
  scope: StoreScope,
  { ids, ...query }: StoredReferrersQuery,
): Promise<readonly Referrer[]> {
  const found = await someAtOnce(ids, (value) => referrersOf(store, scope, { ...query, value }));
  return found.flat();
}

interface StoredReferrersQuery extends ReferrersQuery {
  readonly type: string;
}

async function referrersOf(
  store: ResourceStore,
  scope: StoreScope,
  { type, collection, displayKey, value }: Omit<StoredReferrersQuery, "ids"> & { readonly value: string },
): Promise<readonly Referrer[]> {
  const referrers: Referrer[] = [];
  for (let offset = 0; ; offset += ROWS) {
    const rows = await store.referenceRows(scope, {
      type,
      path: collection,
      owner: null,
      value,
      displayKey,
      descending: false,
      after: null,
      offset,
      limit: ROWS,
    });
    for (const { owner, display } of rows) referrers.push({ value, owner, display });
    if (rows.length < ROWS) return referrers;
  }
}

/** The values of an inverse of some resources, by their ids. */
export async function walkReferrers(
  find: FindReferrers,
  scope: StoreScope,
  { ids, selection }: { readonly ids: readonly string[]; readonly selection: InverseSelection },
): Promise<ReadonlyMap<string, readonly InverseValue[]>> {
  const walk = new Walk(ids);
  for (let distance = 1; distance <= selection.depth && walk.frontier.length > 0; distance += 1) {
    const level = walk.frontier;
    walk.begin();
    for (const { type, collection, displayKey } of selection.inverse.sources) {
      const referrers = await find(scope, type, { collection, displayKey, ids: level });
      for (const referrer of referrers) walk.add(type, referrer, distance === 1);
    }
  }
  return walk.values();
}

/** What was found so far, for all resources at once. */
class Walk {
  /** By resource: what refers to it, by type and id. */
  readonly #found: ReadonlyMap<string, Map<string, InverseValue>>;
  /** By an id that is looked at: the resources that it leads to. */
  #leads: ReadonlyMap<string, ReadonlySet<string>>;
  #next = new Map<string, Set<string>>();

  constructor(ids: readonly string[]) {
    this.#found = new Map(ids.map((id) => [id, new Map()]));
    this.#leads = new Map(ids.map((id) => [id, new Set([id])]));
    for (const [id, leads] of this.#leads) this.#next.set(id, new Set(leads));
  }

  /** The ids that the next level is about. */
  get frontier(): readonly string[] {
    return [...this.#next.keys()];
  }

  begin(): void {
    this.#leads = this.#next;
    this.#next = new Map();
  }

  add(type: string, { value, owner, display }: Referrer, direct: boolean): void {
    const name = JSON.stringify([type, owner]);
    for (const id of this.#leads.get(value) ?? []) {
      const found = this.#found.get(id);
      if (found === undefined || found.has(name)) continue;
      found.set(name, { type, id: owner, display, direct });
      const leads = this.#next.get(owner) ?? new Set();
      this.#next.set(owner, leads.add(id));
    }
  }

  values(): ReadonlyMap<string, readonly InverseValue[]> {
    const compare = (a: InverseValue, b: InverseValue): number =>
      compareKeys(a.type, b.type) || compareKeys(a.id, b.id);
    return new Map([...this.#found].map(([id, found]) => [id, [...found.values()].toSorted(compare)]));
  }
}

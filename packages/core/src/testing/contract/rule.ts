/**
 * The form of a rule that every store keeps.
 * @module
 */
import type { EventFeed } from "../../store/event-feed.ts";
import type { ResourceStore } from "../../store/port.ts";

/** One rule of a store contract. Any test runner can run it. */
export interface ContractRule<Store> {
  /** The area and the decision behind it, stable: `uniqueness/by-the-store`. */
  readonly rule: string;
  /** What must hold, as a sentence. */
  readonly name: string;
  /**
   * Whether `run` only reads, all such rules the same resources: those may be given one store, empty for the first of
   * them, by an `open` that always resolves to it. Default false.
   */
  readonly onlyReads?: boolean;
  /**
   * Checks the rule on stores that `open` makes: each empty, and closed by the caller afterwards.
   * @throws ContractViolation where the rule does not hold
   */
  readonly run: (open: () => Promise<Store>) => Promise<void>;
}

/** A rule of a store of resources. */
export type ResourceStoreRule = ContractRule<ResourceStore>;

/** What a store may have or not. */
type Part = "imports" | "secrets" | "deleted";

/** A store that has this part. */
export type StoreWith<Name extends Part> = ResourceStore & {
  readonly [Key in Name]: NonNullable<ResourceStore[Key]>;
};

function has<Name extends Part>(store: ResourceStore, part: Name): store is StoreWith<Name> {
  return store[part] !== undefined;
}

/**
 * Makes what makes the rules of an area for the stores that have a part; of others they ask nothing.
 * `rulesOfStoresWith("deleted", "restore")` makes rules named `restore/…`, each given the store and what it keeps of
 * the deleted.
 */
export function rulesOfStoresWith<Name extends Part>(part: Name, area: string) {
  return (
    rule: string,
    name: string,
    run: (store: StoreWith<Name>, part: StoreWith<Name>[Name]) => Promise<void>,
  ): ResourceStoreRule => ({
    rule: `${area}/${rule}`,
    name,
    run: async (open) => {
      const store = await open();
      if (has(store, part)) await run(store, store[part]);
    },
  });
}

/** Resources and their events: of one store. */
export interface StoreWithEvents {
  readonly resources: ResourceStore;
  readonly events: EventFeed;
}

/** A rule of a store's events. */
export type EventFeedRule = ContractRule<StoreWithEvents>;

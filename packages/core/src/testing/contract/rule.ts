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

/** Resources and their events: of one store. */
export interface StoreWithEvents {
  readonly resources: ResourceStore;
  readonly events: EventFeed;
}

/** A rule of a store's events. */
export type EventFeedRule = ContractRule<StoreWithEvents>;

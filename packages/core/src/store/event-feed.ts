/**
 * What happened to a tenant's resources, as readers follow it: audit, webhooks, change feeds. Every change is told
 * in the transaction that makes it, and is given its position after the commit, so that a reader that asks for what
 * lies behind a position misses nothing, however long a transaction was open.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { ChangeOrigin } from "./change-origin.ts";
import type { Cutoff } from "./cutoff.ts";
import type { CollectionDelta, ResourceEvent, WritePlan } from "./write-plan.ts";

/** A change of a resource, as it is read. */
export interface FeedEvent extends ResourceEvent {
  /** From 1, one more for each event of the tenant, and never given twice. */
  readonly position: number;
  /** When the change was planned, UTC with milliseconds. Clocks differ: order is that of positions. */
  readonly at: string;
  /** The connection on whose behalf it happened. */
  readonly connection: string;
  /** Where it came from; null where nothing is known. */
  readonly origin: ChangeOrigin | null;
  /** Resource type and id. */
  readonly type: string;
  readonly id: string;
  /** Raw version that the change led to. */
  readonly version: string;
  /**
   * Raw version before; null for a new resource, and where the program that wrote the event did not tell it. Of a
   * `created` resource that has one: it had been deleted, and was restored.
   */
  readonly versionBefore: string | null;
  /**
   * The resource's JSON before and after, without collections. Both are null where only collections changed;
   * `before` is null for a new resource, `after` for a deleted one.
   */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  /** What came to and went from reference collections; of a deleted resource nothing is told. */
  readonly collections: readonly CollectionChange[];
}

/** What an event tells of a change to one reference collection: ids, or how many where they are many. */
export interface CollectionChange {
  /** Attribute path. */
  readonly path: string;
  /** Values that went, before others came; `"all"`: every one. More than `EVENT_VALUES` are only counted. */
  readonly removed: readonly string[] | number | "all";
  /**
   * Values that came, in their order, or whose other sub-attributes changed. More than `EVENT_VALUES` are only
   * counted: who needs them reads the collection.
   */
  readonly added: readonly string[] | number;
}

/** Values of one collection that an event names, in each direction. */
export const EVENT_VALUES = 1000;

/** What an event tells of a delta. */
export function collectionChangeOf({ path, remove, add }: CollectionDelta): CollectionChange {
  return {
    path,
    removed: remove === "all" ? "all" : namedOrCounted(remove),
    added: namedOrCounted(add.map(({ value }) => value)),
  };
}

/** What an event tells of the collections that a plan changes. */
export function collectionChangesOf(plan: WritePlan): readonly CollectionChange[] {
  if (plan.kind === "delete") return [];
  if (plan.kind === "restore") return plan.returning;
  const staged = plan.staged?.changes ?? [];
  return [
    ...plan.collections.map(collectionChangeOf),
    ...staged.map(({ path, removed, added, removedValues, addedValues }) => ({
      path,
      removed: removedValues ?? (removed === 0 ? [] : removed),
      added: addedValues ?? (added === 0 ? [] : added),
    })),
  ];
}

/** The version that a plan was computed on; null for a new resource. */
export function versionBefore(plan: WritePlan): string | null {
  return plan.kind === "create" ? null : plan.expectedVersion;
}

function namedOrCounted(values: readonly string[]): readonly string[] | number {
  return values.length > EVENT_VALUES ? values.length : values;
}

/** Which events are read. */
export interface FeedPage {
  /** Those behind this position; 0 for the beginning. */
  readonly after: number;
  /** At most so many: 1 or more. */
  readonly limit: number;
  /**
   * Ends the page behind the event by which the JSON that events tell comes to so many bytes, or near it: there is one event at
   * least. Default: no end.
   */
  readonly bytes?: number | undefined;
}

/**
 * Port of events: what readers of the outbox need.
 *
 * @example
 * let after = await rememberedPosition();
 * for (const event of await feed.read("default", { after, limit: 100 })) {
 *   await deliver(event);
 *   after = event.position;
 * }
 */
export interface EventFeed {
  /**
   * The events of a tenant behind a position, in order of position, without gaps: fewer than `limit` where there
   * are no more yet, or where they come to `bytes`. An event that has no position yet is not among them.
   */
  read(tenant: string, page: FeedPage): Promise<readonly FeedEvent[]>;
  /** Position of a tenant's last event that has one; 0 where there is none. */
  head(tenant: string): Promise<number>;
  /**
   * Gives positions to events that are committed and that no event still to be committed can come before: at most
   * `limit` (1 or more) to each tenant. No write waits for it, and any number of processes may do it at once.
   * Resolves to how many it gave; 0 where it found none to give.
   * @throws ScimError `unavailable` where the store cannot write now; behind all others what keeps the events of a tenant from
   *   theirs
   */
  assign(limit: number): Promise<number>;
  /**
   * Removes the first events of each tenant, as far as they are from before an instant: at most `limit` (1 or more). An
   * event that has no position yet stays, and so do all behind one that stays. Resolves to how many it removed.
   *
   * One that is later than `present`, the present in UTC with milliseconds, was written while a clock was ahead, and says nothing
   * of what lies behind it: it goes with the next of those that goes. Default: none is.
   */
  purge(before: Cutoff, limit: number, present?: string): Promise<number>;
}

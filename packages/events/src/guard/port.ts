/**
 * Port of the guard: what it counts in a store, and what it holds.
 * @module
 */
import type { KeyHolder, KeyLookup, Statement } from "@scim/core";
import type { AuditChange } from "../audit/entry.ts";
import type { AdminDecision } from "../decision.ts";
import type { RemovedValues } from "./removed-values.ts";

/** What is counted: users switched off, resources deleted, values taken out of reference collections. */
export type GuardMeasure = "deactivations" | "deletions" | "removals";

/** What is counted together. */
export interface GuardPlace {
  readonly tenant: string;
  readonly connection: string;
  readonly measure: GuardMeasure;
  /** Name of the resource type. */
  readonly type: string;
}

/** The counts of a place, and what is held there. */
export interface GuardState {
  /** When the present window began, UTC with milliseconds; null for none. */
  readonly started: string | null;
  readonly count: number;
  /** Whether it was told that the present window has too many. */
  readonly isTold: boolean;
  /** Whether any change is held that nobody released. */
  readonly holds: boolean;
  /** What changes of this resource that nobody released would take out of collections; null where none is held. */
  readonly held: RemovedValues | null;
  /** What changes of this resource that were released may take out of collections; null where none was released. */
  readonly released: RemovedValues | null;
}

/** Counts one change. */
export interface GuardCount extends GuardPlace {
  readonly by: number;
  /** The present; windows that began at `endsBefore` or earlier are over, and those from behind `latest`, when a clock was ahead. */
  readonly at: string;
  readonly endsBefore: string;
  readonly latest: string;
  /** So many at most in a window: beyond it the statement fails. Null for any number. */
  readonly most: number | null;
  /** Whether it was told that the window has too many. */
  readonly isTold: boolean;
}

/** Changes of a resource that are refused until somebody releases them. */
export interface HeldChange extends GuardPlace {
  readonly id: string;
  readonly resource: string;
  /** When it was refused first and last, UTC with milliseconds. */
  readonly first: string;
  readonly last: string;
  /** How often it was sent. */
  readonly tries: number;
  /** What the last of them would change; personal values are pseudonyms. */
  readonly changes: readonly AuditChange[];
  /** What all of them would take out of collections; of the ids, 100 are listed. */
  readonly removed: RemovedValues;
  /** When it was released; null where it was not. */
  readonly released: string | null;
}

/** Which held changes are read. */
export interface HeldPage {
  /** The change of this id alone. */
  readonly id?: string | undefined;
  readonly connection?: string | undefined;
  /** Those behind the change of this id. */
  readonly after?: string | null | undefined;
  /** At most so many: 1 or more. */
  readonly limit: number;
}

/** Which held changes are meant: one, or all of a connection. */
export type HeldChoice = { readonly id: string } | { readonly connection: string };

/** A resource that changes may be held of. */
export interface HeldResource {
  readonly tenant: string;
  readonly type: string;
  readonly id: string;
}

/** A reference collection of one resource. */
export interface OwnedCollection {
  readonly type: string;
  readonly id: string;
  readonly path: string;
  /** The values that are counted, in their own spelling. Default: all. */
  readonly among?: readonly string[];
}

/** The counts and holds of a store. */
export interface GuardStore {
  state(place: GuardPlace, resource: string): Promise<GuardState>;
  /** How many live resources of a type a tenant has. */
  population(tenant: string, type: string): Promise<number>;
  /**
   * How many values a reference collection holds over all live resources of a type, such as the members of all Groups.
   * Counts no further than `most`: 1 or more.
   */
  values(
    tenant: string,
    collection: { readonly type: string; readonly path: string },
    most: number,
  ): Promise<number>;
  /** How many values a reference collection has, or how many of some values. */
  references(tenant: string, collection: OwnedCollection): Promise<number>;
  /** The live resources that hold unique values: those that are named by them. */
  holders(tenant: string, lookup: KeyLookup): Promise<readonly KeyHolder[]>;
  /** A statement that counts, for the transaction that writes the change. It fails as {@link isGuardBound} tells. */
  counting(count: GuardCount): Statement;
  /** A statement that leaves so much of a release, for the transaction that writes a change; a count of 0 or less ends it. */
  taking(place: GuardPlace, resource: string, left: RemovedValues): Statement;
  /**
   * A statement that leaves so much of what is held of a resource, for the transaction that writes a change which passes without
   * a release; a count of 0 or less forgets it. What was released stays.
   */
  passing(place: GuardPlace, resource: string, left: RemovedValues): Statement;
  /**
   * A statement that forgets all that is held of a resource, whoever sent it, released or not, for the transaction that deletes the
   * resource: nothing is left that it could change.
   */
  forgetting(resource: HeldResource): Statement;
  /** Notes that a window has too many. Resolves to false where another did. */
  tell(place: GuardPlace, started: string): Promise<boolean>;
  /**
   * Keeps a refused change, or counts another try of it. Where another change of the resource is kept, what they take out
   * of collections adds up ({@link addRemoved}), and it stays released only where it is that this change may pass by, too
   * ({@link takeRemoved}).
   */
  hold(change: Omit<HeldChange, "first" | "tries" | "released">): Promise<void>;
  /** The held changes of a tenant, the oldest first. */
  held(tenant: string, page: HeldPage): Promise<readonly HeldChange[]>;
  /** Lets held changes pass when they are sent again. Resolves to how many. */
  release(tenant: string, which: HeldChoice, decision: AdminDecision): Promise<number>;
  /**
   * Forgets held changes: sent again, they are counted anew. Of those that were released, one that is named by its id.
   * Resolves to how many.
   */
  dismiss(tenant: string, which: HeldChoice, decision: AdminDecision): Promise<number>;
  /** Forgets what was not sent again since an instant. Resolves to how many: at most `limit`. */
  purge(tenant: string, before: string, limit: number): Promise<number>;
}

/** Name of the constraint by which counting fails. */
const BOUND = "guard_windows_bound";

/** Whether a statement failed because its window would have too many. */
export function isGuardBound(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each.message.includes(BOUND)) return true;
  }
  return false;
}

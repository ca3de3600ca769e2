/**
 * A place in a store where the values of a long collection are brought in, some at a time, before the write that takes
 * them over: neither the body of a request nor the plan of the write holds them all.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { EVENT_VALUES } from "./event-feed.ts";
import type { ReferenceValue } from "./stored-resource.ts";
import type { CollectionDelta } from "./write-plan.ts";

/** Values on their way to a stage, as text: a database takes it as it is, and threads hand it on cheaply. */
export interface ReferenceBatch {
  /** JSON text of a list of pairs: a `value`, and the JSON text of what stands beside it. Every `value` once. */
  readonly text: string;
  /** How many pairs there are. */
  readonly size: number;
}

/** A collection of a resource, which need not exist yet. */
export interface StageTarget {
  readonly type: string;
  readonly id: string;
  /** Attribute path; that of the staged values too. */
  readonly path: string;
}

/** How a collection changes so that it holds what is staged: in full where that is short, else in numbers. */
export type StageDifference =
  | { readonly kind: "short"; readonly delta: CollectionDelta }
  | { readonly kind: "long"; readonly change: StagedChange };

/** A change of a collection to what is staged. Values that stay keep their place. */
export interface StagedChange {
  readonly path: string;
  /** How many values go. */
  readonly removed: number;
  /** How many come, or change what stands beside them. */
  readonly added: number;
  /** Which go, where they are few enough for an event to name them (`EVENT_VALUES`). Default: that is not told. */
  readonly removedValues?: readonly string[];
  /** Which come or change, in the order of the stage, where they are few enough. Default: that is not told. */
  readonly addedValues?: readonly string[];
}

/** The part of a plan that takes staged values over. */
export interface StagedWrite {
  /** Id of the stage. */
  readonly stage: string;
  readonly changes: readonly StagedChange[];
}

/**
 * Says what stands beside a value that stays, where other things are staged than it has.
 * @throws what refuses the change
 */
export type SettleReference = (held: ReferenceValue, staged: JsonObject) => JsonObject;

/** A stage. Its calls are made one after another. */
export interface ReferenceStage {
  /** Names it in the plan of the write; unpredictable. */
  readonly id: string;
  /**
   * Adds values behind those of the collection that are staged already. Values that are there already are not
   * added: they are answered, with what stands beside them.
   */
  add(path: string, batch: ReferenceBatch): Promise<readonly ReferenceValue[]>;
  /** Puts something else beside values that are staged. */
  amend(path: string, batch: ReferenceBatch): Promise<void>;
  /**
   * How a collection differs from what is staged for it. `settle` is asked in the order of the staged values, and what
   * it says holds until the next comparison. A write that takes the values over must expect the version that the
   * comparison was made on.
   */
  compare(target: StageTarget, settle: SettleReference): Promise<StageDifference>;
  /**
   * How a collection changes that loses the values which are staged for it, and no others: what stands beside them, and values
   * that it does not hold, tell nothing. A write takes that over as it takes over a comparison.
   */
  leave(target: StageTarget): Promise<StageDifference>;
  /** Lets everything go. More than once does no harm. */
  close(): Promise<void>;
}

/** A difference of more values than this is told in numbers. */
export const SHORT_DIFFERENCE = 1000;

/** Tells a long difference, with the values that an event names of it: others need not be given. */
export function stagedChange(
  path: string,
  { removed, added, removedValues, addedValues }: Required<Omit<StagedChange, "path">>,
): StagedChange {
  const isNamed = (count: number): boolean => count > 0 && count <= EVENT_VALUES;
  return {
    path,
    removed,
    added,
    ...(isNamed(removed) ? { removedValues } : {}),
    ...(isNamed(added) ? { addedValues } : {}),
  };
}

/** Makes a batch of values, each of which is there once. */
export function referenceBatch(values: readonly ReferenceValue[]): ReferenceBatch {
  return {
    text: JSON.stringify(values.map(({ value, rest }) => [value, JSON.stringify(rest)])),
    size: values.length,
  };
}

/** The values of a batch. */
export function pairsOf({ text }: ReferenceBatch): readonly ReferenceValue[] {
  // Their form is that of a batch.
  const pairs = JSON.parse(text) as readonly (readonly [string, string])[];
  return pairs.map(([value, rest]) => ({ value, rest: JSON.parse(rest) as JsonObject }));
}

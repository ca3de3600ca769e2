/**
 * What an import asks of a store beside single writes: look-ups and writes of many resources at once, and how far a
 * run has come.
 * @module
 */
import type { ComparisonKey } from "@scim/filter";
import type { StoreScope } from "./port.ts";
import type { CreatePlan, WritePlan, WriteResult } from "./write-plan.ts";

/** What became of the records of a run up to a place. */
export interface ImportCounts {
  readonly created: number;
  readonly replaced: number;
  /** There already, with the same content. */
  readonly unchanged: number;
}

/** How far a run has come. */
export interface ImportProgress extends ImportCounts {
  /** Records that are done, rejected ones among them. */
  readonly position: number;
}

/** A step of a run, stored in the transaction of what it tells of. */
export interface ImportStep {
  /** Name of the run within its tenant: whoever imports makes it from the source. */
  readonly run: string;
  /** Records that are done with this step. */
  readonly position: number;
  /** What this step adds. */
  readonly adds: ImportCounts;
}

/** Text keys of an attribute to look for. */
export interface KeyLookup {
  readonly type: string;
  /** Attribute path. */
  readonly path: string;
  /** The scope of unique values to look in; null to look in the index of the attribute, which must be built. */
  readonly unique: string | null;
  readonly keys: readonly ComparisonKey[];
}

/** A live resource that holds a key. */
export interface KeyHolder {
  readonly key: ComparisonKey;
  readonly id: string;
}

/** What became of many plans. */
export type WriteAllResult =
  | { readonly kind: "written" }
  /**
   * A plan stands in the way of all, and nothing was written. With a single plan, what `write` would answer; null where
   * it takes each alone to tell.
   */
  | { readonly kind: "refused"; readonly result: WriteResult | null };

/** New resources that are gathered and then written together: many more of them than `writeAll` takes. */
export interface NewResources {
  /**
   * Adds resources without references and statements; nothing is written yet.
   * @param free attributes whose indexes are built: no resource of the type may hold one of the keys that the plans
   *   have of them. Values that must be unique need no mention.
   */
  add(plans: readonly CreatePlan[], free: readonly string[]): void;
  /**
   * Writes what was added and a step of the run in one transaction, and begins anew. A store may go on before the disk has
   * what was written: `settled` tells.
   * @returns false where something stands in the way, and nothing was written
   * @throws ScimError `unavailable` where the store cannot write now
   */
  write(step: ImportStep | null): Promise<boolean>;
  /**
   * Resolves when all that was written is durable.
   * @throws ScimError `unavailable` where that is not known
   */
  settled(): Promise<void>;
}

/** Port of imports. A store without it is written to one resource after another. */
export interface ImportStore {
  /** Who holds the keys; of a key that several hold, each. */
  holders(scope: StoreScope, lookup: KeyLookup): Promise<readonly KeyHolder[]>;
  /**
   * Applies plans of different resources and a step of the run in one transaction, or nothing.
   * @throws ScimError `unavailable` where the store cannot write now
   */
  writeAll(scope: StoreScope, plans: readonly WritePlan[], step: ImportStep | null): Promise<WriteAllResult>;
  /** Begins to gather new resources. */
  gather(scope: StoreScope): NewResources;
  /** How far a run has come; null where it has not begun, or is forgotten. */
  progress(scope: StoreScope, run: string): Promise<ImportProgress | null>;
  /** How many runs have begun, and are not forgotten, whose names begin with a text. */
  begun(scope: StoreScope, beginning: string): Promise<number>;
  /** Forgets a run. */
  forget(scope: StoreScope, run: string): Promise<void>;
}

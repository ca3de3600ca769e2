/**
 * What an import is given and what it answers.
 * @module
 */
import type { JsonValue, ScimError } from "@scim/schemas";
import type { ImportRun } from "./import-run.ts";
import type { SeenKeys } from "./seen-keys.ts";

/** A resource to import. */
export interface ImportItem {
  /** Number of its record in the source, from 1: rejections name it. */
  readonly record: number;
  /** Name of the resource type. */
  readonly type: string;
  readonly body: JsonValue;
}

/** A record that whoever read the source could not make a resource of. It counts as one that is rejected. */
export interface RefusedItem {
  readonly record: number;
  readonly error: ScimError;
}

/** How the resources of a source are imported. */
export interface ImportRules {
  /** The keys of the source so far; those of the items are added. An item may come again. */
  readonly seen: SeenKeys;
  /**
   * Whether resources keep their `id` and `meta.created`. Without, both are ignored, and the service makes new ones.
   * Derived attributes (`groups`) are ignored either way.
   */
  readonly keepIds: boolean;
  /**
   * What becomes of a resource that exists. `upsert` replaces it where its content differs; `create` rejects the item,
   * unless the content is the same.
   */
  readonly mode: "create" | "upsert";
}

/** Resources to import together. */
export interface ImportRequest extends ImportRules {
  /** In the order of the source. */
  readonly items: readonly (ImportItem | RefusedItem)[];
}

/** What becomes of an item. */
export interface ImportOutcome {
  readonly record: number;
  readonly kind: "created" | "replaced" | "unchanged" | "rejected";
  /** Id of the resource; null where the item is rejected. */
  readonly id: string | null;
  /** Why it is rejected; null where it is not. */
  readonly error: ScimError | null;
}

/** Items that are read, checked and planned. Nothing is written yet. */
export interface PreparedImport {
  /**
   * What is planned, in the order of the items, up to one that those before it bear upon: that one and what follows is
   * planned when these are written. Uniqueness is decided when it is written.
   */
  readonly outcomes: readonly ImportOutcome[];
  /**
   * Whether more may be prepared while these are written: nothing of them changes what resources existed before, or
   * what is found by values that are not unique.
   */
  readonly mayOverlap: boolean;
  /**
   * Tells what would come of writing the items now, and writes nothing: what is planned, but for items that are rejected
   * because another resource holds a value that must be unique. What items of other batches would change is not seen.
   * @throws ScimError `unavailable` where the store cannot be read now
   */
  foresee(): Promise<readonly ImportOutcome[]>;
  /**
   * Writes the items, each whole or not at all. They share transactions, and each transaction that ends a step of the
   * run stores how far it has come.
   * @param options `run` is that whose progress is stored, null to store none; `onRejected` is told of an item
   *   that is rejected and is not so in `outcomes`, before any progress beyond it is stored
   * @returns what became of each item
   * @throws ScimError `unavailable` where the store cannot write now; what is stored of the run tells what was written
   */
  apply(options: ImportApplication): Promise<readonly ImportOutcome[]>;
}

/** What is planned of an item that is taken for a new one. */
export interface GatheredItem {
  readonly outcome: ImportOutcome;
  /** The range of keys with which it is written, from 0; null for an item that is rejected. */
  readonly range: number | null;
}

/**
 * Items that are taken for new ones: none is looked for before. Whether they are is decided when they are written, many
 * thousands in one transaction: those whose keys fall into one range together, so that they share pages of indexes.
 */
export interface NewImports {
  /**
   * Reads, checks and plans items.
   * @param most how many items of a range are written together, where these are the first of one
   * @returns what is planned; null where some of them have to be prepared, and then none was added
   */
  add(items: ImportRequest["items"], most: number): readonly GatheredItem[] | null;
  /**
   * Writes what was added of a range and the progress of the run, and begins the range anew. It may be durable later:
   * `settled` tells. Ranges are best written in the order in which they were begun; one at a time. What was rejected so
   * far counts as told of.
   * @param run whose progress is stored, null to store none
   * @returns false where some of them are not new after all: nothing was written, and all have to be prepared
   * @throws ScimError `unavailable` where the store cannot write now
   */
  write(range: number, run: ImportRun | null): Promise<boolean>;
  /**
   * Resolves when all that was written is durable.
   * @throws ScimError `unavailable` where that is not known
   */
  settled(): Promise<void>;
}

/** How prepared items are written. */
export interface ImportApplication {
  readonly run: ImportRun | null;
  readonly onRejected: (outcome: ImportOutcome) => Promise<void>;
}

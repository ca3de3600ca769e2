/**
 * What a write changes, as data: a store applies a plan in one atomic step.
 * @module
 */
import type { ComparisonKey } from "@scim/filter";
import type { JsonObject } from "@scim/schemas";
import type { ChangeOrigin } from "./change-origin.ts";
import type { CollectionChange } from "./event-feed.ts";
import type { SecretChange } from "../secrets/secret-sink.ts";
import type { StagedWrite } from "./reference-stage.ts";
import type { Statement } from "./statement.ts";
import type { ReferenceValue, StoredResource } from "./stored-resource.ts";

/**
 * Where an attribute value is found by index. The entries of a resource are a set: a value that an attribute
 * holds twice has one, which goes when the last goes. They must be those of all values that are not null,
 * also of empty text; where a resource can have one value and has none, one entry says so.
 */
export interface IndexEntry {
  /** Attribute path. */
  readonly path: string;
  /** Null: there is no value. */
  readonly key: ComparisonKey | null;
}

/** A value that must be unique. */
export interface UniqueEntry {
  /** Attribute path. */
  readonly path: string;
  /** Over what it is unique: a resource type (`type:User`), all types (`global`), or a switch's own scope. */
  readonly scope: string;
  readonly key: ComparisonKey;
}

/** Entries that a write adds and removes. Removals happen before additions. */
export interface EntryDelta<Entry> {
  readonly add: readonly Entry[];
  readonly remove: readonly Entry[];
}

/** A change to one reference collection. */
export interface CollectionDelta {
  /** Attribute path. */
  readonly path: string;
  /** Values that go; `"all"`: every one. Happens before adding. */
  readonly remove: readonly string[] | "all";
  /** Values that come, or take the place (same position) of the one with the same `value`. */
  readonly add: readonly ReferenceValue[];
}

/** What a change is told as, in the outbox, in the same transaction (`before` and `after` leave collections out). */
export interface ResourceEvent {
  /** `created` also where a deleted resource was restored: there was a version before then. */
  readonly kind: "created" | "replaced" | "patched" | "deleted";
  readonly subject: string | null;
  /** Where the change comes from. Default: nothing is known. */
  readonly origin?: ChangeOrigin | null | undefined;
  /** Attribute paths that changed. */
  readonly changed: readonly string[];
}

interface WriteCommon {
  readonly type: string;
  readonly id: string;
  /** When the write happens, UTC with milliseconds. */
  readonly at: string;
  /** Unpredictable text that makes the new version unrepeatable: 1 to 64 of `A-Z`, `a-z`, `0-9`, `_`, `-`. */
  readonly nonce: string;
  readonly event: ResourceEvent;
  /**
   * Statements of the application, run after the store's own in the same transaction. Where one fails, nothing is
   * written, and the error of the database is thrown as it is.
   */
  readonly statements?: readonly Statement[];
}

interface CollectionsPlan {
  readonly collections: readonly CollectionDelta[];
  /** Collections that come to hold what a stage holds, beside those of `collections`. */
  readonly staged?: StagedWrite | undefined;
  /** Hashes of secrets, for a type whose secrets the store keeps (`TypeCapabilities.secrets`). Default: all stay. */
  readonly secrets?: readonly SecretChange[];
}

/** Stores a new resource. */
export interface CreatePlan extends WriteCommon, CollectionsPlan {
  readonly kind: "create";
  /** When it was created, where that was elsewhere: UTC with milliseconds. Default `at`. */
  readonly created?: string;
  /**
   * Whether the id comes from elsewhere, and no resource of another type may have it, a deleted one included: an `id` is unique
   * over the whole service (RFC 7643 §3.1). Default: the service has made it, and nobody has it.
   */
  readonly keepsId?: boolean;
  readonly body: JsonObject;
  /**
   * Revision of the tenant's own schemas that the plan was made by. Null or missing: whatever they have become. A store
   * that keeps none takes every plan.
   */
  readonly schemas?: number | null;
  readonly index: readonly IndexEntry[];
  /**
   * Revision of the index catalog whose every attribute `index` covers. Null or missing: it may cover fewer, and the
   * store makes up for it later.
   */
  readonly indexRevision?: number | null;
  readonly unique: readonly UniqueEntry[];
  /**
   * Values to take, behind those of `unique`, where the store holds the rule of their scope for all who write
   * (`ConnectionRules`); elsewhere nothing is done for them. Default none.
   */
  readonly whereHeld?: readonly UniqueEntry[];
}

/** Changes a resource, if its version is still the one that the plan was computed on. */
export interface UpdatePlan extends WriteCommon, CollectionsPlan {
  readonly kind: "update";
  readonly expectedVersion: string;
  /** The JSON before, where `body` takes its place and it is known: a store need not read it again. */
  readonly bodyBefore?: JsonObject | undefined;
  /** The new JSON, or null where only collections change. */
  readonly body: JsonObject | null;
  readonly index: EntryDelta<IndexEntry>;
  /**
   * Revision of the index catalog whose every attribute `index` covers. Null or missing: it may cover fewer, and the
   * store makes up for it later.
   */
  readonly indexRevision?: number | null;
  readonly unique: EntryDelta<UniqueEntry>;
  /** As that of a `CreatePlan`; taken behind what `unique` removes. */
  readonly whereHeld?: readonly UniqueEntry[];
}

/** Deletes a resource, if its version is still the one that the plan was computed on. References to it stay. */
export interface DeletePlan extends WriteCommon {
  readonly kind: "delete";
  readonly expectedVersion: string;
}

/**
 * Brings a deleted resource back under its id, with the values of its collections, if its version is still the one that
 * the plan was computed on. It is told as `created`: whoever follows events was told that it went. Only for stores that
 * have `ResourceStore.deleted`.
 */
export interface RestorePlan extends WriteCommon {
  readonly kind: "restore";
  readonly expectedVersion: string;
  /** When it was deleted, as it was read: of what a purge has begun to remove, that is another instant. */
  readonly deleted: string;
  /** The JSON that it comes back with: what it was deleted with, or what a hook made of it. */
  readonly body: JsonObject;
  /** As that of a `CreatePlan`. */
  readonly schemas?: number | null;
  /** All entries: a deletion removes them. */
  readonly index: readonly IndexEntry[];
  /** As that of a `CreatePlan`. */
  readonly indexRevision?: number | null;
  readonly unique: readonly UniqueEntry[];
  /** As that of a `CreatePlan`. */
  readonly whereHeld?: readonly UniqueEntry[];
  /** The values of its collections that come back with it, as the event tells them; the store has them. */
  readonly returning: readonly CollectionChange[];
}

/** One atomic change. */
export type WritePlan = CreatePlan | UpdatePlan | DeletePlan | RestorePlan;

/** What a store that keeps resources in its own way made of a plan; with the collections, where those differ too. */
export type WrittenState = Pick<StoredResource, "id" | "created" | "lastModified" | "body"> &
  Partial<Pick<StoredResource, "collections">>;

/** What became of a plan. A store that keeps resources as they are planned tells no `state`. */
export type WriteResult =
  | { readonly kind: "written"; readonly version: string; readonly state?: WrittenState }
  /** The resource has another version by now, or is gone (`current` null). Nothing was written. */
  | { readonly kind: "conflict"; readonly current: string | null }
  /** Another resource holds the value. Nothing was written. */
  | { readonly kind: "duplicate"; readonly entry: UniqueEntry }
  /** The id is taken, by a resource of the type or, where the plan keeps an id, of another. Nothing was written. */
  | { readonly kind: "exists" }
  /** The tenant or type of a new resource went, or the type changed its meaning, since the plan was made. Nothing was written. */
  | { readonly kind: "outdated" };

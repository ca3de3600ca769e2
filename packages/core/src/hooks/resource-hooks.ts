/**
 * What an application may say to the changes of a resource type, and what it may do in their transaction.
 * @module
 */
import type { JsonObject, ScimError } from "@scim/schemas";
import type { ChangeOrigin } from "../store/change-origin.ts";
import type { CollectionDelta, ResourceEvent } from "../store/write-plan.ts";
import type { StagedChange } from "../store/reference-stage.ts";
import type { Statement } from "../store/statement.ts";

/** On whose behalf a change is made. */
export interface HookContext {
  readonly tenant: string;
  readonly connection: string;
  /** The `id` of the resource that the caller is, or null. */
  readonly subject: string | null;
  /** Who asked besides: an administrator, a command, the credential of a connection; null where that is not known. */
  readonly origin: ChangeOrigin | null;
  /** Aborted when the client goes away, or the time of the hook is over. */
  readonly signal: AbortSignal;
  /** Whether the change is only tried out: nothing will be written. */
  readonly dryRun: boolean;
}

/** What changes of a resource. */
export interface ResourceChanges {
  /** Paths of the attributes that change, those of collections and of secrets among them. */
  readonly attributes: readonly string[];
  /** What comes and goes of reference collections (`members`). */
  readonly collections: readonly CollectionDelta[];
  /** Collections of which thousands of values come or go, in numbers: they are never all in memory. */
  readonly longCollections: readonly StagedChange[];
}

/** A change as it is planned. */
export interface HookedChange {
  readonly kind: ResourceEvent["kind"];
  /** Name of the resource type. */
  readonly type: string;
  readonly id: string;
  /**
   * The attributes before, null for a new resource; and after, null for one that is deleted. Names are spelled as the
   * schema spells them; empty values, `id`, `meta`, `schemas`, reference collections and secrets are left out.
   */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly changes: ResourceChanges;
}

/** A change that is about to be written. */
export interface HookedEvent extends HookedChange {
  readonly tenant: string;
  readonly connection: string;
  readonly subject: string | null;
  /** When, in UTC with milliseconds. */
  readonly at: string;
}

/**
 * The hooks of one resource type. POST, PUT, PATCH, DELETE, bulk jobs, dry runs, tools and imports all pass through
 * them, and a change that changes nothing passes through none.
 *
 * @example
 * const hooks: ResourceHooks = {
 *   plan: async ({ tenant, signal }, { kind }) => {
 *     if (kind === "created" && (await seatsLeft(tenant, signal)) === 0)
 *       throw new ScimError("invalidValue", "No seat is left: buy more seats, or deactivate a user.");
 *   },
 *   statements: ({ kind, tenant, id }) =>
 *     kind === "created"
 *       ? [{ text: "INSERT INTO seats (tenant, user_id) VALUES (?, ?)", params: [tenant, id] }]
 *       : [],
 * };
 */
export interface ResourceHooks {
  /** The kinds of changes that the hooks are asked about: others pass as fast as without hooks. Default: all. */
  readonly kinds?: readonly HookedChange["kind"][];
  /** Milliseconds that `plan` may take. Default: `ServiceLimits.hookTimeout`. */
  readonly timeout?: number;
  /**
   * Looks at a change before it is written, within `timeout`. It may refuse by throwing a `ScimError`, or amend by
   * returning other attributes for `after`, which are validated as those of the client were; what it returns for a deletion
   * is ignored. Versions have been compared by then, uniqueness has not: that is the store's. The hook is asked again where
   * others changed the resource in the meantime, so it must not count calls.
   *
   * What else it throws is a fault of the service (500) whose message no client sees; past its time the answer is 503.
   */
  plan?(context: HookContext, change: HookedChange): Promise<JsonObject | void> | JsonObject | void;
  /**
   * Statements of the application that the store runs in the same transaction, after its own: all of it is written, or
   * nothing. Must be pure: it may be asked more than once for one change. A dry run takes them back. What is no list of
   * statements, such as a promise, and statements that end the transaction, are a fault of the service (500): nothing is
   * written.
   */
  statements?(event: HookedEvent): readonly Statement[];
  /**
   * What to answer where the store failed to write the statements: null for a fault of the service (500). The error is
   * the one of the database's driver.
   */
  refusal?(error: unknown, event: HookedEvent): ScimError | null;
}

/**
 * Deleted resources that a store still keeps: what an administrator restores.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { ChangeOrigin } from "./change-origin.ts";
import type { StoreScope } from "./port.ts";

/** A deleted resource, whose values nobody is shown. */
export interface DeletedResource {
  readonly type: string;
  readonly id: string;
  /** The connection that created it. */
  readonly connection: string;
  /** Raw version that it was left with: no client was ever shown it. */
  readonly version: string;
  /** Instants in UTC with milliseconds. */
  readonly created: string;
  readonly deleted: string;
  /** Who deleted it; null where that is not known, or not any more. */
  readonly by: Deletion | null;
}

/** On whose behalf a resource was deleted. */
export interface Deletion {
  readonly connection: string;
  /** The `id` of the resource that the caller was, or null. */
  readonly subject: string | null;
  readonly origin: ChangeOrigin | null;
}

/** A deleted resource with its values, collections aside. */
export interface KeptResource extends DeletedResource {
  /** In normal form, as {@link StoredResource.body} was. */
  readonly body: JsonObject;
}

/** Where a deleted resource stands among those of a tenant: the last deleted come first. */
export type DeletedPlace = Pick<DeletedResource, "deleted" | "type" | "id">;

/** A page of deleted resources. */
export interface DeletedPage {
  /** Those that were deleted at this instant or later; UTC with milliseconds. */
  readonly since: string;
  /** Those of this resource type. Default: all. */
  readonly type?: string | undefined;
  /** Begin behind this place; null for the beginning. Nothing need stand there. */
  readonly after: DeletedPlace | null;
  /** At most so many: 1 or more. */
  readonly limit: number;
}

/**
 * Port of deleted resources. A store that has it keeps a deleted resource, with the values of its collections, until
 * `ResourceStore.purge` is told that its time is over, and brings it back by a `RestorePlan`. What a purge has begun to
 * remove, or was erased, is not among them any more, whatever the time that is asked for.
 */
export interface DeletedResources {
  /**
   * In the order of {@link DeletedPlace}. What it costs depends on the page, never on how many lie before it; where it is one of
   * a type, on how many of others lie between.
   */
  list(scope: StoreScope, page: DeletedPage): Promise<readonly DeletedResource[]>;
  /** The deleted resource of an id; null where there is none: it is live, was never there, or is not kept any more. */
  read(
    scope: StoreScope,
    target: { readonly type: string; readonly id: string },
  ): Promise<KeptResource | null>;
}

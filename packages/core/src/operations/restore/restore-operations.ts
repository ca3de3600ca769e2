/**
 * What restoring deleted resources asks of a service.
 * @module
 */
import type { ScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Profile } from "../../profiles/profile.ts";
import type { DeletedPage, DeletedResource } from "../../store/deleted-resources.ts";
import type { Precondition } from "../../versioning/precondition.ts";

/** A deleted resource, and until when such can be restored. */
export interface RestoreTarget {
  readonly type: string;
  readonly id: string;
  /** What was deleted before this instant is restored no more; UTC with milliseconds. */
  readonly since: string;
  /**
   * The profile of the connection that created the resource: its uniqueness rules hold for it. Default: that of the
   * context.
   */
  readonly profileOf?: ((connection: string) => Promise<Profile> | Profile) | undefined;
}

/** A restoration. */
export interface RestoreRequest extends RestoreTarget {
  /** It must name the version of the deleted resource, or `*`. */
  readonly precondition: Precondition;
}

/** A resource that was restored. */
export interface RestoredResource {
  readonly type: string;
  readonly id: string;
  /** Raw version that it has now. */
  readonly version: string;
  /** When it was deleted, and when restored; UTC with milliseconds. */
  readonly deleted: string;
  readonly restored: string;
}

/** How many memberships come back in one collection. */
export interface ReturningCollection {
  /** Name of the resource type that owns the collection, such as `Group`, and its path in it, such as `members`. */
  readonly type: string;
  readonly path: string;
  /** At least 1. */
  readonly count: number;
}

/**
 * Which memberships a restoration brings back: `memberOf` those of others that name the resource, `members` those that it
 * holds itself.
 */
export type ReturningSide = "memberOf" | "members";

/** What a restoration would come to. Nothing was written. */
export interface RestorePreview {
  readonly resource: DeletedResource;
  /** Why it would be refused now; null where it would not. */
  readonly refusal: ScimError | null;
  /** Memberships in live resources, which kept them: nobody else can take them out but who holds them. */
  readonly memberOf: readonly ReturningCollection[];
  /** The values of the resource's own collections. */
  readonly members: readonly ReturningCollection[];
}

/** A membership that comes back. */
export interface ReturningMembership {
  /** The resource that holds it, the path of the collection, and its place there. */
  readonly type: string;
  readonly id: string;
  readonly path: string;
  readonly position: number;
  /** The id that it names. */
  readonly value: string;
}

/** Where a membership stands among those that come back. */
export type MembershipPlace = Omit<ReturningMembership, "value">;

/** A page of the memberships that come back. */
export interface ReturningRequest extends Omit<RestoreTarget, "profileOf"> {
  readonly side: ReturningSide;
  /** Begin behind this place; null for the beginning. */
  readonly after: MembershipPlace | null;
  /** At most so many: 1 or more. */
  readonly limit: number;
}

/**
 * Restorations: for administrators, never for clients. All but the list throw ScimError `notFound` where there is no
 * such resource to restore, `conflict` where it is not deleted, and `notImplemented` where the store keeps none.
 */
export interface RestoreOperations {
  /**
   * The deleted resources of the tenant, the last deleted first.
   * @throws ScimError `notImplemented`; `notFound` where there is no such type, or its resources are values of others
   */
  listDeleted(context: RequestContext, page: DeletedPage): Promise<readonly DeletedResource[]>;
  /** Tells what would come of a restoration, and what comes back with it. */
  previewRestore(context: RequestContext, target: RestoreTarget): Promise<RestorePreview>;
  /** A page of the memberships that come back: what it costs depends on the page alone. */
  returningMemberships(
    context: RequestContext,
    request: ReturningRequest,
  ): Promise<readonly ReturningMembership[]>;
  /**
   * Restores a deleted resource under its id, with a new version, as it was deleted: with the values of its own
   * collections, and with the memberships that others still hold of it. It passes the hooks as a new resource does.
   * @throws ScimError `versionRequired`, `versionMismatch`; `uniqueness` where another resource has taken a value
   *   meanwhile; `unavailable` where the store cannot write now
   */
  restore(context: RequestContext, request: RestoreRequest): Promise<RestoredResource>;
}

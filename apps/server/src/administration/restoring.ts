/**
 * Deleted resources as administrators see and restore them: on the database, or on a running server. Ids and counts are
 * shown, and no values.
 * @module
 */
import type {
  ChangeOrigin,
  DeletedPlace,
  DeletedResource,
  MembershipPlace,
  OperatorService,
  Profile,
  RestoredResource,
  RestorePreview,
  ReturningMembership,
  ReturningSide,
  VersionCondition,
} from "@scim/core";
import { ScimError } from "@scim/schemas";
import type { KeyPage } from "@scim/tenancy";
import { operatorContext } from "../operator/operator-context.ts";
import { connectionProfiles, profileOf } from "../profile.ts";
import { modelNamed } from "../schemas/named-model.ts";
import type { Settings } from "../settings/table.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { keptFor, serviceRetention } from "../upkeep/retention.ts";
import { type DeletedFilter, placeBehind } from "./deleted-filter.ts";

/** A deleted resource, with the end of the time in which it can be restored; UTC with milliseconds. */
export interface ShownDeleted extends DeletedResource {
  readonly until: string;
}

/** Why a restoration would be refused now. */
export interface ShownRefusal {
  readonly status: number;
  readonly scimType: string | null;
  readonly detail: string;
}

/** What a restoration would come to. */
export interface ShownPreview extends Omit<RestorePreview, "resource" | "refusal"> {
  readonly resource: ShownDeleted;
  readonly refusal: ShownRefusal | null;
}

/** One resource by its type and id. */
export interface NamedResource {
  readonly type: string;
  readonly id: string;
}

/** Deleted resources of one tenant. */
export interface Restorations {
  /** A page of them, the last deleted first; its keys are those of {@link deletedKey}. */
  list(page: KeyPage, filter: DeletedFilter): Promise<readonly ShownDeleted[]>;
  preview(resource: NamedResource): Promise<ShownPreview>;
  /** A page of the memberships that come back; its keys are those of {@link membershipKey}. */
  memberships(
    resource: NamedResource,
    side: ReturningSide,
    page: KeyPage,
  ): Promise<readonly ReturningMembership[]>;
  restore(resource: NamedResource, ifMatch: VersionCondition | null): Promise<RestoredResource>;
}

/** What deleted resources of a database are restored with. */
export interface RestoringParts {
  readonly settings: Settings;
  readonly opened: OpenedStore;
  readonly serviceOf: (tenant: string) => Promise<OperatorService> | OperatorService;
}

/** Deleted resources of the database, of a tenant that is there. */
export async function restorationsHere(
  { settings, opened, serviceOf }: RestoringParts,
  tenant: string,
  origin: ChangeOrigin,
): Promise<Restorations> {
  const { tenants, connections } = opened.store;
  const service = await serviceOf(tenant);
  const context = operatorContext({ tenant, origin, profile: profileOf(settings) });
  const kept = await keptFor(serviceRetention(settings), tenants)("deleted", tenant);
  const since = new Date(Date.now() - kept).toISOString();
  const profiles = connectionProfiles(settings, connections);
  const profile = (connection: string): Promise<Profile> => profiles(tenant, connection);
  const shown = (resource: DeletedResource): ShownDeleted => ({
    ...resource,
    until: new Date(Date.parse(resource.deleted) + kept).toISOString(),
  });
  const catalog = await opened.rules.catalogOf(tenant);
  const models = catalog.models().filter(({ rows }) => rows === null);
  const named = ({ type, id }: NamedResource): NamedResource => ({ type: modelNamed(models, type).name, id });
  return {
    list: async ({ after, count }, filter) => {
      const page = {
        since: filter.since !== null && filter.since > since ? filter.since : since,
        type: filter.type === null ? undefined : modelNamed(models, filter.type).name,
        after: placeBehind(after === null ? null : deletedPlace(after), filter),
        limit: count,
      };
      return (await service.listDeleted(context, page)).map(shown);
    },
    preview: async (asked) => {
      const target = { ...named(asked), since, profileOf: profile };
      const { resource, refusal, ...returning } = await service.previewRestore(context, target);
      return { resource: shown(resource), refusal: shownRefusal(refusal), ...returning };
    },
    memberships: async (resource, side, { after, count }) =>
      service.returningMemberships(context, {
        ...named(resource),
        since,
        side,
        after: after === null ? null : membershipPlace(after),
        limit: count,
      }),
    restore: async (resource, ifMatch) =>
      service.restore(context, {
        ...named(resource),
        since,
        profileOf: profile,
        precondition: { ifMatch, ifNoneMatch: null },
      }),
  };
}

function shownRefusal(refusal: ScimError | null): ShownRefusal | null {
  if (refusal === null) return null;
  const { status, scimType, message } = refusal;
  return { status, scimType: scimType ?? null, detail: message };
}

/** The key of a deleted resource: where a page goes on. */
export function deletedKey({ deleted, type, id }: DeletedPlace): string {
  return [deleted, type, id].join(" ");
}

function deletedPlace(key: string): DeletedPlace {
  const [deleted, type, id, ...more] = key.split(" ");
  if (deleted !== undefined && type !== undefined && id !== undefined && more.length === 0)
    return { deleted, type, id };
  throw noKey();
}

/** The key of a membership among those that come back. */
export function membershipKey({ type, path, id, position }: MembershipPlace): string {
  return [type, path, id, position].join(" ");
}

function membershipPlace(key: string): MembershipPlace {
  const [type, path, id, position, ...more] = key.split(" ");
  if (type !== undefined && path !== undefined && id !== undefined && more.length === 0) {
    const place = { type, path, id, position: Number(position) };
    if (Number.isSafeInteger(place.position)) return place;
  }
  throw noKey();
}

function noKey(): ScimError {
  return new ScimError("invalidValue", "The parameter 'after' is the 'next' of an earlier page.");
}

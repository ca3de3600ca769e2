/**
 * Deleted resources of a tenant on a running server.
 * @module
 */
import type { RestoredResource, ReturningMembership } from "@scim/core";
import type { NamedResource, Restorations, ShownDeleted, ShownPreview } from "../administration/restoring.ts";
import { type AdminClient, at, typedIn, typedOf } from "./admin-requests.ts";

const DELETED = ["type", "id", "connection", "version", "created", "deleted", "by", "until"] as const;
const PREVIEW = ["resource", "refusal", "memberOf", "members"] as const;
const MEMBERSHIP = ["type", "id", "path", "position", "value"] as const;
const RESTORED = ["type", "id", "version", "deleted", "restored"] as const;
/** Milliseconds that the server may count memberships, or restore what has a million (two minutes). */
const LONG_MS = 120_000;

/** Deleted resources of a tenant on a server. */
export function restorationsAtServer(admin: AdminClient, tenant: string): Restorations {
  const all = at`/tenants/${tenant}/deleted`;
  const one = ({ type, id }: NamedResource): string => `${all}${at`/${type}/${id}`}`;
  return {
    list: async ({ after, count }, filter) => {
      const query = { after, limit: count, ...filter };
      const body = await admin.send({ method: "GET", path: all, query });
      return typedIn<ShownDeleted>(body, "deleted", DELETED);
    },
    preview: async (resource) => {
      const body = await admin.send({ method: "GET", path: one(resource), timeout: LONG_MS });
      return typedOf<ShownPreview>(body, PREVIEW);
    },
    memberships: async (resource, side, { after, count }) => {
      const path = `${one(resource)}/${side}`;
      const body = await admin.send({ method: "GET", path, query: { after, limit: count } });
      return typedIn<ReturningMembership>(body, side, MEMBERSHIP);
    },
    restore: async (resource) => {
      const path = one(resource);
      const request = { method: "POST", path: `${path}/restore`, timeout: LONG_MS } as const;
      return typedOf<RestoredResource>(await admin.change(request, path), RESTORED);
    },
  };
}

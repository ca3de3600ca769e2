/**
 * `GET /admin/v1/tenants/{tenant}/audit`: the audit log of a tenant, page by page.
 * @module
 */
import { statedEntry, type AuditEntry, type AuditStore, type ChainedEntry } from "@scim/events";
import { ScimError } from "@scim/schemas";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { pageOf, parameterOf, tenantOf } from "./page-parameters.ts";

/** The routes of the audit log. */
export function auditRoutes(audit: Pick<AuditStore, "read">): FastifyPluginAsync {
  return async (instance) => {
    instance.get("/tenants/:tenant/audit", async (request) => {
      const { since, limit } = pageOf(request);
      const page = { after: since ?? 0, limit, resource: resourceOf(request) };
      const entries = await audit.read(tenantOf(request), page);
      return { entries: entries.map(shownEntry), next: entries.at(-1)?.position ?? page.after };
    });
  };
}

/** An entry with its hash, as it is shown. */
export function shownEntry(entry: ChainedEntry): AuditEntry & Pick<ChainedEntry, "hash"> {
  return { ...statedEntry(entry), hash: entry.hash };
}

function resourceOf(request: FastifyRequest): { readonly type: string; readonly id: string } | undefined {
  const [type, id] = [parameterOf(request, "type"), parameterOf(request, "id")];
  if (type !== null && id !== null) return { type, id };
  if (type === null && id === null) return undefined;
  throw new ScimError("invalidValue", "A resource is named by 'type' and 'id' together.");
}

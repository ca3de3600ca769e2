/**
 * `GET /admin/v1/tenants/{tenant}/audit`: the audit log of a tenant, page by page; `GET /admin/v1/audit`: the trail of
 * administration.
 * @module
 */
import { ADMIN_TRAIL, statedEntry, type AuditEntry, type AuditStore, type ChainedEntry } from "@scim/events";
import { ScimError } from "@scim/schemas";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { pageOf, parameterOf, tenantOf } from "./page-parameters.ts";
import { asks } from "./rights.ts";

/** The routes of the audit log. */
export function auditRoutes(audit: Pick<AuditStore, "read">): FastifyPluginAsync {
  return async (instance) => {
    const answer = async (tenant: string, request: FastifyRequest): Promise<AuditAnswer> => {
      const { since, limit } = pageOf(request);
      const page = { after: since ?? 0, limit, resource: resourceOf(request) };
      const entries = await audit.read(tenant, page);
      return { entries: entries.map(shownEntry), next: entries.at(-1)?.position ?? page.after };
    };
    instance.get("/tenants/:tenant/audit", asks("read"), (request) => answer(tenantOf(request), request));
    instance.get("/audit", asks("read", "all"), (request) => answer(ADMIN_TRAIL, request));
  };
}

interface AuditAnswer {
  readonly entries: readonly (AuditEntry & Pick<ChainedEntry, "hash">)[];
  /** The position to go on behind. */
  readonly next: number;
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

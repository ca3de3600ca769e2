/**
 * `GET /admin/v1/tenants/{tenant}/audit`: the audit log of a tenant, page by page, with its checkpoints and whether its
 * chain holds; `GET /admin/v1/audit`: the same of the trail of administration.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventFeed } from "@scim/core";
import {
  ADMIN_TRAIL,
  verifyAudit,
  type AuditKeys,
  type AuditReport,
  type AuditStore,
  type Checkpoint,
} from "@scim/events";
import { ScimError } from "@scim/schemas";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { lastEntries, shownEntry, type ShownEntry } from "../audit/shown-entry.ts";
import {
  LAST_OR_PAGE,
  lastOf,
  pageOf,
  parameterOf,
  POSITION_PAGE,
  sinceOf,
  taking,
  tenantOf,
} from "./parameters.ts";
import { asks } from "./rights.ts";

/** What the routes read. */
export interface AuditRoutes extends AuditKeys {
  readonly audit: AuditStore;
  readonly events: Pick<EventFeed, "head">;
}

/** The routes of the audit log. */
export function auditRoutes({ audit, events, ...keys }: AuditRoutes): FastifyPluginAsync {
  const list = async (tenant: string, request: FastifyRequest): Promise<AuditAnswer> => {
    const { since, limit } = pageOf(request);
    const last = lastOf(request);
    const after = last === null ? (since ?? 0) : await lastEntries(audit, tenant, last);
    const page = { after, limit: last ?? limit, resource: resourceOf(request) };
    const entries = page.limit === 0 ? [] : await audit.read(tenant, page);
    return { entries: entries.map(shownEntry), next: entries.at(-1)?.position ?? page.after };
  };
  const checkpoints = async (tenant: string, request: FastifyRequest): Promise<CheckpointAnswer> => {
    const { since, limit } = pageOf(request);
    const from = since ?? 0;
    const found = await audit.checkpoints(tenant, from, limit);
    const last = found.at(-1);
    return { checkpoints: found, next: last === undefined ? from : last.position + 1 };
  };
  const verify = (tenant: string, request: FastifyRequest): Promise<AuditReport> =>
    verifyAudit(tenant, { ...keys, audit, events, since: sinceOf(request) ?? undefined, pause: nextTurn });

  return async (instance) => {
    const all = [
      { path: "", answer: list, takes: [...LAST_OR_PAGE, "type", "id"] },
      { path: "/checkpoints", answer: checkpoints, takes: POSITION_PAGE },
      { path: "/verification", answer: verify, takes: ["since"] },
    ] as const;
    for (const { path, answer, takes } of all) {
      instance.get(`/tenants/:tenant/audit${path}`, taking(asks("read"), ...takes), (request) =>
        answer(tenantOf(request), request),
      );
      instance.get(`/audit${path}`, taking(asks("read", "all"), ...takes), (request) =>
        answer(ADMIN_TRAIL, request),
      );
    }
  };
}

interface AuditAnswer {
  readonly entries: readonly ShownEntry[];
  /** The position to go on behind. */
  readonly next: number;
}

interface CheckpointAnswer {
  readonly checkpoints: readonly Checkpoint[];
  /** The position to go on from. */
  readonly next: number;
}

function resourceOf(request: FastifyRequest): { readonly type: string; readonly id: string } | undefined {
  const [type, id] = [parameterOf(request, "type"), parameterOf(request, "id")];
  if (type !== null && id !== null) return { type, id };
  if (type === null && id === null) return undefined;
  throw new ScimError("invalidValue", "A resource is named by 'type' and 'id' together.");
}

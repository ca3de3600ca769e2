/**
 * `GET /admin/v1/tenants/{tenant}/audit`: the audit log of a tenant, page by page, with its checkpoints and whether its
 * chain holds; `GET /admin/v1/audit`: the same of the trail of administration.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CatalogSource, EventFeed } from "@scim/core";
import {
  ADMIN_TRAIL,
  AUDIT_FILTERS,
  readAuditFilters,
  verifyAudit,
  type AskedAudit,
  type AuditFilters,
  type AuditKeys,
  type AuditReport,
  type AuditStore,
  type Checkpoint,
} from "@scim/events";
import { abortedWith } from "@scim/http/node";
import { ScimError } from "@scim/schemas";
import { ADMIN_TENANT, type ConnectionStore, hasRight } from "@scim/tenancy";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { lastEntries, shownEntry, type ShownEntry } from "../audit/shown-entry.ts";
import { requireGivenPosition } from "../audit/given-position.ts";
import { withoutWays } from "../audit/receiver-addresses.ts";
import { missingTypes, type Notice, noticesMember } from "../schemas/missing-types.ts";
import { requireFilteredConnection } from "./filtered-connection.ts";
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
import { readingTurnOf } from "./reading-turns.ts";
import { administratorOfRequest, asks } from "./rights.ts";

/** What the routes read. */
export interface AuditRoutes extends AuditKeys {
  readonly audit: AuditStore;
  readonly events: Pick<EventFeed, "head">;
  readonly catalog: CatalogSource;
  readonly connections: ConnectionStore;
}

/** The routes of the audit log. */
export function auditRoutes({
  audit,
  events,
  catalog,
  connections,
  ...keys
}: AuditRoutes): FastifyPluginAsync {
  const list = async (tenant: string, request: FastifyRequest): Promise<AuditAnswer> => {
    const { since, limit } = pageOf(request);
    const last = lastOf(request);
    const filters = filtersOf(request);
    if (last !== null && AUDIT_FILTERS.some((name) => filters[name] !== undefined))
      throw new ScimError("invalidValue", LAST_OF_ALL);
    const after = last === null ? (since ?? 0) : await lastEntries(audit, tenant, last);
    if (last === 0) return { entries: [], next: after, more: false };
    const { entries, next, more } = await audit.find(tenant, { ...filters, after, limit: last ?? limit });
    if (entries.length === 0) await requireGivenPosition(events, tenant, since);
    const { type, connection } = filters;
    const filtered = { tenant, connection, rows: entries, behind: since };
    if (!more) await requireFilteredConnection({ connections }, filtered);
    const types = type === undefined || entries.length > 0 ? [] : [type];
    const notices = await missingTypes(catalog, tenant, { path: "type", types });
    const shown = entries.map((entry) => shownTo(request, tenant, shownEntry(entry)));
    return { entries: shown, next, more, ...noticesMember(notices) };
  };
  const checkpoints = async (tenant: string, request: FastifyRequest): Promise<CheckpointAnswer> => {
    const { since, limit } = pageOf(request);
    const from = since ?? 0;
    const found = await audit.checkpoints(tenant, from, limit);
    // What there is to go on from behind the last checkpoint is one more than its position.
    if (found.length === 0) await requireGivenPosition(events, tenant, from - 1);
    const last = found.at(-1);
    return { checkpoints: found, next: last === undefined ? from : last.position + 1 };
  };
  const stopping = new AbortController();
  const verify = async (
    tenant: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<AuditReport> => {
    const since = sinceOf(request) ?? undefined;
    // A log may be long: nothing goes on for a client that is gone, and may have asked again, or holds up a stop.
    const signal = AbortSignal.any([abortedWith(reply.raw), stopping.signal]);
    const turn = readingTurnOf(request);
    const pause = async (): Promise<void> => {
      turn.end();
      await nextTurn(undefined, { signal });
      await turn.take();
    };
    try {
      await turn.take();
      return await verifyAudit(tenant, { ...keys, audit, events, since, pause });
    } catch (cause) {
      if (!signal.aborted) throw cause;
      if (!stopping.signal.aborted)
        throw new ScimError("unavailable", "The client went away before its answer.", { cause });
      const detail = "The server stops before it has gone through the log. Ask again: another one answers.";
      throw new ScimError("unavailable", detail, { cause, headers: { "retry-after": "1" } });
    }
  };

  return async (instance) => {
    instance.addHook("preClose", async () => stopping.abort());
    const all = [
      { path: "", answer: list, takes: [...LAST_OR_PAGE, ...AUDIT_FILTERS] },
      { path: "/checkpoints", answer: checkpoints, takes: POSITION_PAGE },
      { path: "/verification", answer: verify, takes: ["since"] },
    ] as const;
    for (const { path, answer, takes } of all) {
      instance.get(`/tenants/:tenant/audit${path}`, taking(asks("read"), ...takes), (request, reply) =>
        answer(tenantOf(request), request, reply),
      );
      instance.get(`/audit${path}`, taking(asks("read", "all"), ...takes), (request, reply) =>
        answer(ADMIN_TRAIL, request, reply),
      );
    }
  };
}

const LAST_OF_ALL =
  "Give 'last', or what is looked for, not both: that is found from the earliest on, or from a time on with 'from'.";

interface AuditAnswer {
  readonly entries: readonly ShownEntry[];
  /** The position to go on behind. */
  readonly next: number;
  /** Whether there may be more behind it: a page ends early where the server has looked at many entries. */
  readonly more: boolean;
  /** Where nothing is found of a type: whether the tenant has it. */
  readonly notices?: readonly Notice[];
}

interface CheckpointAnswer {
  readonly checkpoints: readonly Checkpoint[];
  /** The position to go on from. */
  readonly next: number;
}

/** An entry, as the administrator of a request may see it. */
function shownTo(request: FastifyRequest, log: string, entry: ShownEntry): ShownEntry {
  if (log !== ADMIN_TRAIL) return entry;
  const administrator = administratorOfRequest(request);
  return withoutWays(entry, (tenant) =>
    tenant === ADMIN_TENANT
      ? hasRight(administrator, "own", null)
      : hasRight(administrator, "change", tenant),
  );
}

function filtersOf(request: FastifyRequest): AuditFilters {
  const asked: AskedAudit = Object.fromEntries(
    AUDIT_FILTERS.map((name) => [name, parameterOf(request, name) ?? undefined]),
  );
  return readAuditFilters(asked, Date.now());
}

/**
 * The request log as commands read it: that of the database, or of a running server.
 * @module
 */
import { ServiceError } from "@scim/client";
import {
  readRunChanges,
  type RequestCase,
  type RequestQuery,
  type RequestRun,
  type RunChange,
  type RunChangesPage,
  type RunChangesRequest,
  type RunQuery,
  type StoredRequest,
} from "@scim/events";
import { ScimError } from "@scim/schemas";
import { type ConnectionName, requireConnectionAt } from "../administration/connections.ts";
import { requireKnownConnection } from "../administration/known-tenant.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { type AdminClient, at, typedIn, typedOf } from "../remote/admin-requests.ts";
import { upTo } from "../remote/long-reading.ts";
import type { Settings } from "../settings/table.ts";
import { caseOfEntry, openCases } from "./case-of-entry.ts";
import { namedProfile } from "./named-profile.ts";

/** What commands read of the request log. */
export interface RequestReading {
  /**
   * Requires that a connection is there of which nothing was found.
   * @throws CommandFailure; TenancyError `notFound`
   */
  requireConnection(name: ConnectionName): Promise<void>;
  list(tenant: string, query: RequestQuery): Promise<readonly StoredRequest[]>;
  /** An entry by its id; null where there is none. */
  find(tenant: string, id: string): Promise<StoredRequest | null>;
  runs(tenant: string, query: RunQuery): Promise<readonly RequestRun[]>;
  changesOf(tenant: string, request: RunChangesRequest): Promise<RunChangesPage>;
  /**
   * The case of an entry.
   * @param profile as people name it; null for that of the connection
   */
  caseOf(entry: StoredRequest, profile: string | null): Promise<RequestCase>;
  /** Whether a failure says no more than that the log is away for now. */
  isAway(failure: unknown): boolean;
}

/** The request log of the database. */
export function requestsHere(settings: Settings, opened: OpenedStore): RequestReading {
  const { store, auditKeys, rules } = opened;
  const { requests } = store;
  const cases = openCases(settings, opened);
  return {
    requireConnection: (name) => requireKnownConnection(store, name),
    list: (tenant, query) => requests.list(tenant, query),
    find: (tenant, id) => requests.find(tenant, id),
    runs: (tenant, query) => requests.runs(tenant, query),
    changesOf: (tenant, request) =>
      readRunChanges({ ...auditKeys, ...store, catalog: rules.catalogOf }, tenant, request),
    caseOf: async (entry, profile) =>
      caseOfEntry(cases, entry, profile === null ? null : namedProfile(profile)),
    isAway: () => false,
  };
}

const ENTRY = ["id", "at", "method", "target", "route", "status", "headers", "requestId"] as const;
const RUN = ["run", "connection", "begun", "ended", "requests"] as const;
const CHANGE = ["position", "kind", "type", "id", "changes", "collections"] as const;
const CASE = ["version", "profile", "documents", "given", "request", "expect"] as const;

/** The request log of a server. */
export function requestsAtServer(admin: AdminClient): RequestReading {
  const runOf = (tenant: string, run: string): string => at`/tenants/${tenant}/runs/${run}`;
  return {
    requireConnection: (name) => requireConnectionAt(admin, name),
    list: async (tenant, { status, ...query }) => {
      const path = at`/tenants/${tenant}/requests`;
      // From the newest back, unless it is from one entry on.
      const isOnward = query.after !== undefined;
      const { entries } = await upTo(query.limit, query.after ?? query.before, async (place, limit) => {
        const from = isOnward ? { after: place } : { before: place };
        const asked = { ...query, ...from, limit, status: statusText(status) };
        const body = await admin.send({ method: "GET", path, query: asked });
        const found = typedIn<StoredRequest>(body, "requests", ENTRY);
        // Large entries come in several pages.
        return { entries: found, next: found.at(-1)?.id ?? place, more: typeof body["next"] === "string" };
      });
      return entries;
    },
    find: async (tenant, id) => {
      const found = await admin.find(at`/tenants/${tenant}/requests/${id}`);
      return found === null ? null : typedOf<StoredRequest>(found, ENTRY);
    },
    runs: async (tenant, { run, ...query }) => {
      if (run === undefined) {
        const path = at`/tenants/${tenant}/runs`;
        const { entries } = await upTo(query.limit, query.before, async (before, limit) => {
          const body = await admin.send({ method: "GET", path, query: { ...query, before, limit } });
          const found = typedIn<RequestRun>(body, "runs", RUN);
          return { entries: found, next: found.at(-1)?.run ?? before };
        });
        return entries;
      }
      const found = await admin.find(runOf(tenant, run), { limit: 1 });
      if (found === null) return [];
      const { changes: _told, next: _next, more: _more, ...one } = found;
      return [typedOf<RequestRun>(one, RUN)];
    },
    changesOf: async (tenant, { run, since, limit }) => {
      const path = runOf(tenant, run.run);
      const body = await admin.send({ method: "GET", path, query: { since, limit } });
      const changes = typedIn<RunChange>(body, "changes", CHANGE);
      return { changes, next: Number(body["next"]), more: body["more"] === true };
    },
    caseOf: async ({ tenant, id }, profile) => {
      const path = at`/tenants/${tenant}/requests/${id}/case`;
      try {
        return typedOf<RequestCase>(await admin.send({ method: "GET", path, query: { profile } }), CASE);
      } catch (cause) {
        // What the log of the database says of an entry that it does not hold whole.
        if (cause instanceof ServiceError && cause.status === 400 && cause.detail !== null)
          throw new ScimError("invalidValue", cause.detail, { cause });
        throw cause;
      }
    },
    isAway: (failure) => admin.isAway(failure),
  };
}

/** A status, or a range of them, as addresses have it. */
function statusText(status: RequestQuery["status"]): string | undefined {
  if (status === undefined) return undefined;
  const { from, to } = status;
  if (from === to) return String(from);
  return to - from > 99 ? "failed" : `${String(from).slice(0, 1)}xx`;
}

/** An entry by its id, or by the id of the request; null where there is none. */
export async function requestNamed(
  requests: Pick<RequestReading, "find" | "list">,
  tenant: string,
  id: string,
): Promise<StoredRequest | null> {
  const found = await requests.find(tenant, id);
  return found ?? (await requests.list(tenant, { requestId: id, limit: 1 }))[0] ?? null;
}

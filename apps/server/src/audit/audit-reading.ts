/**
 * The audit log as commands read it: that of the database, or of a running server.
 * @module
 */
import { canonicalJson } from "@scim/core";
import {
  type AuditFilters,
  type AuditReport,
  type ChainedEntry,
  type Checkpoint,
  verifyAudit,
} from "@scim/events";
import { ADMIN_TENANT } from "@scim/tenancy";
import { requireConnectionAt } from "../administration/connections.ts";
import { requireKnownConnection } from "../administration/known-tenant.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { cell } from "../output.ts";
import { missingTypes, type Notice, noticesIn } from "../schemas/missing-types.ts";
import { type AdminClient, at, objectsIn, typedIn, typedOf } from "../remote/admin-requests.ts";
import { MOST_AT_ONCE, moreIn, upTo } from "../remote/long-reading.ts";
import { requireGivenPosition } from "./given-position.ts";
import { lastEntries, shownEntry, type ShownEntry } from "./shown-entry.ts";

/** Which entries are listed. */
export interface AuditListing {
  /** Those behind this position; null for the last, and of what is looked for the first. */
  readonly since: number | null;
  readonly limit: number;
  /** What is looked for; null for all. */
  readonly filters: AuditFilters | null;
}

/** An entry as it is exported. */
export type ExportedEntry = Pick<ChainedEntry, "position" | "hash" | "text">;

/** What commands read of the audit log of a tenant. */
export interface AuditReading {
  /**
   * Requires that a connection is there of which nothing was found.
   * @throws CommandFailure; TenancyError `notFound`
   */
  requireConnection(connection: string): Promise<void>;
  /** What there is to say of a resource type of which nothing was found. */
  noticesOf(type: string): Promise<readonly Notice[]>;
  /** Entries, and the position to go on behind. */
  list(listing: AuditListing): Promise<{ readonly entries: readonly ShownEntry[]; readonly next: number }>;
  verify(since: number | null, onProgress: (entries: number) => void): Promise<AuditReport>;
  /** Entries behind a position, in order. */
  entries(after: number, limit: number): Promise<readonly ExportedEntry[]>;
  /** Checkpoints from a position on, in order. */
  checkpoints(from: number, limit: number): Promise<readonly Checkpoint[]>;
}

/** The audit log of the database. */
export function auditHere({ store, auditKeys, rules }: OpenedStore, tenant: string): AuditReading {
  const { audit, events } = store;
  return {
    requireConnection: (connection) => requireKnownConnection(store, { tenant, connection }),
    noticesOf: (type) => missingTypes(rules.catalogOf, tenant, { path: "type", types: [type] }),
    list: async ({ since, limit, filters }) => {
      const isLast = since === null && filters === null;
      const from = isLast ? await lastEntries(audit, tenant, limit) : (since ?? 0);
      return upTo(limit, from, async (after, count) => {
        const { entries, next, more } = await audit.find(tenant, { ...filters, after, limit: count });
        if (entries.length === 0) await requireGivenPosition(events, tenant, since);
        return { entries: entries.map(shownEntry), next, more };
      });
    },
    verify: (since, onProgress) =>
      verifyAudit(tenant, { ...auditKeys, audit, events, since: since ?? undefined, onProgress }),
    entries: async (after, limit) => {
      const entries = await audit.read(tenant, { after, limit });
      if (entries.length === 0) await requireGivenPosition(events, tenant, after);
      return entries;
    },
    checkpoints: (from, limit) => audit.checkpoints(tenant, from, limit),
  };
}

/** Milliseconds that a verification may take (one hour). */
const VERIFICATION_MS = 3_600_000;

/** What every entry is shown with, unreadable ones too. */
const ENTRY = ["position", "at", "type", "id", "hash"] as const;
const REPORT = ["tenant", "valid", "entries", "checkpoints", "faults"] as const;
const CHECKPOINT = ["position"] as const;

/** The audit log of a server. */
export function auditAtServer(admin: AdminClient, tenant: string): AuditReading {
  const path = tenant === ADMIN_TENANT ? "/audit" : at`/tenants/${tenant}/audit`;
  const entriesOf = async (query: Readonly<Record<string, string | number | undefined>>) => {
    const body = await admin.send({ method: "GET", path, query });
    const entries = typedIn<ShownEntry>(body, "entries", ENTRY);
    return { entries, next: Number(body["next"]), ...moreIn(body) };
  };
  return {
    requireConnection: (connection) => requireConnectionAt(admin, { tenant, connection }),
    noticesOf: async (type) =>
      noticesIn(await admin.send({ method: "GET", path, query: { type, limit: 1 } })),
    list: async ({ since, limit, filters }) => {
      const isLast = since === null && filters === null;
      const behind = (place: number, count: number) => entriesOf({ since: place, limit: count, ...filters });
      if (isLast && limit <= MOST_AT_ONCE) {
        const { entries, next, more } = await entriesOf({ last: limit });
        if (entries.length >= limit || more !== true) return { entries, next };
        // Large entries come in several pages.
        const rest = await upTo(limit - entries.length, next, behind);
        return { entries: [...entries, ...rest.entries], next: rest.next };
      }
      const from = isLast ? Math.max(0, (await entriesOf({ last: 0 })).next - limit) : (since ?? 0);
      return upTo(limit, from, behind);
    },
    verify: async (since) => {
      const request = { method: "GET", path: `${path}/verification`, timeout: VERIFICATION_MS } as const;
      return typedOf<AuditReport>(await admin.send({ ...request, query: { since } }), REPORT);
    },
    entries: async (after, limit) => {
      const body = await admin.send({ method: "GET", path, query: { since: after, limit } });
      return objectsIn(body, "entries").map(({ hash, ...stated }) => ({
        position: Number(stated["position"]),
        hash: cell(hash),
        // What the hash is over: JSON has one canonical form (RFC 8785).
        text: typeof stated["unreadable"] === "string" ? stated["unreadable"] : canonicalJson(stated),
      }));
    },
    checkpoints: async (from, limit) => {
      const body = await admin.send({
        method: "GET",
        path: `${path}/checkpoints`,
        query: { since: from, limit },
      });
      return typedIn<Checkpoint>(body, "checkpoints", CHECKPOINT);
    },
  };
}

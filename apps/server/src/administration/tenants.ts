/**
 * Tenants as commands administer them: on the database, or on a running server.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import {
  createTenant,
  deleteTenant,
  findTenant,
  type NewTenant,
  type Tenant,
  type TenantChange,
} from "@scim/tenancy";
import { allOf } from "../remote/admin-pages.ts";
import { at } from "../remote/admin-requests.ts";
import type { Administered } from "./administer.ts";
import { changeWholeTenant } from "./change-tenant.ts";
import { REMOVED_AT_ONCE, tenantSettled } from "./deletion.ts";
import { shownTenant } from "./shown.ts";

/** A deletion that was asked for. */
export interface WantedDeletion {
  readonly tenant: string;
  readonly exported: boolean;
  /** Told how many rows are gone, where that is known on the way. */
  readonly onProgress: (rows: number) => void;
}

/** What commands do to tenants; each is given as it is shown. */
export interface TenantAdministration {
  create(wanted: NewTenant): Promise<JsonObject>;
  find(tenant: string): Promise<JsonObject>;
  change(tenant: string, change: TenantChange): Promise<JsonObject>;
  /** All of them, by name. */
  list(): Promise<readonly JsonObject[]>;
  /** Resolves to how many rows are gone. */
  remove(wanted: WantedDeletion): Promise<number>;
}

/** Tenants that are read at once. */
const PAGE = 500;
/** Milliseconds that a deletion may take (one hour). */
const DELETION_MS = 3_600_000;

/** What a server tells of a tenant at least. */
const SHOWN = ["tenant", "state"] as const;

/** Tenants, on the database or on a server. */
export const TENANTS: Administered<TenantAdministration> = {
  database: (ports) => ({
    create: async (wanted) => shownTenant(await createTenant(ports, wanted)),
    find: async (tenant) => shownTenant(await findTenant(ports, tenant)),
    change: async (tenant, change) =>
      shownTenant(await changeWholeTenant(ports, { tenant, expected: null }, change)),
    list: async () => {
      const all: Tenant[] = [];
      for (;;) {
        const page = await ports.tenants.list({ after: all.at(-1)?.tenant ?? null, count: PAGE });
        all.push(...page);
        if (page.length < PAGE) return all.map(shownTenant);
      }
    },
    remove: (wanted) =>
      deleteTenant(ports, { ...wanted, expected: null, batch: REMOVED_AT_ONCE, settled: tenantSettled }),
  }),
  server: (admin) => ({
    create: ({ tenant, displayName }) =>
      admin.send({ method: "POST", path: "/tenants", body: { tenant, displayName }, answers: SHOWN }),
    find: (tenant) => admin.send({ method: "GET", path: at`/tenants/${tenant}`, answers: SHOWN }),
    change: (tenant, change) =>
      admin.change({ method: "PATCH", path: at`/tenants/${tenant}`, body: { ...change }, answers: SHOWN }),
    list: () => allOf(admin, { path: "/tenants", name: "tenants" }),
    remove: async ({ tenant, exported }) => {
      const path = at`/tenants/${tenant}`;
      const query = { exported: String(exported) };
      const request = { method: "DELETE", path, query, answers: ["removed"], timeout: DELETION_MS } as const;
      const { removed } = await admin.change(request);
      return Number(removed);
    },
  }),
};

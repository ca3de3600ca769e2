/**
 * Tenants, and what the service asks of a store of them.
 * @module
 */
import type { AdminAct } from "../acts/admin-act.ts";
import type { Connection } from "../connections/connection.ts";
import type { KeyPage } from "../key-page.ts";
import type { TenantSettings } from "./tenant-settings.ts";

/** A deleted tenant's name is never given again: cursors, logs and backups still bear it. */
export type TenantState = "active" | "suspended" | "deleted";

/** A customer: it owns resources, connections and events. */
export interface Tenant extends TenantSettings {
  /** Its name, as it stands in addresses and tokens. */
  readonly tenant: string;
  /** What people call it, or null. */
  readonly displayName: string | null;
  readonly state: TenantState;
  /** UTC with milliseconds. */
  readonly created: string;
  /** Grows with each change of its Schema and ResourceType documents; 0 where it never had any. */
  readonly documents: number;
  /** Grows with each change; see `nextRevision`. */
  readonly revision: number;
}

/** A connection that a tenant begins with, and the act that tells of it. */
export interface FirstConnection {
  readonly connection: Connection;
  readonly act?: AdminAct | undefined;
}

/** Port of tenants. An act that is given is told in the transaction of the write, or neither is kept. */
export interface TenantStore {
  find(tenant: string): Promise<Tenant | null>;
  /** Tenants in the order of their names. */
  list(page: KeyPage): Promise<readonly Tenant[]>;
  /**
   * Adds a tenant. Resolves to false where there is one of this name, or was: nothing is added then.
   * @param first the connection that it begins with, in the same transaction: neither is there without the other. Default none
   */
  add(tenant: Tenant, act?: AdminAct, first?: FirstConnection): Promise<boolean>;
  /** Writes a tenant with its new revision. Resolves to false where the stored one has not the revision `before`. */
  replace(tenant: Tenant, before: number, act?: AdminAct): Promise<boolean>;
  /**
   * Removes rows that belong to a tenant, so many at most, but not the tenant itself. Resolves to how many there
   * were: 0 when none is left, and none can come any more of a write that began before the tenant was deleted.
   */
  removeRows(tenant: string, most: number): Promise<number>;
  /**
   * Removes hashes of secrets of a tenant, so many at most; none while the tenant keeps them. Resolves to how many there were.
   */
  removeHashes(tenant: string, most: number): Promise<number>;
}

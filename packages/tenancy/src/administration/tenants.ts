/**
 * Tenants made, changed and deleted.
 * @module
 */
import { nextRevision } from "@scim/core";
import { type Acting, actOf, type AdminAct, toldChange } from "../acts/admin-act.ts";
import type { Connection } from "../connections/connection.ts";
import { DEFAULT_NAME, isTenantName } from "../credentials/token-text.ts";
import type { Tenant, TenantStore } from "../tenants/tenant.ts";
import {
  type Discovery,
  NO_TENANT_SETTINGS,
  type RetentionKind,
  type SecretHandling,
  type TenantLimit,
} from "../tenants/tenant-settings.ts";
import { checkedNameOrNull } from "./checked-name.ts";
import { beginRules } from "./hold-rules.ts";
import type { TenancyPorts } from "./ports.ts";
import { CHANGE_ATTEMPTS, changedMeanwhile, TenancyError } from "./tenancy-error.ts";
import { changedLimits, changedRetention, type NumberChanges } from "./tenant-bounds.ts";
import { toldConnection, toldTenant } from "./told-states.ts";

/** A tenant to make. */
export interface NewTenant {
  readonly tenant: string;
  readonly displayName?: string | null;
}

/** What changes of a tenant; what is left out stays. */
export interface TenantChange {
  readonly displayName?: string | null | undefined;
  readonly state?: "active" | "suspended" | undefined;
  /** Limits that it narrows, by the name of the setting; null takes one back to that of the service. */
  readonly limits?: NumberChanges<TenantLimit> | undefined;
  /** Days that what is over is kept; null takes one back to that of the service. */
  readonly retention?: NumberChanges<RetentionKind> | undefined;
  /** Who may read its discovery. */
  readonly discovery?: Discovery | undefined;
  /** What becomes of secrets. Where they are dropped from now on, `forgetSecrets` removes the hashes. */
  readonly secrets?: SecretHandling | undefined;
}

/** Port that finding a tenant needs. */
interface TenantFinder {
  readonly tenants: Pick<TenantStore, "find">;
}

/** Ports that changes of tenants need. */
type TenantPorts = Pick<TenancyPorts, "tenants"> & Acting;

/** Ports that making a tenant needs. */
type CreationPorts = Pick<TenancyPorts, "tenants" | "uniqueness"> & Acting;

/** Ports that changes of what a tenant has of its own need. */
type ChangePorts = Pick<TenancyPorts, "tenants" | "ceilings"> & Acting;

const NAME = "A display name";

/**
 * Makes a tenant, and its first connection, `default`.
 * @throws TenancyError `invalid`, `exists`
 */
export async function createTenant(ports: CreationPorts, wanted: NewTenant): Promise<Tenant> {
  const { tenant, displayName = null } = wanted;
  if (!isTenantName(tenant)) {
    throw new TenancyError(
      "invalid",
      `'${tenant}' cannot name a tenant: use a-z, 0-9 and, behind the first, -; at most 63, not v and digits, not admin.`,
    );
  }
  const made: Tenant = {
    tenant,
    displayName: checkedNameOrNull(NAME, displayName),
    state: "active",
    ...NO_TENANT_SETTINGS,
    documents: 0,
    created: ports.now(),
    revision: nextRevision(0, ports.random()),
  };
  const act = actOf(ports, { type: "Tenant", id: tenant, ...toldChange([null, made], toldTenant) });
  const connection = firstConnection(ports, made);
  if (!(await ports.tenants.add(made, act, { connection, act: toldFirst(ports, connection) }))) {
    throw new TenancyError("exists", `There is a tenant '${tenant}', or was: a name is not given again.`);
  }
  await beginRules(ports.uniqueness, connection);
  return made;
}

function firstConnection({ random }: Acting, { tenant, created }: Tenant): Connection {
  return {
    tenant,
    connection: DEFAULT_NAME,
    state: "active",
    profile: null,
    switches: [],
    rate: null,
    guard: null,
    silentAfter: null,
    created,
    revision: nextRevision(0, random()),
  };
}

function toldFirst(acting: Acting, first: Connection): AdminAct {
  const id = `${first.tenant}/${first.connection}`;
  return actOf(acting, { type: "Connection", id, ...toldChange([null, first], toldConnection) });
}

/**
 * The tenant of a name; one that was deleted as well.
 * @throws TenancyError `notFound`
 */
export async function findTenant({ tenants }: TenantFinder, name: string): Promise<Tenant> {
  const found = await tenants.find(name);
  if (found === null) throw new TenancyError("notFound", `There is no tenant '${name}'.`);
  return found;
}

/**
 * Changes a tenant. What is so already is no change.
 * @param expected the revision that the change is meant for; null for whichever it has
 * @throws TenancyError `notFound`, `changed`, `invalid`, `refused` where it was deleted
 */
export async function changeTenant(
  ports: ChangePorts,
  { tenant: name, expected }: { readonly tenant: string; readonly expected: number | null },
  change: TenantChange,
): Promise<Tenant> {
  return replaceTenant(ports, { tenant: name, expected }, (before) => {
    if (before.state === "deleted") throw isDeleted(name);
    const { state = before.state, discovery = before.discovery, secrets = before.secrets } = change;
    const displayName =
      change.displayName === undefined ? before.displayName : checkedNameOrNull(NAME, change.displayName);
    const limits = changedLimits(before.limits, change.limits ?? {}, ports.ceilings);
    const retention = changedRetention(before.retention, change.retention ?? {});
    return { ...before, displayName, state, limits, retention, discovery, secrets };
  });
}

/** How a tenant is deleted. */
export interface TenantDeletion {
  readonly tenant: string;
  /** The revision that is to be deleted; null for whichever it has. */
  readonly expected: number | null;
  /** Whether its data were exported: nothing brings them back. */
  readonly exported: boolean;
  /** Rows that are removed at once: few enough that no writer waits long. */
  readonly batch: number;
  /**
   * Resolves when no server lets requests of the tenant pass any more, so that none of them writes behind the removal:
   * a second after it was called.
   */
  readonly settled: () => Promise<void>;
  /** Called behind each batch with the rows removed so far. */
  readonly onProgress: (rows: number) => void | Promise<void>;
}

/**
 * Deletes a tenant that was suspended, for good: its tokens are refused, and its rows go in batches. Where that was
 * interrupted, the same call goes on. Resolves to the rows removed.
 * @throws TenancyError `notFound`, `changed`, `refused`
 */
export async function deleteTenant(
  ports: TenantPorts,
  { tenant: name, expected, exported, batch, settled, onProgress }: TenantDeletion,
): Promise<number> {
  if (name === DEFAULT_NAME) {
    throw new TenancyError(
      "refused",
      `The tenant '${DEFAULT_NAME}' belongs to the server; suspend it instead.`,
    );
  }
  await replaceTenant(ports, { tenant: name, expected }, (before) => {
    if (before.state === "active") {
      throw new TenancyError("refused", `Suspend the tenant '${name}' before it is deleted.`);
    }
    if (before.state === "suspended" && !exported) {
      throw new TenancyError(
        "refused",
        `Export the tenant '${name}' before it is deleted, and say so by 'exported'.`,
      );
    }
    return { ...before, state: "deleted" };
  });
  await settled();
  let removed = 0;
  for (;;) {
    const rows = await ports.tenants.removeRows(name, batch);
    removed += rows;
    if (rows === 0) return removed;
    await onProgress(removed);
  }
}

async function replaceTenant(
  ports: TenantPorts,
  { tenant: name, expected }: { readonly tenant: string; readonly expected: number | null },
  changed: (before: Tenant) => Tenant,
): Promise<Tenant> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await findTenant(ports, name);
    const isExpected = expected === null || expected === before.revision;
    if (!isExpected || attempt > CHANGE_ATTEMPTS) throw changedMeanwhile(`Tenant '${name}'`, before.revision);
    const after = changed(before);
    const written = { ...after, revision: nextRevision(before.revision, ports.random()) };
    const told = toldChange([before, written], toldTenant);
    // What is told is all that a change can change, in one order.
    if (JSON.stringify(told.before) === JSON.stringify(told.after)) return before;
    const act = actOf(ports, { type: "Tenant", id: name, ...told });
    if (await ports.tenants.replace(written, before.revision, act)) return written;
  }
}

/**
 * Requires that a tenant is there to be worked on.
 * @throws TenancyError `notFound`, `refused` where it was deleted
 */
export async function requireTenant(ports: TenantFinder, name: string): Promise<Tenant> {
  const found = await findTenant(ports, name);
  if (found.state === "deleted") throw isDeleted(name);
  return found;
}

function isDeleted(name: string): TenancyError {
  return new TenancyError("refused", `The tenant '${name}' was deleted.`);
}

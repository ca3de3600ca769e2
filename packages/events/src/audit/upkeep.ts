/**
 * What an audit log needs now and then: a checkpoint for each tenant, and the end of what is too old.
 * @module
 */
import type { AuditKeys } from "../keys.ts";
import { type Keep, tooOld } from "../keep.ts";
import { signCheckpoint, signRemoval } from "./checkpoint.ts";
import type { AuditStore } from "./port.ts";

/** Milliseconds between two checkpoints of a tenant (one hour). */
export const CHECKPOINT_MS = 3_600_000;

/** Tenants that are read at once. */
const TENANTS = 100;
/** Entries that are linked in one transaction: short enough that no writer waits long. */
const LINKED = 250;

/** What the upkeep works with. */
export interface AuditUpkeep extends AuditKeys {
  readonly audit: AuditStore;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Ends it between two tenants. */
  readonly isStopped: () => boolean;
}

/**
 * Signs a checkpoint for each tenant whose chain has grown since its last one, where that is an hour old. Before that it
 * links what has a position and no entry. Any number of processes may do it. A tenant that fails does not hold up the others.
 * @returns how many were signed
 * @throws behind all others what failed first
 */
export async function signCheckpoints(upkeep: AuditUpkeep): Promise<number> {
  let signed = 0;
  const failures: unknown[] = [];
  for await (const tenant of eachTenant(upkeep)) {
    try {
      if (await signTenant(upkeep, tenant)) signed += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return signed;
}

async function* eachTenant({ audit, isStopped }: AuditUpkeep): AsyncGenerator<string, void, undefined> {
  let after: string | undefined = "";
  while (after !== undefined) {
    const tenants: readonly string[] = await audit.tenants(after, TENANTS);
    for (const tenant of tenants) {
      if (isStopped()) return;
      yield tenant;
    }
    after = tenants.at(-1);
  }
}

async function signTenant(upkeep: AuditUpkeep, tenant: string): Promise<boolean> {
  const { audit, now, isStopped } = upkeep;
  while (!isStopped() && (await audit.catchUp(tenant, LINKED)) > 0);
  const end = await audit.end(tenant);
  if (end === null) return false;
  const last = await audit.checkpointAt(tenant, end.position);
  // One from an hour ahead was signed by a clock that has gone back since.
  const isDue = last === null || Math.abs(now() - Date.parse(last.at)) >= CHECKPOINT_MS;
  if (last?.position === end.position || !isDue) return false;
  const at = new Date(now()).toISOString();
  await audit.addCheckpoint(tenant, signCheckpoint(upkeep, tenant, { ...end, at }));
  return true;
}

/** What goes of an audit log. */
export interface AuditRetention extends AuditUpkeep {
  /** How long entries are kept. */
  readonly keep: Keep;
  /** Entries that one transaction removes. Default 500. */
  readonly batch?: number;
}

/** Removes entries that are too old, batch by batch: a checkpoint stands for what went. Resolves to how many. */
export async function purgeAudit(retention: AuditRetention): Promise<number> {
  const { audit, now, keep, batch = 500, isStopped } = retention;
  const at = new Date(now()).toISOString();
  let removed = 0;
  while (!isStopped()) {
    const entries = await audit.purge({
      before: (tenant) => tooOld(keep, tenant, now()),
      present: at,
      limit: batch,
      sign: (tenant, end) => signRemoval(retention, tenant, { ...end, at }),
    });
    removed += entries;
    if (entries < batch) break;
  }
  return removed;
}

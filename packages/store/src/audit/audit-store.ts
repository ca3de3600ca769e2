/**
 * The audit log in SQL, for any database that an executor runs statements on.
 * @module
 */
import type { AuditChain, AuditPage, AuditStore, ChainedEntry, Checkpoint } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { holdHead } from "../events/placing.ts";
import { readTenants } from "../events/tenants.ts";
import { sql } from "../sql.ts";
import type { Answer, Executor, Outcome, Steps } from "../steps.ts";
import { TenantRound } from "../tenant-round.ts";
import { checkpointOf, readChainEnd, readCheckpointAt } from "./chain-end.ts";
import { entriesIn, entryOf, findEntries } from "./find-entries.ts";
import { linkMissed } from "./link-events.ts";
import { insertCheckpoint, purgeEntries } from "./purge-entries.ts";

/** What an audit log is kept with. */
export interface AuditSetting {
  readonly executor: Executor;
  readonly dialect: Dialect;
  /** Makes entries; null where this process makes none. */
  readonly audit: AuditChain | null;
}

/** Makes the audit log of a database. */
export function createAuditStore(setting: AuditSetting): AuditStore {
  const { executor } = setting;
  const round = new TenantRound();
  return {
    read: (tenant, page) => executor.readDurable(readEntries(tenant, page)),
    find: (tenant, query) => executor.readDurable(findEntries(tenant, query, setting.dialect)),
    end: (tenant) => executor.readDurable(readChainEnd(tenant)),
    checkpoints: (tenant, from, limit) => executor.readDurable(readCheckpoints(tenant, from, limit)),
    checkpointAt: (tenant, position) => executor.readDurable(readCheckpointAt(tenant, position)),
    addCheckpoint: (tenant, checkpoint) => executor.write(() => addCheckpoint(tenant, checkpoint)),
    tenants: (after, limit) => executor.read(readTenants(after, limit)),
    catchUp: async (tenant, limit) => {
      const { audit } = setting;
      if (audit === null || !(await executor.read(lacksEntries(tenant)))) return 0;
      await audit.prepare?.(tenant);
      return executor.write(() => catchUp(setting, { audit, tenant, limit }));
    },
    purge: (purge) => purgeEntries({ ...setting, round }, purge),
  };
}

function* readEntries(tenant: string, { after, limit }: AuditPage): Steps<readonly ChainedEntry[]> {
  const within = sql`FROM audit_entries WHERE tenant = ${tenant} AND position > ${after}`;
  const { rows }: Answer = yield entriesIn(tenant, within, limit);
  return rows.map(entryOf);
}

function* readCheckpoints(tenant: string, from: number, limit: number): Steps<readonly Checkpoint[]> {
  const { rows }: Answer = yield sql`SELECT position, hash, at, key_id, signature FROM audit_checkpoints
    WHERE tenant = ${tenant} AND position >= ${from} ORDER BY position LIMIT ${limit}`;
  return rows.map(checkpointOf);
}

function* addCheckpoint(tenant: string, checkpoint: Checkpoint): Steps<Outcome<void>> {
  yield insertCheckpoint(tenant, checkpoint);
  return { keep: true, result: undefined };
}

/** Whether a chain that has begun is behind the events. */
function* lacksEntries(tenant: string): Steps<boolean> {
  const end = yield* readChainEnd(tenant);
  if (end === null) return false;
  const { rows }: Answer = yield sql`SELECT position FROM event_heads
    WHERE tenant = ${tenant} AND position > ${end.position}`;
  return rows.length > 0;
}

interface Missed {
  readonly audit: AuditChain;
  readonly tenant: string;
  readonly limit: number;
}

function* catchUp(
  { dialect }: Pick<AuditSetting, "dialect">,
  { audit, tenant, limit }: Missed,
): Steps<Outcome<number>> {
  // Whoever gives positions now links what is missing too.
  if ((yield* holdHead(tenant, dialect)) === null) return { keep: false, result: 0 };
  return { keep: true, result: yield* linkMissed({ audit, dialect, freshEvents: null }, tenant, limit) };
}

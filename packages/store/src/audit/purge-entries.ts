/**
 * Removes audit entries that are too old, from the beginning of each chain on, and leaves a checkpoint in their place.
 * @module
 */
import { cutoffFor } from "@scim/core";
import type { AuditPurge, Checkpoint } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { firstToGo } from "../events/first-to-go.ts";
import { eachTenant } from "../events/tenants.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Executor, numberOf, type Outcome, type Steps, textOf } from "../steps.ts";
import type { TenantRound } from "../tenant-round.ts";

/** What entries are removed of, and where the removal is. */
interface PurgedLog {
  readonly executor: Pick<Executor, "read" | "write">;
  readonly dialect: Dialect;
  readonly round: TenantRound;
}

/** Removes the first entries of each tenant that are from before an instant. Answers how many, at most `limit`. */
export async function purgeEntries(
  { executor, dialect, round }: PurgedLog,
  { before, limit, present, sign }: AuditPurge,
): Promise<number> {
  let removed = 0;
  for await (const tenant of eachTenant(executor, round)) {
    const bound = { before: await cutoffFor(before, tenant), limit: limit - removed, present, sign };
    removed += await executor.write(() => purgeTenant(tenant, bound, dialect));
    // There may be more of this tenant: the next begins with it.
    if (removed >= limit) break;
  }
  return removed;
}

/** Which entries of one tenant go. */
interface EntryPurge extends Omit<AuditPurge, "before"> {
  readonly before: string;
}

function* purgeTenant(
  tenant: string,
  { before, limit, present, sign }: EntryPurge,
  dialect: Dialect,
): Steps<Outcome<number>> {
  // Whoever links entries meanwhile makes them with secrets that would be gone with the entries before.
  yield sql`SELECT position FROM event_heads WHERE tenant = ${tenant} ${dialect.lockedRows}`;
  const { rows }: Answer = yield sql`SELECT position, at, hash, id FROM audit_entries WHERE tenant = ${tenant}
    ORDER BY position LIMIT ${limit}`;
  const going = yield* firstToGo(rows, {
    before,
    present,
    firstBehind: (row, instant) => sql`SELECT at FROM audit_entries
      WHERE tenant = ${tenant} AND position > ${numberOf(row, "position")} AND at <= ${instant}
      ORDER BY position LIMIT 1`,
  });
  const last = going.at(-1);
  if (last === undefined) return { keep: false, result: 0 };
  const end = { position: numberOf(last, "position"), hash: textOf(last, "hash") };
  yield sql`DELETE FROM audit_entries WHERE tenant = ${tenant} AND position <= ${end.position}`;
  const ids = [...new Set(going.map((row) => textOf(row, "id")))];
  // A resource that comes back before its last entry went has its secret still.
  const named = dialect.among(sql`id`, sql`SELECT l.value FROM ${dialect.idList(ids)} l`);
  // Of each the first entry of it or of a later id is looked up: only one index has them in this order.
  yield sql`DELETE FROM subject_secrets WHERE tenant = ${tenant} AND ${named} AND id IS DISTINCT FROM (
    SELECT e.id FROM audit_entries e WHERE e.tenant = ${tenant} AND e.type = subject_secrets.type
      AND e.id >= subject_secrets.id ORDER BY e.id LIMIT 1)`;
  // What stood for entries that went before, or for this place, says no more than the new one.
  yield sql`DELETE FROM audit_checkpoints WHERE tenant = ${tenant} AND position <= ${end.position}`;
  // Another process may be signing this place: that it went must be told, and not that the chain came there.
  yield sql`${checkpointRow(tenant, sign(tenant, end))} ON CONFLICT (tenant, position) DO UPDATE SET
    hash = excluded.hash, at = excluded.at, key_id = excluded.key_id, signature = excluded.signature`;
  return { keep: true, result: going.length };
}

/** The statement that keeps a checkpoint, unless there is one of its position. */
export function insertCheckpoint(tenant: string, checkpoint: Checkpoint): Sql {
  return sql`${checkpointRow(tenant, checkpoint)} ON CONFLICT DO NOTHING`;
}

function checkpointRow(tenant: string, { position, hash, at, key, signature }: Checkpoint): Sql {
  return sql`INSERT INTO audit_checkpoints (tenant, position, hash, at, key_id, signature)
    VALUES (${tenant}, ${position}, ${hash}, ${at}, ${key}, ${signature})`;
}

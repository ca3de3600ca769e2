/**
 * Removes what deleted resources left behind, a bounded number of rows at a time, tenant by tenant.
 * @module
 */
import { type Cutoff, cutoffFor } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import { removeHashes } from "../secrets/hash-rows.ts";
import { type Answer, type Executor, type Outcome, PAUSE, type Steps, textOf } from "../steps.ts";
import type { TenantRound } from "../tenant-round.ts";
import { ownRows, removeRows } from "./collections.ts";
import { BEING_PURGED } from "./deleted.ts";

/** Which tombstones go: those of deletions before an instant, and at most so many rows. */
export interface PurgeBound {
  readonly before: Cutoff;
  readonly limit: number;
}

/** Which tombstones of one tenant go. */
interface TenantBound extends PurgeBound {
  readonly before: string;
}

/** What tombstones are removed of, and where the removal is. */
interface PurgedResources {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly round: TenantRound;
}

/**
 * Removes tombstones that are older than an instant, each after its own reference rows. A large collection takes
 * several calls. References to a purged resource stay. Several processes may purge at once: each takes tombstones
 * that no other holds.
 * @returns the rows removed: at most `limit`
 */
export async function purgeTombstones(
  { executor, dialect, round }: PurgedResources,
  { before, limit }: PurgeBound,
): Promise<number> {
  let removed = 0;
  for await (const tenant of round.each((after) => executor.read(nextTenant(after)))) {
    const bound = { before: await cutoffFor(before, tenant), limit: limit - removed };
    if (await executor.read(hasTombstones(tenant, bound.before)))
      removed += await executor.write(() => purgeTenant(tenant, bound, dialect));
    // There may be more of this tenant: the next begins with it.
    if (removed >= limit) break;
  }
  return removed;
}

/** The one statement over all tenants: it reads from an index which of them comes next, and nothing else. */
function* nextTenant(after: string): Steps<readonly string[]> {
  const { rows }: Answer = yield sql`SELECT tenant FROM resources
    WHERE deleted IS NOT NULL AND tenant > ${after} ORDER BY tenant LIMIT 1`;
  return rows.map((row) => textOf(row, "tenant"));
}

function* hasTombstones(tenant: string, before: string): Steps<boolean> {
  const { rows }: Answer = yield sql`SELECT id FROM resources
    WHERE tenant = ${tenant} AND deleted IS NOT NULL AND deleted < ${before} LIMIT 1`;
  return rows.length > 0;
}

function* purgeTenant(
  tenant: string,
  { before, limit }: TenantBound,
  dialect: Dialect,
): Steps<Outcome<number>> {
  let removed = 0;
  while (removed < limit) {
    const { rows }: Answer = yield sql`SELECT type, id FROM resources
      WHERE tenant = ${tenant} AND deleted IS NOT NULL AND deleted < ${before}
      ORDER BY deleted, type, id LIMIT 1 ${dialect.heldRow}`;
    const [tombstone] = rows;
    if (tombstone === undefined) break;
    const [type, id] = [textOf(tombstone, "type"), textOf(tombstone, "id")];
    const row = sql`tenant = ${tenant} AND type = ${type} AND id = ${id}`;
    removed += yield* removeRows(ownRows({ tenant, type, owner: id }), limit - removed);
    if (removed >= limit) {
      // Other rows may be left: nobody restores the resource without those that are gone.
      yield sql`UPDATE resources SET deleted = ${BEING_PURGED} WHERE ${row}`;
      break;
    }
    // Only a program that knows of no hashes leaves some.
    yield removeHashes({ tenant, type, id });
    const { changes } = yield sql`DELETE FROM resources WHERE ${row}`;
    removed += changes;
    yield PAUSE;
  }
  return { keep: true, result: removed };
}

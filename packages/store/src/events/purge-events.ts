/**
 * Removes events that are too old, from the first position of each tenant on.
 * @module
 */
import { type Cutoff, cutoffFor } from "@scim/core";
import { readChainEnd } from "../audit/chain-end.ts";
import { sql } from "../sql.ts";
import { type Answer, type Executor, numberOf, type Outcome, type Steps } from "../steps.ts";
import { firstToGo } from "./first-to-go.ts";
import type { TenantRound } from "../tenant-round.ts";
import { eachTenant } from "./tenants.ts";

/** Which events go: those from before an instant, and at most so many. */
export interface EventPurge {
  readonly before: string;
  readonly limit: number;
  /** What is later was written while a clock was ahead; undefined: nothing is. */
  readonly present: string | undefined;
}

/** Which events go of every tenant. */
interface FeedPurge extends Omit<EventPurge, "before"> {
  readonly before: Cutoff;
}

/** What events are removed of, and where the removal is. */
interface PurgedFeed {
  readonly executor: Pick<Executor, "read" | "write">;
  readonly round: TenantRound;
}

/**
 * Removes the first events of each tenant that are from before an instant, and what was given up of them: nobody could deliver it
 * any more. What has no position stays, and where an audit log is kept, what has no entry in it. Several processes may do it at once.
 * @returns how many it removed: at most `limit`
 */
export async function purgeEvents(
  { executor, round }: PurgedFeed,
  { before, limit, present }: FeedPurge,
): Promise<number> {
  let removed = 0;
  for await (const tenant of eachTenant(executor, round)) {
    const bound = { before: await cutoffFor(before, tenant), limit: limit - removed, present };
    const last = await executor.read(lastToGo(tenant, bound));
    if (last === null) continue;
    removed += await executor.write(() => removeUpTo(tenant, last));
    await executor.write(() => removeDeadUpTo(tenant, last));
    // There may be more of this tenant: the next begins with it.
    if (removed >= limit) break;
  }
  return removed;
}

/** Position of the last event that goes: none behind one that stays. */
function* lastToGo(tenant: string, { before, limit, present }: EventPurge): Steps<number | null> {
  const { rows }: Answer = yield sql`SELECT position, at FROM events
    WHERE tenant = ${tenant} AND position IS NOT NULL ORDER BY position LIMIT ${limit}`;
  const going = yield* firstToGo(rows, {
    before,
    present,
    firstBehind: (row, instant) => sql`SELECT at FROM events
      WHERE tenant = ${tenant} AND position > ${numberOf(row, "position")} AND at <= ${instant}
      ORDER BY position LIMIT 1`,
  });
  const last = going.at(-1);
  if (last === undefined) return null;
  const chain = yield* readChainEnd(tenant);
  return Math.min(numberOf(last, "position"), chain?.position ?? Number.MAX_SAFE_INTEGER);
}

/** By an index: of each receiver the deliveries in a state stand in the order of their positions. */
function* removeDeadUpTo(tenant: string, position: number): Steps<Outcome<null>> {
  const { changes }: Answer = yield sql`DELETE FROM event_deliveries
    WHERE tenant = ${tenant} AND state = 'dead' AND position <= ${position}
      AND receiver IN (SELECT id FROM event_receivers WHERE tenant = ${tenant})`;
  return { keep: changes > 0, result: null };
}

function* removeUpTo(tenant: string, position: number): Steps<Outcome<number>> {
  const { changes }: Answer =
    yield sql`DELETE FROM events WHERE tenant = ${tenant} AND position <= ${position}`;
  return { keep: true, result: changes };
}

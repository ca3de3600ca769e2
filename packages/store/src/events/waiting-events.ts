/**
 * Events that are written and have no position yet: how many there are, and since when the first of them waits.
 * @module
 */
import { sql } from "../sql.ts";
import { type Answer, countOf, type Executor, type Steps, textOf, textOrNullOf } from "../steps.ts";

/** Events without position, over all tenants. */
export interface WaitingEvents {
  /** How many; of one tenant at most {@link MOST_COUNTED} are counted. */
  readonly events: number;
  /** When the first of them was planned, UTC with milliseconds; null where none waits. */
  readonly oldest: string | null;
}

/** Most events of one tenant that are counted. */
const MOST_COUNTED = 10_000;

/** Counts them, tenant by tenant, through an index that holds nothing else. */
export async function countWaitingEvents(executor: Pick<Executor, "read">): Promise<WaitingEvents> {
  let found: WaitingEvents = { events: 0, oldest: null };
  let tenant = await executor.read(tenantBehind(""));
  while (tenant !== null) {
    const { events, oldest } = await executor.read(waitingOf(tenant));
    found = { events: found.events + events, oldest: earlier(found.oldest, oldest) };
    tenant = await executor.read(tenantBehind(tenant));
  }
  return found;
}

function* tenantBehind(last: string): Steps<string | null> {
  const { rows }: Answer = yield sql`SELECT tenant FROM events
    WHERE position IS NULL AND tenant > ${last} ORDER BY tenant, transaction_number, sequence LIMIT 1`;
  const [row] = rows;
  return row === undefined ? null : textOf(row, "tenant");
}

function* waitingOf(tenant: string): Steps<WaitingEvents> {
  const answer: Answer = yield sql`SELECT count(*) AS n, min(w.at) AS at FROM (
    SELECT at FROM events WHERE tenant = ${tenant} AND position IS NULL
    ORDER BY transaction_number, sequence LIMIT ${MOST_COUNTED}) w`;
  const [row] = answer.rows;
  return { events: countOf(answer, "n"), oldest: row === undefined ? null : textOrNullOf(row, "at") };
}

function earlier(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right;
  return left < right ? left : right;
}

/**
 * Goes through the events of a tenant that an erasure asks for. No index knows whom an event is about, so that writing one costs no
 * more: they are looked through in order, some at a time.
 * @module
 */
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Executor, numberOf, type Row, type Steps } from "../steps.ts";

/** Events that are looked through at once. */
const RANGE = 1000;

/** What an event is found by, whether it has a position or not. */
export interface EventKey {
  readonly transaction: number;
  readonly sequence: number;
}

/** Which events are asked for, and what of them. */
export interface EventWalk {
  readonly tenant: string;
  /** Columns beside those of its key. */
  readonly columns: Sql;
  readonly condition: Sql;
}

/** The key of the event of a row. */
export function keyOf(row: Row): EventKey {
  return { transaction: numberOf(row, "transaction_number"), sequence: numberOf(row, "sequence") };
}

/** The rows of those that meet the condition; some at a time, which may be none. Others write between two. */
export async function* walkEvents(
  executor: Pick<Executor, "read" | "pause">,
  walk: EventWalk,
): AsyncGenerator<readonly Row[], void, undefined> {
  // In this order: what is given its position meanwhile is come upon once more, and never missed.
  yield* walkWaiting(executor, walk);
  yield* walkPlaced(executor, walk);
}

const BEFORE_ALL: EventKey = { transaction: -1, sequence: -1 };

/** Goes through the events that have no position yet. */
async function* walkWaiting(
  executor: Pick<Executor, "read" | "pause">,
  walk: EventWalk,
): AsyncGenerator<readonly Row[], void, undefined> {
  let after: EventKey | null = BEFORE_ALL;
  while (after !== null) {
    const page: WaitingPage = await executor.read(waitingBehind(walk, after));
    yield page.rows;
    after = page.last;
    await executor.pause();
  }
}

/** Goes through the events that have their position. */
async function* walkPlaced(
  executor: Pick<Executor, "read" | "pause">,
  walk: EventWalk,
): AsyncGenerator<readonly Row[], void, undefined> {
  const bounds = await executor.read(boundsOf(walk.tenant));
  for (let first = bounds.first; first <= bounds.last; first += RANGE) {
    yield await executor.read(placedFrom(walk, first));
    await executor.pause();
  }
}

interface WaitingPage {
  /** Those that meet the condition. */
  readonly rows: readonly Row[];
  /** The last of the page; null where there are no more. */
  readonly last: EventKey | null;
}

function* waitingBehind({ tenant, columns, condition }: EventWalk, after: EventKey): Steps<WaitingPage> {
  const { rows }: Answer = yield sql`SELECT transaction_number, sequence${columns},
      CASE WHEN ${condition} THEN 1 ELSE 0 END AS met FROM events
    WHERE tenant = ${tenant} AND position IS NULL
      AND (transaction_number, sequence) > (${after.transaction}, ${after.sequence})
    ORDER BY transaction_number, sequence LIMIT ${RANGE}`;
  const last = rows.at(-1);
  return {
    rows: rows.filter((row) => numberOf(row, "met") === 1),
    last: last === undefined ? null : keyOf(last),
  };
}

function* boundsOf(tenant: string): Steps<{ readonly first: number; readonly last: number }> {
  const { rows }: Answer =
    yield sql`SELECT coalesce(min(position), 1) AS first, coalesce(max(position), 0) AS last
    FROM events WHERE tenant = ${tenant} AND position IS NOT NULL`;
  const [row] = rows;
  return row === undefined
    ? { first: 1, last: 0 }
    : { first: numberOf(row, "first"), last: numberOf(row, "last") };
}

function* placedFrom({ tenant, columns, condition }: EventWalk, first: number): Steps<readonly Row[]> {
  const { rows }: Answer = yield sql`SELECT transaction_number, sequence${columns} FROM events
    WHERE tenant = ${tenant} AND position >= ${first} AND position < ${first + RANGE}
    AND (${condition})`;
  return rows;
}

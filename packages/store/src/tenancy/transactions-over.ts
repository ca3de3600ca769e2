/**
 * Waits for transactions that were begun before something was forbidden: what they write is seen only when they end.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import { type Answer, type Executor, numberOf, type Steps } from "../steps.ts";
import { unavailable } from "../unavailable.ts";

/** Milliseconds between two looks, and until it is given up. */
const LOOK_MS = 50;
const PATIENCE_MS = 20_000;

/** Numbers of transactions that may be under way: from the first, up to before the end. */
interface OpenTransactions {
  readonly first: number;
  readonly end: number;
}

/**
 * Resolves when every transaction has ended that may write for a tenant and was under way at the call. Where
 * transactions come one after another there is none.
 * @throws ScimError `unavailable` where one stays open
 */
export async function transactionsOver(
  executor: Pick<Executor, "read">,
  { openTransactions }: Pick<Dialect, "openTransactions">,
  tenant: string,
): Promise<void> {
  if (openTransactions === null) return;
  const look = (): Promise<OpenTransactions | null> => executor.read(openOf(openTransactions, tenant));
  const { end = 0 } = (await look()) ?? {};
  const deadline = performance.now() + PATIENCE_MS;
  while (((await look())?.first ?? end) < end) {
    if (performance.now() > deadline) throw stillOpen();
    await delay(LOOK_MS);
  }
}

/** As the node of the tenant sees them; null where there is no such tenant. */
function* openOf(
  { first, end }: NonNullable<Dialect["openTransactions"]>,
  tenant: string,
): Steps<OpenTransactions | null> {
  const { rows }: Answer =
    yield sql`SELECT ${first} AS first_open, ${end} AS end_open FROM tenants WHERE tenant = ${tenant}`;
  const [row] = rows;
  return row === undefined ? null : { first: numberOf(row, "first_open"), end: numberOf(row, "end_open") };
}

function stillOpen(): Error {
  return unavailable(
    "A transaction that began before is still open on the database server, and may write for the tenant. Try again when it has ended.",
  );
}

/**
 * Waits for transactions that were begun before something was forbidden: what they write is seen only when they end.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Dialect } from "../dialect.ts";
import { type OpenTransactions, readOpenTransactions } from "../open-transactions.ts";
import { sql } from "../sql.ts";
import type { Executor } from "../steps.ts";
import { unavailable } from "../unavailable.ts";

/** Milliseconds between two looks, and until it is given up. */
const LOOK_MS = 50;
const PATIENCE_MS = 20_000;

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
  // As the node of the tenant sees them.
  const look = (): Promise<OpenTransactions | null> =>
    executor.read(readOpenTransactions(openTransactions, sql`FROM tenants WHERE tenant = ${tenant}`));
  const { end = 0 } = (await look()) ?? {};
  const deadline = performance.now() + PATIENCE_MS;
  while (((await look())?.first ?? end) < end) {
    if (performance.now() > deadline) throw stillOpen();
    await delay(LOOK_MS);
  }
}

function stillOpen(): Error {
  return unavailable(
    "A transaction that began before is still open on the database server, and may write for the tenant. Try again when it has ended.",
  );
}

/**
 * A transaction of PostgreSQL as the steps of a write see it: each write has one of its own.
 * @module
 */
import type { FreshEvent, FreshEvents } from "../events/fresh-events.ts";
import { provenCount } from "../resources/counters.ts";
import { type Sql, sql } from "../sql.ts";
import type { Steps, WriteTransaction } from "../steps.ts";
import { postgresDialect } from "./dialect.ts";

/** Drawn by the statement that uses it, so that nothing is asked beforehand, and no row is shared. */
const NUMBER: Sql = sql`CAST(CAST(pg_current_xact_id() AS text) AS bigint)`;

/** Events of a transaction are counted from a random number below this one. */
const FIRST_SEQUENCE = 2 ** 48;

/** The transaction of one write. */
export interface OwnTransaction extends WriteTransaction {
  /** The transaction was committed. */
  committed(): void;
}

/** Made once: V8 keeps what a generator function that is made for each call knows until old objects are collected. */
// oxlint-disable-next-line require-yield -- the port allows statements; here none is needed
function* ownNumber(): Steps<Sql> {
  return NUMBER;
}

/**
 * Makes the transaction of one write.
 * @param freshEvents what remembers its events once it was committed; null for nothing
 */
export function ownTransaction(freshEvents: FreshEvents | null): OwnTransaction {
  const told: FreshEvent[] = [];
  // A server that a dump is restored into comes to transaction numbers that events have already.
  let sequence = Math.floor(Math.random() * FIRST_SEQUENCE);
  return {
    number: ownNumber,
    nextSequence: () => sequence++,
    keepFresh: (tenant, tell) => {
      const fresh = freshEvents === null ? null : tell();
      if (fresh !== null) told.push({ ...fresh, tenant });
    },
    committed: () => {
      for (const event of told) freshEvents?.add(event);
    },
    count: (change) => [provenCount(change, postgresDialect.counterShard())],
  };
}

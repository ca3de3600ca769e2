/**
 * Whether something on PostgreSQL is held up by what a test holds.
 * @module
 */
import type { Client } from "pg";
import { expect, vi } from "vitest";

/** Resolves when a transaction of the database waits for a lock, or what is under way is done. */
export async function waitsOrDone(client: Client, underWay: Promise<unknown>): Promise<void> {
  const waiting = vi.waitFor(async () => {
    const { rows } = await client.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    expect(rows.length).toBeGreaterThan(0);
  });
  await Promise.race([underWay, waiting]);
}

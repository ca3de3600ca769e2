import type { ChainEnd, Checkpoint } from "@scim/events";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { emptyDatabase, openPostgresAt } from "./support/engines.ts";

const [OLD, NEW] = ["2020-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"];
const ENTRY = `INSERT INTO audit_entries (tenant, position, at, type, id, entry, hash)
  VALUES ('north', $1, $2, 'User', 'anna', '{}', 'h')`;

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test("PostgreSQL: the secret stays that an entry is linked with while those before it go", async () => {
  const url = await emptyDatabase();
  const store = await openPostgresAt(url);
  const [client, linking] = [await connected(url), await connected(url)];
  await client.query("INSERT INTO event_heads (tenant, position) VALUES ('north', 1)");
  await client.query(
    "INSERT INTO subject_secrets (tenant, id, type, secret) VALUES ('north', 'anna', 'User', 's')",
  );
  await client.query(ENTRY, [1, OLD]);
  // As whoever gives positions does.
  await linking.query("BEGIN");
  await linking.query("SELECT position FROM event_heads WHERE tenant = 'north' FOR UPDATE");
  await linking.query(ENTRY, [2, NEW]);
  const sign = (_tenant: string, end: ChainEnd): Checkpoint => ({
    ...end,
    at: NEW,
    key: "k",
    signature: "s",
  });
  const purging = store.audit.purge({ before: "2025-01-01T00:00:00.000Z", present: NEW, limit: 10, sign });
  const waiting = vi.waitFor(async () => {
    const { rows } = await client.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    expect(rows.length).toBeGreaterThan(0);
  });
  await Promise.race([purging, waiting]);
  await linking.query("COMMIT");
  expect(await purging).toBe(1);
  const { rows } = await client.query("SELECT id FROM subject_secrets");
  expect(rows).toEqual([{ id: "anna" }]);
});

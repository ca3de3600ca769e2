import type { ChainEnd, Checkpoint } from "@scim/events";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { emptyDatabase, openPostgresAt } from "./support/engines.ts";
import { waitsOrDone } from "./support/waits-or-done.ts";

const [OLD, NEW] = ["2020-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"];
const ENTRY = `INSERT INTO audit_entries (tenant, position, at, type, id, entry, hash)
  VALUES ('north', $1, $2, 'User', 'anna', '{}', 'h')`;

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

function sign(_tenant: string, end: ChainEnd): Checkpoint {
  return { ...end, at: NEW, key: "k", signature: "went" };
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
  const purging = store.audit.purge({ before: "2025-01-01T00:00:00.000Z", present: NEW, limit: 10, sign });
  await waitsOrDone(client, purging);
  await linking.query("COMMIT");
  expect(await purging).toBe(1);
  const { rows } = await client.query("SELECT id FROM subject_secrets");
  expect(rows).toEqual([{ id: "anna" }]);
});

test("PostgreSQL: a checkpoint says that entries went, also where another process signs their end meanwhile", async () => {
  const url = await emptyDatabase();
  const store = await openPostgresAt(url);
  const [client, signing] = [await connected(url), await connected(url)];
  await client.query("INSERT INTO event_heads (tenant, position) VALUES ('north', 1)");
  await client.query(ENTRY, [1, OLD]);
  await signing.query("BEGIN");
  await signing.query(`INSERT INTO audit_checkpoints (tenant, position, hash, at, key_id, signature)
    VALUES ('north', 1, 'h', '${NEW}', 'k', 'came')`);
  const purging = store.audit.purge({ before: "2025-01-01T00:00:00.000Z", present: NEW, limit: 10, sign });
  await waitsOrDone(client, purging);
  await signing.query("COMMIT");
  expect(await purging).toBe(1);
  expect(await store.audit.checkpoints("north", 0, 9)).toMatchObject([{ position: 1, signature: "went" }]);
});

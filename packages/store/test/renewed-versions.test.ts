import { NOTHING, SCOPE, seed } from "@scim/core/testing";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { emptyDatabase, openPostgresAt } from "./support/engines.ts";

test("PostgreSQL: a group that others change while an erasure takes a name out of it has another version behind both", async () => {
  const url = await emptyDatabase();
  const store = await openPostgresAt(url);
  await seed(store.resources, [{ type: "Group", id: "g", body: { displayName: "g" }, members: ["anna"] }]);
  const [client, other] = [
    new pg.Client({ connectionString: url }),
    new pg.Client({ connectionString: url }),
  ];
  for (const each of [client, other]) {
    await each.connect();
    onTestFinished(() => each.end());
  }
  await client.query(`UPDATE reference_values SET rest = '{"display":"Anna"}'`);
  await other.query("BEGIN");
  await other.query("UPDATE resources SET version = '7-other', revision = 7 WHERE id = 'g'");
  const subject = { tenant: SCOPE.tenant, id: "anna" };
  const erasing = store.erasures.erase({ subject, at: "2026-03-01T08:00:00.000Z", newNonce: () => "erased" });
  await vi.waitFor(async () => {
    const { rows } = await client.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    expect(rows).toHaveLength(1);
  });
  await other.query("COMMIT");
  expect((await erasing).copies).toBe(1);
  const group = await store.resources.read(SCOPE, { type: "Group", id: "g" }, NOTHING);
  expect(group?.version).toBe("8-erased");
});

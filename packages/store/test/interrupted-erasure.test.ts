import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { deletePlan, fetchOne, SCOPE, seed } from "@scim/core/testing";
import { eraseSubject, replayErasures, type Erasing, type Erasure } from "@scim/events";
import { SAMPLE_AUDIT, SAMPLE_KEYS } from "@scim/events/testing";
import { queryOnce } from "@scim/fixtures/postgres";
import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { emptyDatabase, openPostgresAt } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";

const MARK = "zqperson";
const { tenant } = SCOPE;
const ANNA = { type: "User", id: "anna", body: { userName: MARK } } as const;
const SUBJECT = { tenant, id: ANNA.id };

/** A database that names a person in a row, in events and in an entry of the request log. */
async function populated(): Promise<{
  readonly path: string;
  readonly beside: DatabaseSync;
  readonly erasing: Erasing;
  readonly notes: readonly Erasure[];
}> {
  const path = newFile();
  const store = await open(path, { audit: SAMPLE_AUDIT });
  const owner = { value: ANNA.id, display: MARK };
  const team = { type: "Group", id: "team", body: { displayName: "Team", owner } } as const;
  for (const each of [ANNA, team]) await seed(store.resources, [each]);
  await store.events.assign(9);
  const beside = new DatabaseSync(path);
  onTestFinished(() => beside.close());
  beside.exec(`INSERT INTO request_log (tenant, id, at, connection, run, status, request, size, entry)
    VALUES ('${tenant}', 'r1', '2026-01-01T00:00:00.000Z', 'hr', 'run', 200, 'q', 1, '{"of":"anna ${MARK}"}')`);
  const notes: Erasure[] = [];
  const erasing: Erasing = {
    ...SAMPLE_KEYS,
    erasures: store.erasures,
    origin: { command: "test" },
    remove: async () => {
      await store.resources.write(SCOPE, deletePlan(await fetchOne(store.resources, ANNA)));
    },
    note: async (erasure) => void notes.push(erasure),
    now: () => new Date().toISOString(),
    newNonce: () => "n",
  };
  return { path, beside, erasing, notes };
}

describe("an erasure that ends half-way", () => {
  test.each([
    ["before what others hold goes", "UPDATE ON resources WHEN OLD.id = 'team'"],
    ["before its own rows go", "DELETE ON resources"],
    ["before entries of the request log go", "DELETE ON request_log"],
    ["before events lose their content", "UPDATE ON events WHEN OLD.position IS NOT NULL"],
    ["before it is on the list of the database", "INSERT ON erasures"],
  ])("%s: the list ends it, and so does asking for it once more", async (_where, when) => {
    for (const again of ["list", "subject"]) {
      const { path, beside, erasing, notes } = await populated();
      beside.exec(`CREATE TRIGGER stops BEFORE ${when} BEGIN SELECT RAISE(ABORT, 'killed'); END`);
      await expect(eraseSubject(erasing, SUBJECT)).rejects.toThrow("killed");
      beside.exec("DROP TRIGGER stops");
      if (again === "list") expect(await replayErasures(erasing, notes)).toBe(1);
      else expect(await eraseSubject(erasing, SUBJECT)).not.toBeNull();
      const files = [path, `${path}-wal`].map((file) => readFileSync(file, "latin1"));
      expect(
        files.map((text) => text.includes(MARK)),
        again,
      ).toEqual([false, false]);
      expect(await replayErasures(erasing, notes)).toBe(0);
    }
  });
});

test("PostgreSQL: a person's rows stay until who gives the tenant its first positions is done", async () => {
  const url = await emptyDatabase();
  const { resources, erasures } = await openPostgresAt(url);
  await seed(resources, [ANNA]);
  await resources.write(SCOPE, deletePlan(await fetchOne(resources, ANNA)));
  const giver = new pg.Client({ connectionString: url });
  await giver.connect();
  onTestFinished(() => giver.end());
  await giver.query("BEGIN");
  await giver.query(`INSERT INTO event_heads (tenant, position) VALUES ('${tenant}', 0)`);
  await giver.query(
    `INSERT INTO subject_secrets (tenant, id, type, secret) VALUES ('${tenant}', 'anna', 'User', 's')`,
  );
  const erased = erasures.erase({ subject: SUBJECT, at: "2026-01-01T00:00:00.000Z", newNonce: () => "n" });
  await vi.waitFor(async () => {
    const waiting = `SELECT count(*)::integer AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    expect(await queryOnce(url, waiting)).toEqual([{ n: 1 }]);
  });
  await giver.query("COMMIT");
  expect(await erased).toMatchObject({ resources: 1, secrets: 1 });
});

test.each([
  ["some times is removed in the end", 2],
  ["each time is told to be there still", Number.POSITIVE_INFINITY],
])("a resource that is restored between its deletion and its removal %s", async (_what, times) => {
  const { beside, erasing } = await populated();
  let deletions = 0;
  const remove: Erasing["remove"] = async (...of) => {
    await erasing.remove(...of);
    deletions += 1;
    if (deletions <= times) beside.exec("UPDATE resources SET deleted = NULL WHERE id = 'anna'");
  };
  const erased = eraseSubject({ ...erasing, remove }, SUBJECT);
  if (times > 2) return expect(erased).rejects.toMatchObject({ code: "unavailable" });
  expect(await erased).toMatchObject({ resources: 1 });
  expect(beside.prepare("SELECT id FROM resources WHERE id = 'anna'").all()).toEqual([]);
});

import { renameSync } from "node:fs";
import { join } from "node:path";
import { createPlan, SCOPE } from "@scim/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { OpenBulk, type BulkGroup } from "../src/imports/bulk.ts";
import { sql } from "../src/sql.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { ImportStage } from "../src/sqlite/import-stage.ts";
import { ImportWriter } from "../src/sqlite/import-writer.ts";
import { LockHolders } from "../src/sqlite/lock-holders.ts";
import { newFolder, open } from "./support/folders.ts";

/** Two users, as the rows of a bulk. */
function users(): BulkGroup {
  const bulk = new OpenBulk();
  for (const id of ["u1", "u2"])
    bulk.add(createPlan({ type: "User", id, body: { userName: `name of ${id}` } }), []);
  const [group] = bulk.close(null).groups;
  if (group === undefined) throw new TypeError("There is no group");
  return group;
}

test("what could not be staged leaves nothing in the way of what comes next", () => {
  const connection = new SqliteConnection(":memory:", { lockWait: 0 });
  onTestFinished(() => connection.close());
  const stage = new ImportStage(connection, "staged");

  expect(() => stage.add([{ ...users(), places: [0, 0] }])).toThrow(/UNIQUE/);
  expect(connection.inTransaction).toBe(false);
  stage.clear();
  stage.add([users()]);

  expect(connection.run(sql`SELECT id FROM temp.staged ORDER BY id`).rows).toEqual([
    { id: "u1" },
    { id: "u2" },
  ]);
});

test("a thread that could not begin takes nothing from the one that comes behind it", async () => {
  const folder = newFolder();
  const [there, away] = [join(folder, "there"), join(folder, "away")];
  await (await open(join(there, "scim.db"))).close();
  renameSync(there, away);
  const mover = { wrote: () => undefined, settled: async () => undefined };
  const beside = { mover, holders: new LockHolders(), flush: null };
  const writer = new ImportWriter({ path: join(there, "scim.db"), busyTimeout: 1000 }, beside);
  onTestFinished(() => writer.close());
  const resources = writer.begin();

  resources.add([users()]);
  await expect(resources.write(SCOPE, null)).rejects.toThrow("has ended");
  renameSync(away, there);
  resources.add([users()]);
  await expect(resources.write(SCOPE, null)).resolves.toEqual({ kind: "written" });
});

import { renameSync } from "node:fs";
import { join } from "node:path";
import { SCOPE } from "@scim/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "../src/sql.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { ImportStage } from "../src/sqlite/import-stage.ts";
import { ImportWriter } from "../src/sqlite/import-writer.ts";
import { LockHolders } from "../src/sqlite/lock-holders.ts";
import { newFolder, open } from "./support/folders.ts";
import { usersOf } from "./support/users-of.ts";

test("what could not be staged leaves nothing in the way of what comes next", () => {
  const connection = new SqliteConnection(":memory:", { lockWait: 0 });
  onTestFinished(() => connection.close());
  const stage = new ImportStage(connection, "staged");

  expect(() => stage.add([{ ...usersOf("u1", "u2"), places: [0, 0] }])).toThrow(/UNIQUE/);
  expect(connection.inTransaction).toBe(false);
  stage.clear();
  stage.add([usersOf("u1", "u2")]);

  expect(connection.run(sql`SELECT id FROM temp.staged ORDER BY id`).rows).toEqual([
    { id: "u1" },
    { id: "u2" },
  ]);
});

/** Begins imports into a file in a folder that is away; how to put that back. */
async function importsInto(settled: () => Promise<void> = async () => undefined) {
  const folder = newFolder();
  const [there, away] = [join(folder, "there"), join(folder, "away")];
  await (await open(join(there, "scim.db"))).close();
  renameSync(there, away);
  const mover = { wrote: () => undefined, settled };
  const beside = { mover, holders: new LockHolders(), flush: null };
  const writer = new ImportWriter({ path: join(there, "scim.db"), busyTimeout: 1000 }, beside);
  onTestFinished(() => writer.close());
  return { writer, resources: writer.begin(), putBack: () => renameSync(away, there) };
}

test("a thread that could not begin takes nothing from the one that comes behind it", async () => {
  const { resources, putBack } = await importsInto();
  resources.add([usersOf("u1", "u2")]);
  await expect(resources.write(SCOPE, null)).rejects.toThrow("has ended");
  putBack();
  resources.add([usersOf("u1", "u2")]);
  const { result, flushed } = await resources.write(SCOPE, null);
  expect([result, await flushed]).toEqual([{ kind: "written" }, undefined]);
});

test.each(["before it is told to end", "when it is"])(
  "a thread that could not begin, and is gone %s, keeps nobody from closing",
  async (when) => {
    const gone = Promise.withResolvers<void>();
    process.once("worker", (thread) => thread.once("exit", () => gone.resolve()));
    if (when === "when it is") gone.resolve();
    const { writer, resources } = await importsInto(() => gone.promise);
    resources.add([usersOf("u1", "u2")]);
    await expect(writer.close()).resolves.toBeUndefined();
  },
);

test("no thread begins behind the end: what was handed over is not written", async () => {
  const { writer, resources, putBack } = await importsInto();
  putBack();
  await writer.close();
  resources.add([usersOf("u1", "u2")]);
  await expect(resources.write(SCOPE, null)).rejects.toThrow("The store is closed.");
});

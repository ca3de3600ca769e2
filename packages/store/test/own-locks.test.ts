import { createPlan, SCOPE, seed } from "@scim/core/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { beneath } from "../src/copy/databases.ts";
import { sql } from "../src/sql.ts";
import { CommitQueue } from "../src/sqlite/commit-queue.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { LockHolders } from "../src/sqlite/lock-holders.ts";
import type { Outcome, Steps } from "../src/steps.ts";
import type { Store } from "../src/store.ts";
import { newFile, open } from "./support/folders.ts";

const LOCKED = { code: "unavailable", message: "The database is locked by another process. Try again." };

function connect(path: string): SqliteConnection {
  const connection = new SqliteConnection(path, { lockWait: 0 });
  onTestFinished(() => connection.close());
  return connection;
}

/** Resolves when somebody holds the lock of writers. */
async function locked(path: string): Promise<void> {
  const asking = connect(path);
  await vi.waitFor(() => expect(() => asking.exec("BEGIN IMMEDIATE; ROLLBACK")).toThrow("locked"), {
    timeout: 60_000,
    interval: 5,
  });
}

/** Has a connection of a store beside that of its queue hold the lock of writers; answers how to end that. */
type Holding = (path: string, store: Store) => Promise<() => Promise<unknown>>;

/** Takes over what was staged, on the thread of a stage. */
const staging: Holding = async (_path, store) => {
  const stage = await beneath(store).executor.openStage();
  const end = new AbortController();
  function* held(): Steps<Outcome<null>> {
    while (!end.signal.aborted) yield sql`SELECT 1 AS n`;
    return { keep: false, result: null };
  }
  const written = stage.write(held);
  return async () => {
    end.abort();
    await written;
    await stage.close(SCOPE.tenant, "none");
  };
};

/** Waits for whoever reads an older state. */
const emptying: Holding = async (path, store) => {
  const reader = connect(path);
  reader.exec("BEGIN; SELECT count(*) FROM resources");
  await seed(store.resources, [{ type: "User", id: "u1", body: {} }]);
  const tidied = store.erasures.eraseLate({ tenant: SCOPE.tenant, id: "u1" });
  return async () => {
    reader.exec("COMMIT");
    await tidied;
  };
};

/** Writes so many new resources that a thread does it, with a trigger that takes its time. */
const importing: Holding = async (path, store) => {
  connect(path).exec(`CREATE TRIGGER slow BEFORE INSERT ON resources WHEN NEW.id = 'u1' BEGIN
    SELECT count(*) FROM (WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers LIMIT 10000000)
      SELECT n FROM numbers);
  END`);
  const gathered = store.resources.imports?.gather(SCOPE);
  gathered?.add(
    Array.from({ length: 200 }, (_, number) => createPlan({ type: "User", id: `u${number}`, body: {} })),
    [],
  );
  const written = gathered?.write(null);
  return async () => written;
};

describe("a lock that the process itself holds", () => {
  test.each([
    ["while it takes over a long collection", staging],
    ["while it empties the log", emptying],
    ["while it writes an import", importing],
  ])("does not keep it from being ready: %s", async (_when, hold) => {
    const path = newFile();
    const store = await open(path);
    const end = await hold(path, store);
    await locked(path);
    expect(await store.check()).toBeUndefined();
    await end();
    const other = connect(path);
    other.exec("BEGIN IMMEDIATE");
    await expect(store.check()).rejects.toMatchObject(LOCKED);
    other.exec("ROLLBACK");
    expect(await store.check()).toBeUndefined();
  });

  test("is told apart from that of another process by a write that has waited too long", async () => {
    const path = newFile();
    await open(path);
    const holders = new LockHolders();
    const writer = connect(path);
    const queue = new CommitQueue(writer, { busyTimeout: 20, pauses: true, holders });
    onTestFinished(() => queue.close());
    function* nothing(): Steps<Outcome<null>> {
      yield sql`SELECT 1 AS n`;
      return { keep: true, result: null };
    }
    const other = connect(path);
    other.exec("BEGIN IMMEDIATE");
    const release = holders.hold();
    await expect(queue.submit(nothing)).rejects.toMatchObject({
      code: "unavailable",
      message: "Another write of this process takes long. Try again.",
      headers: { "retry-after": "1" },
    });
    release();
    await expect(queue.submit(nothing)).rejects.toMatchObject(LOCKED);
    other.exec("ROLLBACK");
    expect(await queue.submit(nothing)).toBeNull();
  });
});

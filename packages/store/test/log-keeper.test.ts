import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createPlan, SCOPE, seed } from "@scim/core/testing";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { sql } from "../src/sql.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { emptyLog } from "../src/sqlite/empty-log.ts";
import { LockHolders } from "../src/sqlite/lock-holders.ts";
import { LogKeeper } from "../src/sqlite/log-keeper.ts";
import { ReaderPool } from "../src/sqlite/reader-pool.ts";
import type { Steps } from "../src/steps.ts";
import { newFile, open } from "./support/folders.ts";

const KIB = 1024;

const NOBODY = { holdBack: <Result>(work: () => Promise<Result>): Promise<Result> => work() };

afterEach(() => {
  vi.useRealTimers();
});

function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function* one(text: string): Steps<void> {
  yield { text, params: [] };
}

function user(number: number) {
  return createPlan({
    type: "User",
    id: `u${number}`,
    body: { userName: `n${number}`, title: "t".repeat(20_000) },
  });
}

/** Begins to read the present state, and keeps reading it until it is ended. */
function beginReading(path: string): () => void {
  const connection = new SqliteConnection(path, { lockWait: 1000, readOnly: true });
  connection.exec("BEGIN");
  connection.run(sql`SELECT count(*) AS n FROM resources`);
  return () => connection.close();
}

describe("a write-ahead log that has become long", () => {
  test("is emptied while somebody reads at any moment, and all that was written stays", async () => {
    const path = newFile();
    const store = await open(path);
    let end = beginReading(path);
    // The next begins before the one before ends.
    const reading = setInterval(() => {
      const endNext = beginReading(path);
      end();
      end = endNext;
    }, 2);
    const keeper = new LogKeeper({
      path,
      holders: new LockHolders(),
      readers: NOBODY,
      mostBytes: 400 * KIB,
      look: 20,
    });
    let [longest, written, isCut] = [0, 0, false];
    while (!isCut) {
      await seed(store.resources, [{ type: "User", id: `u${written}`, body: { title: "t".repeat(20_000) } }]);
      written += 1;
      const bytes = logBytes(path);
      isCut = longest > 400 * KIB && bytes < longest;
      longest = Math.max(longest, bytes);
    }
    clearInterval(reading);
    end();
    await keeper.close();
    await store.close();
    const reader = new SqliteConnection(path, { lockWait: 1000 });
    expect(reader.run(sql`SELECT count(*) AS n FROM resources`).rows).toEqual([{ n: written }]);
    reader.close();
  });

  test("stays while a state in it is read for longer than is waited for; then it is emptied", async () => {
    const path = newFile();
    const store = await open(path);
    const end = beginReading(path);
    expect(await store.resources.write(SCOPE, user(1))).toMatchObject({ kind: "written" });
    expect(await emptyLog({ path, holders: new LockHolders() }, [1, 10])).toBe(false);
    expect(logBytes(path)).toBeGreaterThan(0);
    expect(await store.resources.write(SCOPE, user(2))).toMatchObject({ kind: "written" });
    end();
    expect(await emptyLog({ path, holders: new LockHolders() })).toBe(true);
    expect(logBytes(path)).toBe(0);
    await store.close();
  });

  test("lets others write between two tries, and behind the last", async () => {
    const path = newFile();
    const store = await open(path);
    const endReading = beginReading(path);
    expect(await store.resources.write(SCOPE, user(1))).toMatchObject({ kind: "written" });
    const writer = new SqliteConnection(path, { lockWait: 5 });
    const tries = [120, 120, 120, 120];
    const state = { refused: false, served: 0, isOver: false };
    // As every writer asks that waits for the lock of another.
    const polling = async (): Promise<void> => {
      while (!state.isOver || state.refused) {
        try {
          writer.exec("BEGIN IMMEDIATE; ROLLBACK");
          state.served += state.refused ? 1 : 0;
          state.refused = false;
        } catch {
          state.refused = true;
        }
        await delay(9);
      }
    };
    const polled = polling();
    expect(await emptyLog({ path, holders: new LockHolders() }, tries)).toBe(false);
    state.isOver = true;
    await polled;
    expect(state.served).toBe(tries.length);
    writer.close();
    endReading();
    await store.close();
  });

  test("is emptied when another, who empties it too, has ended or given up", async () => {
    const path = newFile();
    const store = await open(path);
    const endReading = beginReading(path);
    expect(await store.resources.write(SCOPE, user(1))).toMatchObject({ kind: "written" });
    const other = emptyLog({ path, holders: new LockHolders() }, [10_000]);
    const writer = new SqliteConnection(path, { lockWait: 0 });
    onTestFinished(() => writer.close());
    // While it waits for whoever reads, it holds the lock of writers.
    await vi.waitFor(() => expect(() => writer.exec("BEGIN IMMEDIATE; ROLLBACK")).toThrow("locked"), 60_000);
    const emptied = emptyLog({ path, holders: new LockHolders() }, [10_000]);
    await delay(200);
    endReading();
    expect(await Promise.all([other, emptied])).toEqual([true, true]);
    await store.close();
  });

  test("is emptied before more of those who read for long begin", async () => {
    const path = newFile();
    const store = await open(path);
    await seed(store.resources, [{ type: "User", id: "u1", body: {} }]);
    const pool = new ReaderPool({ path, lockWait: 1000 }, { most: 2 });
    const first = await pool.open();
    await first.run(one("SELECT 1 AS n FROM resources"));
    await store.resources.write(SCOPE, user(2));
    const order: string[] = [];
    const emptied = pool
      .holdBack(() => emptyLog({ path, holders: new LockHolders() }))
      .then((isEmpty) => order.push(`emptied ${isEmpty}`));
    const second = pool.open().then((state) => {
      order.push("began");
      return state;
    });
    await first.close();
    await emptied;
    await (await second).close();
    expect(order).toEqual(["emptied true", "began"]);
    await pool.close();
    await store.close();
  });

  test("is not emptied behind the end", async () => {
    const keeper = new LogKeeper({ path: newFile(), holders: new LockHolders(), readers: NOBODY });
    await keeper.close();
    await expect(keeper.empty()).rejects.toThrow("The store is closed.");
  });

  test("is emptied by a store that is open", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const path = newFile();
    const store = await open(path);
    const writer = new SqliteConnection(path, { lockWait: 1000 });
    writer.exec(
      "PRAGMA wal_autocheckpoint = 0; CREATE TABLE blobs (b); INSERT INTO blobs VALUES (zeroblob(135000000))",
    );
    expect(logBytes(path)).toBeGreaterThan(128 * KIB * KIB);
    vi.advanceTimersByTime(10_000);
    await vi.waitFor(() => expect(logBytes(path)).toBe(0), { timeout: 60_000 });
    writer.close();
    await store.close();
  });
});

import { copyFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { referenceBatch, type ReferenceValue } from "@scim/core";
import { createPlan, SCOPE, seed } from "@scim/core/testing";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { sql } from "../src/sql.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { CommitQueue } from "../src/sqlite/commit-queue.ts";
import { emptyLog } from "../src/sqlite/empty-log.ts";
import { LockHolders } from "../src/sqlite/lock-holders.ts";
import { LogMover, MOVE } from "../src/sqlite/log-mover.ts";
import { numberOf } from "../src/steps.ts";
import type { Store } from "../src/store.ts";
import { newFile, newFolder, open } from "./support/folders.ts";

const PAGE_BYTES = 4096;

afterEach(() => {
  vi.useRealTimers();
});

/** How often the log was begun anew: its header counts (sqlite.org/fileformat2.html, the WAL header). */
function beginnings(path: string): number {
  return readFileSync(`${path}-wal`).readUInt32BE(12);
}

/** A writer of a table of blobs, that leaves in the log all that it writes into it. */
function openWriter(path: string): SqliteConnection {
  const writer = new SqliteConnection(path, { lockWait: 1000 });
  onTestFinished(() => writer.close());
  writer.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE blobs (b)");
  writer.run(MOVE);
  return writer;
}

function writePages(writer: SqliteConnection, pages: number): void {
  writer.run(sql`INSERT INTO blobs VALUES (zeroblob(${pages * PAGE_BYTES}))`);
}

/** Bytes of blobs in the database file alone, without its log. */
function movedBytes(path: string): number {
  const copy = join(newFolder(), "copy.db");
  copyFileSync(path, copy);
  const reader = new SqliteConnection(copy, { lockWait: 1000 });
  const [row] = reader.run(sql`SELECT coalesce(sum(length(b)), 0) AS n FROM blobs`).rows;
  reader.close();
  return row === undefined ? 0 : numberOf(row, "n");
}

type Alone = ConstructorParameters<typeof LogMover>[0]["alone"];

function moverOf(path: string, alone: Alone): LogMover {
  const mover = new LogMover({ path, alone });
  onTestFinished(() => mover.close());
  return mover;
}

describe("the write-ahead log", () => {
  test("is moved into the database when enough was written, not before", async () => {
    const path = newFile();
    const writer = openWriter(path);
    const rests: number[] = [];
    const mover = moverOf(path, async () => void rests.push(movedBytes(path)));
    writePages(writer, 100);
    mover.wrote(4999);
    await mover.settled();
    expect([movedBytes(path), mover.isRunning]).toEqual([0, false]);
    mover.wrote(1);
    await mover.settled();
    expect([movedBytes(path), rests]).toEqual([100 * PAGE_BYTES, []]);
  });

  test("is begun anew by the next write where it was long and its rest was moved", async () => {
    const path = newFile();
    const writer = openWriter(path);
    writePages(writer, 5000);
    const before = beginnings(path);
    const mover = moverOf(path, (moveRest) => {
      writePages(writer, 10);
      return moveRest();
    });
    mover.wrote(5000);
    await mover.settled();
    expect(movedBytes(path)).toBe(5010 * PAGE_BYTES);
    writePages(writer, 1);
    expect(beginnings(path)).toBeGreaterThan(before);
  });

  test("is moved later where a move fails", async () => {
    const path = newFile();
    const writer = openWriter(path);
    writePages(writer, 5000);
    let tries = 0;
    const mover = moverOf(path, async () => {
      tries += 1;
      if (tries === 1) throw new Error("The queue is closed.");
    });
    mover.wrote(5000);
    await mover.settled();
    mover.wrote(5000);
    await mover.settled();
    expect(tries).toBe(2);
  });

  test("is moved by the thread alone, however much was written while its turn was waited for", async () => {
    const path = newFile();
    const writer = openWriter(path);
    const queue = new CommitQueue(writer, { busyTimeout: 1000, pauses: true });
    onTestFinished(() => queue.close());
    const turns = { asked: Promise.withResolvers<void>(), before: Promise.withResolvers<void>() };
    const before = queue.alone(() => turns.before.promise);
    const run = vi.spyOn(SqliteConnection.prototype, "run");
    onTestFinished(() => run.mockRestore());
    const mover = moverOf(path, (moveRest) => {
      turns.asked.resolve();
      return queue.alone(moveRest);
    });
    writePages(writer, 5000);
    mover.wrote(5000);
    await turns.asked.promise;
    writePages(writer, 6000);
    turns.before.resolve();
    await Promise.all([before, mover.settled()]);
    expect(movedBytes(path)).toBe(11_000 * PAGE_BYTES);
    expect(run.mock.calls.filter(([{ text }]) => text.includes("wal_checkpoint"))).toEqual([]);
  });

  test("is left as it is while somebody reads a state before it, and nobody waits while it is tried", async () => {
    const path = newFile();
    const writer = openWriter(path);
    const reader = new SqliteConnection(path, { lockWait: 1000, readOnly: true });
    onTestFinished(() => reader.close());
    reader.exec("BEGIN; SELECT count(*) FROM blobs");
    writePages(writer, 5000);
    let rests = 0;
    const mover = moverOf(path, async () => {
      rests += 1;
    });
    mover.wrote(5000);
    await mover.settled();
    expect([movedBytes(path), rests]).toEqual([0, 0]);
    reader.exec("COMMIT");
    mover.wrote(5000);
    await mover.settled();
    expect([movedBytes(path), rests]).toEqual([5000 * PAGE_BYTES, 1]);
  });

  test("is emptied by whoever asks for that, when what is being moved is moved, and before more is", async () => {
    const path = newFile();
    const writer = openWriter(path);
    const order: string[] = [];
    const mover = moverOf(path, async () => void order.push("moved"));
    for (const name of ["first", "second"]) {
      writePages(writer, 5000);
      mover.wrote(5000);
      const emptied = mover.apart(() => {
        // What was written since is told, and waits.
        mover.wrote(5000);
        return emptyLog({ path, holders: new LockHolders() });
      });
      order.push(`${name}: ${await emptied}`);
      expect(statSync(`${path}-wal`).size).toBe(0);
    }
    writePages(writer, 5000);
    mover.wrote(1);
    await mover.settled();
    expect(order).toEqual(["moved", "first: true", "moved", "second: true", "moved"]);
  });

  test("is moved by a thread that ends when nothing is written for half a minute, and is started again", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const path = newFile();
    writePages(openWriter(path), 10);
    const mover = moverOf(path, async () => undefined);
    mover.wrote(5000);
    await mover.settled();
    vi.advanceTimersByTime(29_000);
    mover.wrote(5000);
    await mover.settled();
    vi.advanceTimersByTime(29_000);
    expect(mover.isRunning).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(mover.isRunning).toBe(false);
    mover.wrote(5000);
    await mover.settled();
    expect(mover.isRunning).toBe(true);
  });
});

function pagesOfLog(path: string): number {
  return (statSync(`${path}-wal`).size - 32) / (PAGE_BYTES + 24);
}

/** How a store is written to: what is written at once changes thousands of rows, or many writes do. */
const WRITES: Readonly<Record<string, (store: Store) => Promise<void>>> = {
  "many small writes": async ({ resources }) => {
    for (let batch = 0; batch < 40; batch += 1)
      await Promise.all(
        Array.from({ length: 50 }, (_, place) =>
          resources.write(
            SCOPE,
            createPlan({ type: "User", id: `u${batch}-${place}`, body: { title: "t".repeat(8000) } }),
          ),
        ),
      );
  },
  "a long collection that was staged": async ({ resources }) => {
    const stage = await resources.stage(SCOPE, "Group");
    for (let start = 0; start < 120_000; start += 700)
      await stage.add(OWNER.path, referenceBatch(scattered(start, start + 700)));
    await stage.compare(OWNER, (_, staged) => staged);
    const staged = { stage: stage.id, changes: [{ path: OWNER.path, removed: 0, added: 120_000 }] };
    await resources.write(SCOPE, { ...createPlan({ type: "Group", id: OWNER.id, body: {} }), staged });
    await stage.close();
  },
  "an import": async ({ resources }) => {
    const gathered = resources.imports?.gather(SCOPE);
    const plans = Array.from({ length: 2300 }, (_, place) =>
      createPlan({ type: "User", id: `u${place}`, body: { title: "t".repeat(8000) } }),
    );
    for (let start = 0; start < plans.length; start += 100)
      gathered?.add(plans.slice(start, start + 100), []);
    await gathered?.write(null);
  },
};

const OWNER = { type: "Group", id: "g", path: "members" } as const;

function scattered(from: number, to: number): readonly ReferenceValue[] {
  return Array.from({ length: to - from }, (_, place) => ({
    value: `m${String(((from + place) * 7919) % 120_000).padStart(40, "0")}`,
    rest: {},
  }));
}

test.each(Object.entries(WRITES))(
  "a store moves the log of %s beside the requests, and then begins it anew",
  async (_name, write) => {
    const path = newFile();
    const store = await open(path);
    await seed(store.resources, [{ type: "User", id: "first", body: {} }]);
    const before = beginnings(path);
    const run = vi.spyOn(SqliteConnection.prototype, "run");
    onTestFinished(() => run.mockRestore());
    await write(store);
    expect(pagesOfLog(path)).toBeGreaterThan(4096);
    let more = 0;
    // So few rows that nothing is moved for them.
    await vi.waitFor(
      async () => {
        more += 1;
        await store.resources.write(SCOPE, createPlan({ type: "User", id: `more-${more}`, body: {} }));
        expect(beginnings(path)).toBeGreaterThan(before);
      },
      { timeout: 60_000, interval: 50 },
    );
    expect(run.mock.calls.filter(([{ text }]) => text.includes("wal_checkpoint"))).toEqual([]);
  },
);

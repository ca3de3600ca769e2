import { copyFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createPlan, SCOPE, seed } from "@scim/core/testing";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { sql } from "../src/sql.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { LogMover, MOVE } from "../src/sqlite/log-mover.ts";
import { numberOf } from "../src/steps.ts";
import { newFile, newFolder, open } from "./support/folders.ts";

const PAGE_BYTES = 4096;

afterEach(() => {
  vi.useRealTimers();
});

/** How often the log was begun anew: its header counts (sqlite.org/fileformat2.html, the WAL header). */
function beginnings(path: string): number {
  return readFileSync(`${path}-wal`).readUInt32BE(12);
}

/** A writer that leaves all that it writes in the log. */
function openWriter(path: string): SqliteConnection {
  const writer = new SqliteConnection(path, { lockWait: 1000 });
  onTestFinished(() => writer.close());
  writer.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE blobs (b)");
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

function moverOf(path: string, moveRest: () => Promise<void>): LogMover {
  const mover = new LogMover({ path, moveRest });
  onTestFinished(() => mover.close());
  return mover;
}

describe("the write-ahead log", () => {
  test("is moved into the database when enough was written, not before", async () => {
    const path = newFile();
    const writer = openWriter(path);
    writer.run(MOVE);
    const rests: number[] = [];
    const mover = moverOf(path, async () => void rests.push(movedBytes(path)));
    writePages(writer, 100);
    mover.wrote(499);
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
    const mover = moverOf(path, async () => {
      writePages(writer, 10);
      writer.run(MOVE);
    });
    mover.wrote(500);
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
    mover.wrote(500);
    await mover.settled();
    mover.wrote(500);
    await mover.settled();
    expect(tries).toBe(2);
  });

  test("is moved by a thread that ends when nothing is written for half a minute, and is started again", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const path = newFile();
    writePages(openWriter(path), 10);
    const mover = moverOf(path, async () => undefined);
    mover.wrote(500);
    await mover.settled();
    vi.advanceTimersByTime(29_000);
    mover.wrote(500);
    await mover.settled();
    vi.advanceTimersByTime(29_000);
    expect(mover.isRunning).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(mover.isRunning).toBe(false);
    mover.wrote(500);
    await mover.settled();
    expect(mover.isRunning).toBe(true);
  });
});

/** A User whose creation takes some four pages. */
function user(number: number) {
  return createPlan({ type: "User", id: `u${number}`, body: { title: "t".repeat(8000) } });
}

/** Pages in the log at which a write moves all of it by itself. */
const MOVED_BY_WRITE = 8192;

test("a store that writes begins its log anew before a write has to move all of it, and moves the rest between writes", async () => {
  const path = newFile();
  const store = await open(path);
  // Whoever moves on another thread has classes of its own.
  const onThisThread = vi.spyOn(SqliteConnection.prototype, "run");
  onTestFinished(() => onThisThread.mockRestore());
  await seed(store.resources, [{ type: "User", id: "first", body: {} }]);
  const before = beginnings(path);
  const pages = (): number => (statSync(`${path}-wal`).size - 32) / (PAGE_BYTES + 24);
  let written = 0;
  const write = async (): Promise<void> => {
    written += 1;
    await store.resources.write(SCOPE, user(written));
  };
  for (let batch = 0; batch < 20; batch += 1) await Promise.all(Array.from({ length: 50 }, write));
  expect(pages()).toBeGreaterThan(4096);
  await vi.waitFor(
    async () => {
      await write();
      expect(beginnings(path)).toBeGreaterThan(before);
    },
    { timeout: 10_000, interval: 20 },
  );
  expect(pages()).toBeLessThan(MOVED_BY_WRITE);
  await vi.waitFor(() => expect(onThisThread.mock.calls.map(([{ text }]) => text)).toContain(MOVE.text));
});

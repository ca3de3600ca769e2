import fs, { copyFileSync, fstatSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { callbackify } from "node:util";
import { createPlan, NOTHING, SCOPE } from "@scim/core/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sql } from "../src/sql.ts";
import { CommitFlush, commitFlushOf } from "../src/sqlite/commit-flush.ts";
import { CommitQueue } from "../src/sqlite/commit-queue.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { createExecutor } from "../src/sqlite/executor.ts";
import { type FlushFile, LogFlush } from "../src/sqlite/log-flush.ts";
import { ReaderPool } from "../src/sqlite/reader-pool.ts";
import { countOf, type Executor, type Outcome, type Steps } from "../src/steps.ts";
import { Disk } from "./support/disk.ts";
import { newFile, open } from "./support/folders.ts";

function connect(path: string): SqliteConnection {
  const connection = new SqliteConnection(path, { lockWait: 50 });
  onTestFinished(() => connection.close());
  return connection;
}

interface Opened {
  readonly path: string;
  readonly disk: Disk;
  readonly executor: Executor;
  readonly queue: CommitQueue;
  /** As of another process. */
  readonly other: SqliteConnection;
  /** How many notes that sees. */
  readonly seen: () => number;
}

/** How SQLite flushes the log: 2 with each COMMIT, 1 when it is moved alone (sqlite.org/pragma.html#pragma_synchronous). */
const [NORMAL, FULL] = [1, 2];

const COUNT = sql`SELECT count(*) AS n FROM notes`;
const NOTE_2 = sql`INSERT INTO notes VALUES (2)`;

function openNotes(): Opened {
  const path = newFile();
  const [writer, reader, other] = [connect(path), connect(path), connect(path)];
  writer.exec("PRAGMA journal_mode = WAL; CREATE TABLE notes (n INTEGER PRIMARY KEY)");
  const disk = new Disk();
  const file = { path, writer, reader, flush: disk.flush };
  const flush = new CommitFlush(file, new LogFlush(file));
  const queue = new CommitQueue(writer, { busyTimeout: 50, pauses: true, flush });
  const none = async () => Promise.reject(new TypeError("Nothing is opened here"));
  const readers = new ReaderPool({ path, lockWait: 50 }, { most: 1 });
  onTestFinished(() => readers.close());
  const openSnapshot = () => readers.open();
  const executor = createExecutor({ reader, writer, queue, flush, openSnapshot, openStage: none });
  return { path, disk, executor, queue, other, seen: () => countOf(other.run(COUNT), "n") };
}

function* note(n: number): Steps<Outcome<number>> {
  yield sql`INSERT INTO notes VALUES (${n})`;
  return { keep: true, result: n };
}

function* count(): Steps<number> {
  return countOf(yield COUNT, "n");
}

/** Keeps nothing; answers how many there are. */
function* refuse(): Steps<Outcome<string>> {
  return { keep: false, result: `found ${countOf(yield COUNT, "n")}` };
}

/** How many notes the database file has without its log. */
function movedNotes(path: string): number {
  const copy = newFile();
  copyFileSync(path, copy);
  return countOf(connect(copy).run(COUNT), "n");
}

/** How many notes there are after a loss of power, where the disk lacks a part of the log. */
function keptNotes(path: string, [from, to]: readonly [number, number]): number {
  const copy = newFile();
  copyFileSync(path, copy);
  const log = readFileSync(`${path}-wal`);
  writeFileSync(`${copy}-wal`, log.fill(0, Math.min(from, log.length), Math.min(to, log.length)));
  return countOf(connect(copy).run(COUNT), "n");
}

/** What a promise has come to by now. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return Promise.race([promise, Promise.resolve("waits")]);
}

describe("a commit on its way to the disk", () => {
  test("is told, and shown to those who read, once it is there", async () => {
    const { disk, executor, seen } = openNotes();
    const written = executor.write(() => note(1));
    await disk.wasAsked(1);
    expect(seen()).toBe(1);
    expect([await executor.read(count()), await executor.snapshot(count), await stateOf(written)]).toEqual([
      0,
      0,
      "waits",
    ]);
    disk.done();
    expect(await written).toBe(1);
    expect([await executor.read(count()), await executor.snapshot(count)]).toEqual([1, 1]);
  });

  test("is not shown to those who opened a state before, and have not read yet", async () => {
    const { disk, executor } = openNotes();
    const state = await executor.openSnapshot();
    const written = executor.write(() => note(1));
    await disk.wasAsked(1);
    expect(await state.run(count())).toBe(0);
    disk.done();
    expect([await written, await state.run(count())]).toEqual([1, 0]);
    await state.close();
  });

  test("is waited for by those who open a state that holds it", async () => {
    const { disk, executor } = openNotes();
    const written = executor.write(() => note(1));
    await disk.wasAsked(1);
    const opened = executor.openSnapshot();
    expect(await stateOf(opened)).toBe("waits");
    disk.done();
    const state = await opened;
    expect([await written, await state.run(count())]).toEqual([1, 1]);
    await state.close();
  });

  test("keeps those behind it from being committed, and lets them go together", async () => {
    const { disk, executor, seen } = openNotes();
    const first = executor.write(() => note(1));
    await disk.wasAsked(1);
    const others = Promise.all([executor.write(() => note(2)), executor.write(() => note(3))]);
    expect([await stateOf(others), seen()]).toEqual(["waits", 1]);
    disk.done();
    await disk.wasAsked(2);
    expect([await first, await stateOf(others), seen(), await executor.read(count())]).toEqual([
      1,
      "waits",
      3,
      1,
    ]);
    disk.done();
    expect(await others).toEqual([2, 3]);
  });

  test("is no reason to refuse another before it is there", async () => {
    const { disk, executor } = openNotes();
    const first = executor.write(() => note(1));
    await disk.wasAsked(1);
    const refused = executor.write(refuse);
    expect(await stateOf(refused)).toBe("waits");
    disk.done();
    expect([await first, await refused]).toEqual([1, "found 1"]);
  });

  test("keeps what another connection writes alone waiting, and the end of the queue", async () => {
    const { disk, executor, queue } = openNotes();
    const first = executor.write(() => note(1));
    await disk.wasAsked(1);
    const alone = queue.alone(async () => "done");
    expect(await stateOf(alone)).toBe("waits");
    disk.done();
    expect([await first, await alone]).toEqual([1, "done"]);
    const last = executor.write(() => note(2));
    await disk.wasAsked(2);
    const closed = queue.close().then(() => "closed");
    expect(await stateOf(closed)).toBe("waits");
    disk.done();
    expect([await last, await closed]).toEqual([2, "closed"]);
  });

  test.each<readonly [string, (executor: Executor) => Promise<number>]>([
    ["a read", (executor) => executor.read(count())],
    ["a state", (executor) => executor.snapshot(count)],
  ])("lets %s wait where another process was told meanwhile that its own is done", async (_name, ask) => {
    const { disk, executor, other } = openNotes();
    const written = executor.write(() => note(1));
    await disk.wasAsked(1);
    expect(await ask(executor)).toBe(0);
    other.run(sql`INSERT INTO notes VALUES (2)`);
    const asked = ask(executor);
    expect(await stateOf(asked)).toBe("waits");
    disk.done();
    expect([await written, await asked]).toEqual([1, 2]);
  });

  test("of another process, too, is there before others are told of it", async () => {
    const { disk, executor, other } = openNotes();
    const told = async (): Promise<unknown> => {
      const asked = disk.asked;
      const reading = executor.readDurable(count());
      const before = await stateOf(reading);
      if (disk.asked > asked) disk.done();
      return [before, disk.asked - asked, await reading];
    };
    expect(await told()).toEqual(["waits", 1, 0]);
    other.run(sql`INSERT INTO notes VALUES (1)`);
    expect(await executor.read(count())).toBe(1);
    expect(await told()).toEqual(["waits", 1, 1]);
    // Nothing was written since.
    expect(await told()).toEqual([1, 0, 1]);
  });
});

test("what others asked to flush is done before the log is closed", async () => {
  const { disk, executor, queue } = openNotes();
  const told = executor.readDurable(count());
  await disk.wasAsked(1);
  const closed = queue.close().then(() => "closed");
  expect(await stateOf(closed)).toBe("waits");
  disk.done();
  expect([await told, await closed]).toEqual([0, "closed"]);
});

test("the log is open from the beginning: of a fault the system tells those who had it open", async () => {
  const { path, disk, executor } = openNotes();
  // Each has opened it then.
  await executor.snapshot(count);
  renameSync(`${path}-wal`, `${path}-moved`);
  const written = executor.write(() => note(1));
  await Promise.race([written, disk.wasAsked(1)]);
  expect(disk.descriptors.map((descriptor) => fstatSync(descriptor).ino)).toEqual([
    statSync(`${path}-moved`).ino,
  ]);
  disk.done();
  expect(await written).toBe(1);
});

describe("a commit that the disk does not confirm", () => {
  const refused = {
    code: "unavailable",
    status: 503,
    detail: expect.stringContaining("may be there, or not"),
  };

  test("is 503; the log is moved and flushed before anything is written behind it", async () => {
    const { path, disk, executor } = openNotes();
    const first = executor.write(() => note(1));
    await disk.wasAsked(1);
    const second = executor.write(() => note(2));
    expect(await stateOf(second)).toBe("waits");
    disk.fail();
    await expect(first).rejects.toMatchObject(refused);
    await disk.wasAsked(2);
    expect(movedNotes(path)).toBe(1);
    disk.done();
    expect([await second, await executor.read(count())]).toEqual([2, 2]);
  });

  test("is not told to others", async () => {
    const { path, disk, executor, other } = openNotes();
    other.run(sql`INSERT INTO notes VALUES (1)`);
    const told = executor.readDurable(count());
    await disk.wasAsked(1);
    disk.fail();
    await expect(told).rejects.toMatchObject(refused);
    const again = executor.readDurable(count());
    await disk.wasAsked(2);
    expect(movedNotes(path)).toBe(1);
    disk.done();
    expect(await again).toBe(1);
  });

  test("is told of by no other flush either: the system tells a fault once", async () => {
    const { disk, executor, other } = openNotes();
    other.run(sql`INSERT INTO notes VALUES (9)`);
    const told = executor.readDurable(count());
    await disk.wasAsked(1);
    const written = executor.write(() => note(1));
    await disk.wasAsked(2);
    disk.fail();
    await expect(told).rejects.toMatchObject(refused);
    disk.done();
    await expect(written).rejects.toMatchObject(refused);
  });

  test.each([
    ["requests", (executor: Executor) => executor.write(() => note(2))],
    [
      "a thread",
      (_executor: Executor, { queue, other }: Opened) => queue.alone(async () => other.run(NOTE_2)),
    ],
  ])(
    "is a gap of the log that no write of %s stands behind, also while others read it",
    async (_who, write) => {
      const opened = openNotes();
      const { path, disk, executor, other } = opened;
      const whole = statSync(`${path}-wal`).size;
      const first = executor.write(() => note(1));
      await disk.wasAsked(1);
      const reading = connect(path);
      reading.exec("BEGIN");
      expect(countOf(reading.run(COUNT), "n")).toBe(1);
      const gap = [whole, statSync(`${path}-wal`).size] as const;
      disk.fail();
      await expect(first).rejects.toMatchObject(refused);
      const early = write(executor, opened).catch((error: unknown) => error);
      expect(await Promise.race([early, disk.wasAsked(2)])).toMatchObject(refused);
      reading.exec("COMMIT");
      const second = write(executor, opened).then(() => "written");
      if (disk.asked < 2) await Promise.race([second, disk.wasAsked(2)]);
      disk.done();
      expect([await second, keptNotes(path, gap), countOf(other.run(COUNT), "n")]).toEqual(["written", 2, 2]);
    },
  );

  test("keeps others from being written while the log cannot be moved, and no longer", async () => {
    const { path, disk, executor, seen } = openNotes();
    const reading = connect(path);
    reading.exec("BEGIN");
    reading.run(COUNT);
    const first = executor.write(() => note(1));
    await disk.wasAsked(1);
    disk.fail();
    await expect(first).rejects.toMatchObject(refused);
    await expect(executor.write(() => note(2))).rejects.toMatchObject(refused);
    expect([disk.asked, seen()]).toEqual([1, 1]);
    reading.exec("COMMIT");
    const third = executor.write(() => note(3));
    await disk.wasAsked(2);
    disk.done();
    expect([await third, seen()]).toEqual([3, 2]);
  });
});

test.each([
  ["WAL", NORMAL],
  ["DELETE", FULL],
])("COMMIT flushes by itself where there is no write-ahead log: %s", (mode, level) => {
  const path = newFile();
  const [writer, reader] = [connect(path), connect(path)];
  writer.exec(`PRAGMA journal_mode = ${mode}`);
  const flush = commitFlushOf({ path, writer, reader });
  expect([flush === null, countOf(writer.run(sql`PRAGMA synchronous`), "synchronous")]).toEqual([
    level === FULL,
    level,
  ]);
});

/** Has all stores flush another way, until the test ends or what is returned is called. */
function flushBy(flush: FlushFile): () => void {
  // Bindings of modules follow the object of all when they are told to.
  const flushing = vi
    .spyOn(fs, "fdatasync")
    .mockImplementation((descriptor, done) => callbackify(flush)(descriptor, done));
  syncBuiltinESMExports();
  const end = (): void => {
    flushing.mockRestore();
    syncBuiltinESMExports();
  };
  onTestFinished(end);
  return end;
}

test("a store acknowledges, and shows, a write to a file when the log is flushed", async () => {
  const { resources } = await open(newFile());
  const disk = new Disk();
  flushBy(disk.flush);
  const ANNA = { type: "User", id: "u1" } as const;
  const written = resources.write(SCOPE, createPlan({ ...ANNA, body: { userName: "anna" } }));
  await disk.wasAsked(1);
  expect([await stateOf(written), await resources.read(SCOPE, ANNA, NOTHING)]).toEqual(["waits", null]);
  disk.done();
  expect(await written).toMatchObject({ kind: "written" });
  expect(await resources.read(SCOPE, ANNA, NOTHING)).toMatchObject({ body: { userName: "anna" } });
});

test.each(["EIO", "ENOSPC", "EDQUOT", "EROFS"])(
  "a store whose disk does not confirm what is written, %s, fails its check for as long",
  async (code) => {
    const store = await open(newFile());
    const create = (id: string) =>
      store.resources.write(SCOPE, createPlan({ type: "User", id, body: { userName: id } }));
    await create("u1");
    const mend = flushBy(async () => {
      throw Object.assign(new Error(`${code}: not done, fdatasync`), { code, syscall: "fdatasync" });
    });
    await expect(create("u2")).rejects.toMatchObject({ code: "unavailable" });
    await expect(store.check()).rejects.toMatchObject({ code: "unavailable" });
    await expect(create("u3")).rejects.toMatchObject({ code: "unavailable" });
    mend();
    await expect(store.check()).resolves.toBeUndefined();
    expect(await create("u4")).toMatchObject({ kind: "written" });
  },
);

test("an import is not acknowledged behind a gap of the log: not before that has been moved into the database", async () => {
  const path = newFile();
  const { resources } = await open(path);
  const create = (id: string) => createPlan({ type: "User", id, body: { userName: id } });
  // So many that a thread writes them.
  const imported = async (name: string) =>
    resources.imports?.writeAll(
      SCOPE,
      Array.from({ length: 20 }, (_, n) => create(`${name}-${n}`)),
      null,
    );
  await imported("u1");
  const reader = connect(path);
  reader.exec("BEGIN");
  reader.run(sql`SELECT id FROM resources`);
  const mend = flushBy(async () => {
    throw new Error("EIO: i/o error, fdatasync");
  });
  await expect(resources.write(SCOPE, create("u2"))).rejects.toMatchObject({ code: "unavailable" });
  mend();
  // Who reads from the log keeps it from being cut.
  await expect(imported("u3")).rejects.toMatchObject({ code: "unavailable" });
  reader.exec("COMMIT");
  expect(await imported("u4")).toEqual({ kind: "written" });
  expect(statSync(`${path}-wal`).size).toBe(0);
});

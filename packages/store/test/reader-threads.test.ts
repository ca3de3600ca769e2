import { syncBuiltinESMExports } from "node:module";
import workerThreads, { type Worker } from "node:worker_threads";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { getPriority, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { createPlan, filterOf, indexPage, NOTHING, SCOPE, sortOf } from "@scim/core/testing";
import type { StorePage, StoreQuery, StoreScope } from "@scim/core";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openSqliteStore, type SqliteStoreOptions, type Store } from "../src/sqlite/index.ts";
import { sql } from "../src/sql.ts";
import { ReaderPool } from "../src/sqlite/reader-pool.ts";
import { newFile, open } from "./support/folders.ts";

/** Enough that a scan takes several steps. */
const USERS = 6000;

/** A file with many users, of whom every tenth is a doctor. */
let template = "";

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "scim-reading-"));
  template = join(folder, "scim.db");
  const store = await openSqliteStore({ path: template });
  const writes = Array.from({ length: USERS }, (_, number) => {
    const body = { userName: `user-${String(number)}`, title: number % 10 === 0 ? "Dr" : "Mr" };
    return store.resources.write(SCOPE, createPlan({ type: "User", id: idOf(number), body }));
  });
  await Promise.all(writes);
  await store.close();
  return () => rmSync(folder, { recursive: true });
});

/** A store on a file of a test's own. */
function filled(options: Partial<SqliteStoreOptions> = {}): Promise<Store> {
  const path = newFile();
  copyFileSync(template, path);
  return open(path, options);
}

function idOf(number: number): string {
  return `u${String(number).padStart(5, "0")}`;
}

const DOCTORS: StoreQuery = {
  type: "User",
  filter: filterOf("User", 'title eq "dr"'),
  sort: null,
  page: indexPage(0, 2),
  select: NOTHING,
};

async function doctors(store: Store, scope: StoreScope = SCOPE): Promise<StorePage> {
  const answer = await store.resources.query(scope, DOCTORS);
  if (answer.kind !== "page") throw new Error("The rows decide it.");
  return answer;
}

/** The threads that were started since a test began. */
let threads: Worker[] = [];

beforeEach(() => {
  threads = [];
  const note = (worker: Worker): void => void threads.push(worker);
  process.on("worker", note);
  onTestFinished(() => void process.off("worker", note));
});

/** The next thread, before it does anything. */
function nextThread(): Promise<Worker> {
  return new Promise((resolve) => void process.once("worker", resolve));
}

describe("a scan", () => {
  test("runs on a thread that starts with it, and answers what indexes cannot", async () => {
    const store = await filled();
    await store.resources.query(SCOPE, { ...DOCTORS, filter: filterOf("User", 'userName eq "user-7"') });
    expect(threads).toHaveLength(0);
    const page = await doctors(store);
    expect(page).toMatchObject({ total: USERS / 10, plan: "scan", scanned: true });
    expect(page.resources.map(({ id }) => id)).toEqual([idOf(0), idOf(10)]);
    expect(threads).toHaveLength(1);
    expect(threads[0]?.performance.eventLoopUtilization().active).toBeGreaterThan(0);
    await doctors(store);
    expect(threads).toHaveLength(1);
  });

  test("needs no thread where there is little to go through", async () => {
    const store = await filled({ scans: { inPlace: USERS } });
    expect((await doctors(store)).total).toBe(USERS / 10);
    expect(threads).toHaveLength(0);
  });

  test("lets reads and writes of others go first, and sees one state", async () => {
    const store = await filled();
    const order: string[] = [];
    const started = nextThread();
    const scan = doctors(store).then(() => order.push("scan"));
    await started;
    const late = createPlan({ type: "User", id: "z", body: { title: "Dr" } });
    const written = store.resources.write(SCOPE, late).then(() => order.push("write"));
    const read = store.resources.read(SCOPE, { type: "User", id: idOf(1) }, NOTHING);
    await Promise.all([read.then(() => order.push("read")), written, scan]);
    expect(order).toEqual(["read", "write", "scan"]);
    expect((await doctors(store)).total).toBe(USERS / 10 + 1);
  });

  test("in an order that no index gives finds the page and its number", async () => {
    const store = await filled();
    const sort = sortOf("User", "userName", true);
    const answer = await store.resources.query(SCOPE, { ...DOCTORS, sort, page: indexPage(1, 2) });
    if (answer.kind !== "page") throw new Error("The rows decide it.");
    expect(answer).toMatchObject({ total: USERS / 10, scanned: true });
    expect(answer.resources.map(({ body }) => body["userName"])).toEqual(["user-980", "user-970"]);
  });

  test("keeps no more places than are allowed", async () => {
    const store = await filled();
    const sort = sortOf("User", "userName", false);
    const deep = { ...DOCTORS, sort, page: indexPage(500, 10), sortedResults: 400 };
    await expect(store.resources.query(SCOPE, deep)).rejects.toMatchObject({ code: "tooMany" });
  });
});

describe("what ends a scan", () => {
  test("a client that goes away: at once, and the next has its turn", async () => {
    const store = await filled({ scans: { atOnce: 1 }, readers: { most: 1 } });
    const client = new AbortController();
    const started = nextThread();
    const scan = doctors(store, { ...SCOPE, signal: client.signal });
    await started;
    const gone = new Error("gone");
    client.abort(gone);
    await expect(scan).rejects.toBe(gone);
    expect((await doctors(store)).total).toBe(USERS / 10);
  });

  test("a client that had gone before: nothing is begun", async () => {
    const store = await filled();
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(doctors(store, { ...SCOPE, signal })).rejects.toThrow("gone");
    expect(threads).toHaveLength(0);
  });

  test("a client that goes away between batches of candidates", async () => {
    const store = await filled();
    const client = new AbortController();
    // Where a resource is, only the service knows.
    const filter = filterOf("User", "meta.location pr");
    const answer = await store.resources.query({ ...SCOPE, signal: client.signal }, { ...DOCTORS, filter });
    if (answer.kind !== "candidates") throw new Error("The rows do not decide it.");
    let batches = 0;
    const read = async (): Promise<void> => {
      for await (const batch of answer.batches) {
        batches += batch.length > 0 ? 1 : 0;
        client.abort(new Error("gone"));
      }
    };
    await expect(read()).rejects.toThrow("gone");
    expect(batches).toBe(1);
    expect((await doctors(store)).total).toBe(USERS / 10);
  });

  test("a thread that dies: 503 for what it read, and another takes its place", async () => {
    const store = await filled();
    const started = nextThread();
    const scan = doctors(store);
    const die = async (): Promise<number> => (await started).terminate();
    await Promise.all([expect(scan).rejects.toMatchObject(UNAVAILABLE), die()]);
    const page = await doctors(store);
    expect(page.total).toBe(USERS / 10);
    expect(threads).toHaveLength(2);
  });

  test("the store that closes", async () => {
    const store = await filled();
    const started = nextThread();
    const scan = doctors(store);
    const close = async (): Promise<void> => {
      await started;
      await store.close();
    };
    await Promise.all([expect(scan).rejects.toMatchObject(UNAVAILABLE), close()]);
    await expect(doctors(store)).rejects.toMatchObject(UNAVAILABLE);
  });

  test("a thread that the system does not give: 503, and the next has its turn", async () => {
    const store = await filled({ readers: { most: 1 } });
    const { Worker } = workerThreads;
    const lacking = function (): never {
      throw new Error("ERR_WORKER_INIT_FAILED: EAGAIN");
    };
    const give = (constructor: unknown): void => {
      Object.assign(workerThreads, { Worker: constructor });
      syncBuiltinESMExports();
    };
    onTestFinished(() => give(Worker));
    give(lacking);
    await expect(doctors(store)).rejects.toMatchObject(UNAVAILABLE);
    give(Worker);
    expect((await doctors(store)).total).toBe(USERS / 10);
  });

  test("a bound on threads", async () => {
    const store = await filled({ readers: { most: 1 } });
    const held = await store.resources.snapshot(SCOPE);
    await expect(doctors(store)).rejects.toMatchObject(UNAVAILABLE);
    await held.close();
    expect((await doctors(store)).total).toBe(USERS / 10);
  });
});

const UNAVAILABLE = { code: "unavailable", headers: { "retry-after": "1" } };

/** What runs in this process. */
const tasks = (): readonly string[] => readdirSync("/proc/self/task");

test.runIf(process.platform === "linux")(
  "a thread stands back from its process, however far that does",
  async () => {
    const own = getPriority();
    setPriority(own + 1);
    const before = new Set(tasks());
    const pool = new ReaderPool({ path: template, lockWait: 100 }, { most: 1 });
    const snapshot = await pool.open();
    const begun = tasks().filter((task) => !before.has(task));
    expect(Math.max(...begun.map((task) => getPriority(Number(task))))).toBe(own + 4);
    await snapshot.close();
    await pool.close();
  },
);

test("a thread that has nothing to do ends", async () => {
  const store = await filled({ readers: { idle: 1 } });
  const started = nextThread();
  await doctors(store);
  const thread = await started;
  await new Promise((resolve) => void thread.once("exit", resolve));
  expect((await doctors(store)).total).toBe(USERS / 10);
  expect(threads).toHaveLength(2);
});

test("a statement that does not end is cut, and its thread with it", async () => {
  const pool = new ReaderPool({ path: template, lockWait: 100 }, { most: 1 });
  const client = new AbortController();
  const started = nextThread();
  const snapshot = await pool.open(client.signal);
  const endless = sql`WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers) SELECT n FROM numbers`;
  const keep = { kind: "ids", skip: 0, limit: 0 } as const;
  const sifted = snapshot.sift?.(endless, { type: "User", filter: null, keep });
  const gone = new Error("gone");
  client.abort(gone);
  await expect(sifted).rejects.toBe(gone);
  const thread = await started;
  const ended = new Promise((resolve) => void thread.once("exit", resolve));
  await Promise.all([snapshot.close(), ended]);
  const next = await pool.open();
  expect(threads).toHaveLength(2);
  await next.close();
  await pool.close();
});

import fs, { statSync, symlinkSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  adding,
  createPlan,
  deletePlan,
  fetchOne,
  filterOf,
  indexPage,
  MEMBERS,
  NOTHING,
  SCOPE,
  seed,
  updatePlan,
} from "@scim/core/testing";
import { ScimError } from "@scim/schemas";
import { describe, expect, onTestFinished, test } from "vitest";
import { sql } from "../src/sql.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { openPostgres } from "./support/engines.ts";
import { newFile, newFolder, open } from "./support/folders.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;
/** Bytes that the write-ahead log holds for a page: the page and a header. */
const WAL_FRAME = 4096 + 24;

const GROUP = { type: "Group", id: "g1", body: { displayName: "one" }, members: ["b", "a"] } as const;

/** The rows of a query on a database file, beside the store. */
function query(path: string, text: string): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(text).all();
  } finally {
    database.close();
  }
}

describe("a file", () => {
  test("holds what was written when it is opened again", async () => {
    const path = newFile();
    const first = await open(path);
    await seed(first.resources, [ANNA, GROUP]);
    const before = await fetchOne(first.resources, GROUP, MEMBERS);
    await first.close();

    const second = await open(path);
    expect(await fetchOne(second.resources, GROUP, MEMBERS)).toEqual(before);
    const twin = createPlan({ ...ANNA, id: "u2" });
    expect(await second.resources.write(SCOPE, twin)).toMatchObject({ kind: "duplicate" });
  });

  test("may be named by a symbolic link: its log stands beside what that leads to", async () => {
    const path = newFile();
    const link = newFile();
    symlinkSync(path, link);
    const store = await open(link);
    await seed(store.resources, [ANNA]);
    expect(query(path, "SELECT id FROM resources")).toEqual([{ id: ANNA.id }]);
  });

  test("shows a write to others once its promise resolves, also without a close", async () => {
    const path = newFile();
    const writer = await open(path);
    const reader = await open(path);
    await seed(writer.resources, [ANNA]);
    expect(await reader.resources.read(SCOPE, ANNA, NOTHING)).toMatchObject({ body: ANNA.body });
  });

  test("keeps a write-ahead log that is flushed to the disk with each transaction", async () => {
    const path = newFile();
    await open(path);
    expect(query(path, "PRAGMA journal_mode")).toEqual([{ journal_mode: "wal" }]);
    const connection = new SqliteConnection(path, { lockWait: 0 });
    const { rows } = connection.run(sql`PRAGMA synchronous`);
    connection.close();
    // 2 is FULL.
    expect(rows).toEqual([{ synchronous: 2 }]);
  });

  test("is found again after a loss of power: the folders that were made for it are flushed with those above", async () => {
    const root = newFolder();
    const { openSync, fsyncSync } = fs;
    const opened = new Map<number, unknown>();
    const flushed = new Set<unknown>();
    onTestFinished(() => {
      Object.assign(fs, { openSync, fsyncSync });
      syncBuiltinESMExports();
    });
    fs.openSync = (path, ...how) => {
      const descriptor = openSync(path, ...how);
      opened.set(descriptor, path);
      return descriptor;
    };
    fs.fsyncSync = (descriptor) => {
      flushed.add(opened.get(descriptor));
      fsyncSync(descriptor);
    };
    syncBuiltinESMExports();
    await open(join(root, "made", "for", "scim.db"));
    expect([...flushed]).toEqual([join(root, "made"), root]);
  });

  test("can be read by its owner alone", async () => {
    const path = newFile();
    const store = await open(path);
    await seed(store.resources, [ANNA]);
    expect([path, `${path}-wal`].map((file) => statSync(file).mode & 0o077)).toEqual([0, 0]);
  });

  test("a member change writes no more to a large group than to a small one", async () => {
    const path = newFile();
    const store = await open(path);
    const many = Array.from({ length: 2000 }, (_, index) => `m${index}`);
    await seed(store.resources, [GROUP, { ...GROUP, id: "g2", members: many }]);
    const pagesOfChange = async (id: string): Promise<number> => {
      const group = await fetchOne(store.resources, { type: "Group", id });
      const before = statSync(`${path}-wal`).size;
      await store.resources.write(SCOPE, updatePlan(group, { collections: [adding("new")] }));
      return (statSync(`${path}-wal`).size - before) / WAL_FRAME;
    };
    const [small, large] = [await pagesOfChange("g1"), await pagesOfChange("g2")];
    expect(small).toBeGreaterThan(0);
    // The tree of a long collection has other pages for its ends.
    expect(large - small).toBeLessThanOrEqual(3);
  });
});

describe("the outbox", () => {
  test("tells each change once, with before and after, in the order of commits", async () => {
    const path = newFile();
    const { resources } = await open(path);
    await seed(resources, [ANNA]);
    await resources.write(
      SCOPE,
      updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anna", title: "Dr" } }),
    );
    await resources.write(SCOPE, deletePlan(await fetchOne(resources, ANNA)));
    const rows = query(
      path,
      "SELECT tenant, connection, kind, type, id, position, changed, before, after FROM events ORDER BY transaction_number, sequence",
    );
    const common = { tenant: "north", connection: "first", type: "User", id: "u1", position: null };
    const [plain, titled] = ['{"userName":"anna"}', '{"userName":"anna","title":"Dr"}'];
    expect(rows).toEqual([
      { ...common, kind: "created", changed: '["userName"]', before: null, after: plain },
      { ...common, kind: "patched", changed: '["userName","title"]', before: plain, after: titled },
      { ...common, kind: "deleted", changed: "[]", before: titled, after: null },
    ]);
  });

  test("tells what came to and went from a collection, and of a long change how much", async () => {
    const path = newFile();
    const { resources } = await open(path);
    await seed(resources, [GROUP]);
    const many = Array.from({ length: 1001 }, (_, index) => `m${index}`);
    for (const delta of [{ ...adding("c"), remove: ["a"] }, adding(...many)]) {
      const group = await fetchOne(resources, GROUP);
      await resources.write(SCOPE, updatePlan(group, { collections: [delta] }));
    }
    const rows = query(path, "SELECT before, after, collections FROM events WHERE kind = 'patched'");
    expect(
      rows.map(({ collections, ...images }) => ({ ...images, collections: JSON.parse(String(collections)) })),
    ).toEqual([
      { before: null, after: null, collections: [{ path: "members", removed: ["a"], added: ["c"] }] },
      { before: null, after: null, collections: [{ path: "members", removed: [], added: 1001 }] },
    ]);
  });

  test("tells nothing of a plan that was not applied", async () => {
    const path = newFile();
    const { resources } = await open(path);
    await seed(resources, [ANNA]);
    const stored = await fetchOne(resources, ANNA);
    await resources.write(SCOPE, deletePlan({ ...stored, version: "1-other" }));
    await resources.write(SCOPE, createPlan(ANNA));
    await resources.write(SCOPE, createPlan({ ...ANNA, id: "u2" }));
    expect(query(path, "SELECT kind FROM events")).toEqual([{ kind: "created" }]);
  });
});

describe("a store that is closed", () => {
  test.each([
    ["SQLite", async () => open(newFile())],
    // With fewer connections than writes, so that some wait for one.
    ["PostgreSQL", async () => openPostgres()],
  ])("%s finishes the writes under way and refuses others", async (_engine, openStore) => {
    const store = await openStore();
    const writes = ["u1", "u2", "u3", "u4"].map(async (id) =>
      store.resources.write(SCOPE, createPlan({ type: "User", id, body: { userName: id } })),
    );
    const closed = store.close();
    const late = store.resources.write(SCOPE, createPlan({ ...ANNA, id: "late" }));
    await expect(late).rejects.toMatchObject({ name: "ScimError", code: "unavailable" });
    const results = (await Promise.all(writes)).map(({ kind }) => kind);
    expect(results).toEqual(["written", "written", "written", "written"]);
    await closed;
    await store.close();
  });

  test("PostgreSQL refuses a write at once, and does not try it again", async () => {
    const store = await openPostgres();
    await store.close();
    let outcome = "waiting";
    const write = store.resources.write(SCOPE, createPlan(ANNA)).catch((error: unknown) => {
      outcome = error instanceof ScimError ? error.code : "another error";
    });
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(outcome).toBe("unavailable");
    await write;
  });

  test("refuses reads, also those of a query that goes through the resources", async () => {
    const store = await open(newFile());
    await seed(store.resources, [ANNA]);
    const filter = filterOf("User", 'meta.location co "Users"');
    const unindexed = { type: "User", filter, sort: null, page: indexPage(0, 1), select: NOTHING };
    const answer = await store.resources.query(SCOPE, unindexed);
    await store.close();
    const closed = { name: "ScimError", code: "unavailable" };
    await expect(store.resources.read(SCOPE, ANNA, NOTHING)).rejects.toMatchObject(closed);
    await expect(store.resources.query(SCOPE, unindexed)).rejects.toMatchObject(closed);
    if (answer.kind !== "candidates") throw new TypeError("A filter of addresses gives candidates");
    const batch = answer.batches[Symbol.asyncIterator]().next();
    await expect(batch).rejects.toMatchObject(closed);
  });

  test("does not pass its check", async () => {
    const store = await open(newFile());
    await expect(store.check()).resolves.toBeUndefined();
    await store.close();
    await expect(store.check()).rejects.toBeInstanceOf(ScimError);
  });
});

import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SCOPE, NOTHING, indexPage, seed } from "@scim/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { copyDatabase } from "../src/sqlite/copy-database.ts";
import { openSqliteStore, readMigrations, StoreError } from "../src/sqlite/index.ts";
import { startChild } from "./support/child.ts";
import { newFile, open } from "./support/folders.ts";
import { writeEvents } from "./support/written-events.ts";

const OWN = readMigrations();
/** The schema of a program that comes after this one. */
const NEXT = [
  ...OWN,
  {
    number: OWN.length + 1,
    name: "9999-notes",
    text: "CREATE TABLE notes (tenant TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (tenant, id)) STRICT",
    checksum: "checksum of notes",
    oldestWriter: 1,
  },
];
/** What a database is copied to before that schema. */
const COPY = `.before-${String(NEXT.length).padStart(4, "0")}`;

const EVERY_BADGE = {
  type: "Badge",
  filter: null,
  sort: null,
  page: indexPage(0, 0),
  select: NOTHING,
} as const;

/** Rows of a table, and whether the file is sound. */
function look(path: string, table: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return {
      ...database.prepare(`SELECT count(*) AS n FROM ${table}`).get(),
      ...database.prepare("PRAGMA integrity_check").get(),
    };
  } finally {
    database.close();
  }
}

test("a database is copied before a migration while others write: the copy is one state, and no write fails", async () => {
  const path = newFile();
  const before = await open(path);
  const writer = startChild("write-events.ts", path, "w", "400");
  const migrated = await written(before, 50).then(() => open(path, { migrations: NEXT }));
  await writer.printed;

  const copy = `${path}${COPY}`;
  const badges = look(copy, "resources");
  expect(badges).toEqual(look(copy, "events"));
  expect(badges).toMatchObject({ integrity_check: "ok" });
  expect(statSync(copy).mode & 0o077).toBe(0);
  for (const store of [before, migrated]) {
    expect(await store.resources.query(SCOPE, EVERY_BADGE)).toMatchObject({ total: 400 });
  }
});

/** A program whose migration fails. */
const BROKEN = [
  ...OWN,
  {
    number: NEXT.length,
    name: "9999-none",
    text: "INSERT INTO none VALUES (1)",
    checksum: "",
    oldestWriter: 1,
  },
];

/** A database that was closed behind one more badge. */
async function withBadge(path: string, id: string): Promise<void> {
  const store = await openSqliteStore({ path });
  await seed(store.resources, [{ type: "Badge", id, body: {} }]);
  await store.close();
}

/** What stands beside a database under the names of its copies, and how many badges each has. */
function copiesBeside(path: string): Readonly<Record<string, unknown>> {
  const start = `${basename(path)}${COPY}`;
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(start));
  return Object.fromEntries(
    names.map((name) => [name.slice(start.length), look(join(dirname(path), name), "resources")]),
  );
}

const sound = (n: number): unknown => ({ n, integrity_check: "ok" });

test("a copy of a migration that failed is made anew, and takes the place of the one before", async () => {
  const path = newFile();
  for (const [id, n] of [
    ["a", 1],
    ["b", 2],
  ] as const) {
    await withBadge(path, id);
    utimesSync(path, 0, 0);
    await expect(open(path, { migrations: BROKEN })).rejects.toThrow("none");
    expect(copiesBeside(path)).toEqual({ "": sound(n) });
  }
  await (await open(path, { migrations: NEXT })).close();
  expect(copiesBeside(path)).toEqual({ "": sound(2) });
  expect(look(`${path}${COPY}`, "migrations")).toMatchObject({ n: OWN.length });
});

/** How a database is put back, as old as it was: `cp -p` to its place, or to a file that is moved there. */
const PUTTING_BACK: readonly (readonly [string, (from: string, path: string) => void])[] = [
  ["is written over it", (from, path) => copyFileSync(from, path)],
  [
    "takes its place",
    (from, path) => {
      copyFileSync(from, `${from}.again`);
      renameSync(`${from}.again`, path);
    },
  ],
];

describe.each(PUTTING_BACK)("where a database of before %s,", (_, put) => {
  const putBack = (from: string, path: string): void => {
    put(from, path);
    for (const end of ["-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
    utimesSync(path, 0, 0);
  };

  test.each([
    ["failed", BROKEN],
    ["was done", NEXT],
  ])("and its migration %s, it is copied, and the copy of the other stays", async (_end, migrations) => {
    const path = newFile();
    await withBadge(path, "a");
    const older = `${path}.monday`;
    copyFileSync(path, older);
    await withBadge(path, "b");
    await open(path, { migrations }).then(
      (store) => store.close(),
      () => undefined,
    );
    expect(copiesBeside(path)).toEqual({ "": sound(2) });

    putBack(older, path);
    await (await open(path, { migrations: NEXT })).close();
    expect(copiesBeside(path)).toEqual({ "": sound(1), ".1": sound(2) });

    putBack(older, path);
    await withBadge(path, "c");
    await withBadge(path, "d");
    await (await open(path, { migrations: NEXT })).close();
    expect(copiesBeside(path)).toEqual({ "": sound(3), ".1": sound(2), ".2": sound(1) });
  });

  test("which is the copy itself, one copy is enough", async () => {
    const path = newFile();
    await withBadge(path, "a");
    await (await open(path, { migrations: NEXT })).close();
    putBack(`${path}${COPY}`, path);
    await withBadge(path, "b");
    await (await open(path, { migrations: NEXT })).close();
    expect(copiesBeside(path)).toEqual({ "": sound(2) });
  });
});

test("a copy that another process has made before it migrated is not taken away by a later one", async () => {
  const path = newFile();
  await open(path);
  const copy = `${path}${COPY}`;
  writeFileSync(copy, "of before");
  const connection = new SqliteConnection(path, { lockWait: 0 });
  onTestFinished(() => connection.close());
  const files = readdirSync(dirname(path));
  copyDatabase(connection, copy, () => false);
  expect(readFileSync(copy, "utf8")).toBe("of before");
  expect(readdirSync(dirname(path))).toEqual(files);
});

/** Resolves when there are so many badges. */
async function written(store: Awaited<ReturnType<typeof open>>, count: number): Promise<void> {
  for (;;) {
    const page = await store.resources.query(SCOPE, EVERY_BADGE);
    if (page.kind === "page" && (page.total ?? 0) >= count) return;
  }
}

/** What stands in the way of a copy, and what is told. */
const OBSTACLES: readonly (readonly [string, (partial: string) => void, RegExp])[] = [
  ["there is something else in its place", (partial) => mkdirSync(partial), /EISDIR/],
];
/** A disk that is always full, where the system has one. */
const FULL_DISK = [
  ["the disk is full", (partial: string) => symlinkSync("/dev/full", partial), /full/],
] as const;

test.each(process.platform === "linux" ? [...OBSTACLES, ...FULL_DISK] : OBSTACLES)(
  "where %s, the program says so, and the database stays as it was",
  async (_name, stand, message) => {
    const path = newFile();
    const store = await open(path);
    await writeEvents(store, "w", 20);
    const files = readdirSync(dirname(path));
    stand(`${path}${COPY}.${process.pid}.partial`);
    const refused = await open(path, { migrations: NEXT }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreError);
    expect(refused).toMatchObject({ code: "databaseUnusable", message: expect.stringMatching(message) });
    expect(refused).toMatchObject({ message: expect.stringContaining(`${path}${COPY}`) });
    expect(readdirSync(dirname(path))).toEqual(files);
    expect(look(path, "migrations")).toEqual({ n: OWN.length, integrity_check: "ok" });

    // Once there is room, all goes on.
    await open(path, { migrations: NEXT });
    expect(look(path, "migrations")).toMatchObject({ n: NEXT.length });
    expect(await store.resources.query(SCOPE, EVERY_BADGE)).toMatchObject({ total: 20 });
  },
);

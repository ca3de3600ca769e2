import { queryOnce } from "@scim/fixtures/postgres";
import { previousRelease } from "@scim/fixtures/releases";
import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { migratePostgres } from "../src/postgres/index.ts";
import { migrateSqlite, readMigrations } from "../src/sqlite/index.ts";
import { startChild } from "./support/child.ts";
import { bareDatabase } from "./support/engines.ts";
import { newFile, newFolder } from "./support/folders.ts";

const run = promisify(execFile);
const PREVIOUS = previousRelease();
const NUMBERS = readMigrations().map(({ number }) => number);
/** The first migration to come: the database has been copied by then, and nothing else was done. */
const FIRST = PREVIOUS.migrations("sqlite").size + 1;
/** Where processes are killed: at the first step, between two, and at the last. */
const KILLED_AT = [FIRST, Math.ceil((FIRST + NUMBERS.length) / 2), NUMBERS.length];

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const IDS = Array.from({ length: 200 }, (_, n) => `u${n}`);
const RECORDS = [
  ...IDS.map((id) => ({ schemas: [USER], id, userName: `${id}@example.com`, externalId: id })),
  { schemas: [GROUP], id: "g", displayName: "All", members: IDS.map((value) => ({ value })) },
];

/** What the program of the previous release has made of users, a group, their events and audit entries. */
async function fillByPrevious(settings: Readonly<Record<string, string>>): Promise<void> {
  const folder = newFolder();
  writeFileSync(
    join(folder, "records.jsonl"),
    RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(""),
  );
  const keys = `1:${randomBytes(32).toString("base64url")}`;
  const env = { ...process.env, SCIM_SECRET_KEYS: keys, SCIM_MIGRATIONS: "auto", ...settings };
  await run(process.execPath, [PREVIOUS.program, "import", "records.jsonl", "--keep-ids"], {
    cwd: folder,
    env,
  });
}

/** Every row of every table, in a fixed order, and the ledger without its times. */
type Content = Readonly<Record<string, readonly string[]>>;

function contentOfFile(path: string): Content {
  const database = new DatabaseSync(path);
  try {
    expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    return Object.fromEntries(
      names.map(({ name }) => {
        const rows = database.prepare(`SELECT * FROM ${String(name)}`).all();
        return [String(name), rows.map((row) => JSON.stringify({ ...row, applied: null })).toSorted()];
      }),
    );
  } finally {
    database.close();
  }
}

async function contentOfServer(url: string): Promise<Content> {
  const tables = await queryOnce(
    url,
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  );
  const content: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    const rows = await queryOnce(url, `SELECT to_jsonb(t) - 'applied' AS row FROM ${String(name)} t`);
    content[String(name)] = rows.map(({ row }) => JSON.stringify(row)).toSorted();
  }
  return content;
}

/** A database with the schema of the previous release, with rows, and how it is looked at, copied and migrated. */
interface Engine {
  readonly make: () => Promise<string>;
  readonly copy: (address: string) => Promise<string>;
  readonly content: (address: string) => Content | Promise<Content>;
  readonly migrate: (address: string) => Promise<readonly { readonly number: number }[]>;
}

const ENGINES: readonly (readonly [string, Engine])[] = [
  [
    "SQLite",
    {
      make: async () => {
        const path = newFile();
        await fillByPrevious({ SCIM_DATABASE_URL: `sqlite:${path}` });
        return path;
      },
      copy: async (path) => {
        const copy = newFile();
        cpSync(path, copy);
        return copy;
      },
      content: contentOfFile,
      migrate: (path) => migrateSqlite({ path, busyTimeout: 60_000 }),
    },
  ],
  [
    "PostgreSQL",
    {
      make: async () => {
        const url = await bareDatabase();
        await fillByPrevious({ SCIM_DATABASE_URL: url });
        return url;
      },
      copy: async (url) => {
        const copy = await bareDatabase();
        const [from, to] = [url, copy].map((each) => new URL(each).pathname.slice(1));
        const server = new URL("/postgres", url).href;
        await queryOnce(server, `DROP DATABASE ${to}`);
        await queryOnce(server, `CREATE DATABASE ${to} TEMPLATE ${from} STRATEGY FILE_COPY`);
        return copy;
      },
      content: contentOfServer,
      migrate: (url) => migratePostgres({ url }),
    },
  ],
];

describe.each(ENGINES)("%s", (_name, { make, copy, content, migrate }) => {
  test("a migration that is killed leaves the database as it was, and the next one what an undisturbed one does", async () => {
    const address = await make();
    const before = await content(address);
    expect(before["resources"]).toHaveLength(RECORDS.length);
    const undisturbed = await copy(address);
    await migrate(undisturbed);

    for (const number of KILLED_AT) {
      const child = startChild("migrate-until.ts", address, String(number));
      await once(child.process, "close");
      expect(child.process.signalCode).toBe("SIGKILL");
      expect(await content(address), `killed at ${number}`).toEqual(before);
    }
    const beside = startChild("migrate-until.ts", address, String(NUMBERS.length));
    const applied = await Promise.all([migrate(address), migrate(address), once(beside.process, "close")]);
    expect(applied.slice(0, 2).flatMap((each) => each.map(({ number }) => number))).toEqual(
      NUMBERS.slice(FIRST - 1),
    );
    expect(await content(address)).toEqual(await content(undisturbed));
  });
});

test("SQLite: what a killed process left of its copy goes, also where another has migrated since", async () => {
  const path = newFile();
  await migrateSqlite({ path });
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const left = [`scim.db.before-0002.${pid}.partial`, `scim.db.before-0002.${pid}.partial-journal`];
  const kept = [`scim.db.before-0002.${process.ppid}.partial`, `other.db.before-0002.${pid}.partial`];
  for (const name of [...left, ...kept]) writeFileSync(join(dirname(path), name), "");
  await migrateSqlite({ path });
  expect(left.filter((name) => existsSync(join(dirname(path), name)))).toEqual([]);
  expect(readdirSync(dirname(path))).toEqual(expect.arrayContaining(kept));
});

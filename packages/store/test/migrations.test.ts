import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { NOTHING, SCOPE, seed } from "@scim/core/testing";
import { describe, expect, test } from "vitest";
import { type Migration, readMigrations, StoreError } from "../src/sqlite/index.ts";
import { newFile, newFolder, open } from "./support/folders.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;

const OWN = readMigrations();

/** A migration that follows those of the package. */
function next(of: Partial<Migration> = {}): Migration {
  return {
    number: OWN.length + 1,
    name: "9999-notes",
    text: "CREATE TABLE notes (tenant TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (tenant, id)) STRICT",
    checksum: "checksum of notes",
    oldestWriter: 1,
    ...of,
  };
}

function read(path: string, text: string): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(text).all();
  } finally {
    database.close();
  }
}

/** The schema, and the rows of every table without what tells an instant. */
function contentOf(path: string): Readonly<Record<string, unknown>> {
  const schema = read(path, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid");
  const tables = schema.filter(({ type }) => type === "table").map(({ name }) => String(name));
  const rowsOf = (table: string): unknown =>
    JSON.parse(JSON.stringify(read(path, `SELECT * FROM "${table}"`), dateless));
  return { schema, ...Object.fromEntries(tables.map((table) => [table, rowsOf(table)])) };
}

function dateless(_name: string, value: unknown): unknown {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? "an instant" : value;
}

function codeOf(error: unknown): string {
  return error instanceof StoreError ? error.code : String(error);
}

describe("the schema", () => {
  test("every primary key begins with the tenant; the ledger is the exception", async () => {
    const path = newFile();
    await open(path);
    const first = read(
      path,
      `SELECT t.name AS "table", c.name AS "column" FROM pragma_table_list t, pragma_table_info(t.name) c
       WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%' AND c.pk = 1 ORDER BY t.name`,
    );
    const others = first.filter(({ table }) => table !== "migrations");
    expect(others.length).toBeGreaterThan(8);
    expect(others.filter(({ column }) => column !== "tenant")).toEqual([]);
  });

  test("has the default tenant with its default connection", async () => {
    const path = newFile();
    await open(path);
    expect(read(path, "SELECT tenant, connection FROM connections")).toEqual([
      { tenant: "default", connection: "default" },
    ]);
  });
});

describe("migrations", () => {
  test("are applied once, and remembered with their checksum", async () => {
    const path = newFile();
    await (await open(path)).close();
    await (await open(path)).close();
    expect(read(path, "SELECT number, name, checksum FROM migrations")).toEqual(
      OWN.map(({ number, name, checksum }) => ({ number, name, checksum })),
    );
  });

  test("come to the same in the first new database of a process and in the next, each made at its own time", async () => {
    const [first, second] = [newFile(), newFile()];
    // No other test has applied these.
    const migrations = [
      ...OWN,
      next({ text: "CREATE TABLE unheard_of (id TEXT NOT NULL PRIMARY KEY) STRICT" }),
    ];
    await (await open(first, { migrations })).close();
    const between = new Date().toISOString();
    await (await open(second, { migrations })).close();
    expect(contentOf(second)).toEqual(contentOf(first));
    expect(contentOf(first)["unheard_of"]).toEqual([]);
    const [made] = read(second, "SELECT created FROM tenants");
    expect(String(made?.["created"]) >= between).toBe(true);
  });

  test("that changed since they were applied are refused", async () => {
    const path = newFile();
    await (await open(path)).close();
    const changed = OWN.map((migration) => ({ ...migration, checksum: "another" }));
    const refused = await open(path, { migrations: changed }).catch(codeOf);
    expect(refused).toBe("migrationChanged");
  });

  test.each([
    ["is opened where the newer program allows it", 1, null],
    ["is refused where the newer program does not allow it", OWN.length + 1, "databaseTooNew"],
  ])("a database of a newer program %s", async (_name, oldestWriter, code) => {
    const path = newFile();
    await (await open(path, { migrations: [...OWN, next({ oldestWriter })] })).close();
    const outcome = await open(path).then(() => null, codeOf);
    expect(outcome).toBe(code);
  });

  test("copy a database that holds something first", async () => {
    const path = newFile();
    const before = await open(path);
    await seed(before.resources, [ANNA]);
    await before.close();
    const copy = `${path}.before-${String(OWN.length + 1).padStart(4, "0")}`;
    expect(existsSync(copy)).toBe(false);
    await (await open(path, { migrations: [...OWN, next()] })).close();
    expect(read(path, "SELECT count(*) AS n FROM notes")).toEqual([{ n: 0 }]);
    const restored = await open(copy);
    expect(await restored.resources.read(SCOPE, ANNA, NOTHING)).toMatchObject({ body: ANNA.body });
  });

  test("that fail change nothing", async () => {
    const path = newFile();
    await (await open(path)).close();
    const bad = [next(), next({ number: OWN.length + 2, name: "bad", text: "CREATE TABLE notes (a TEXT)" })];
    expect(await open(path, { migrations: [...OWN, ...bad] }).catch(codeOf)).toBe("databaseUnusable");
    expect(read(path, "SELECT count(*) AS n FROM migrations")).toEqual([{ n: OWN.length }]);
    expect(read(path, "SELECT name FROM sqlite_schema WHERE name = 'notes'")).toEqual([]);
  });

  test("run once where several processes open one new file at once", async () => {
    const path = newFile();
    const script = join(import.meta.dirname, "support", "open-once.ts");
    const run = promisify(execFile);
    const results = await Promise.all(
      ["a", "b", "c"].map(async (id) =>
        run(process.execPath, ["--conditions=@scim/source", script, path, id]),
      ),
    );
    expect(results.map(({ stdout }) => stdout.trim())).toEqual(["written", "written", "written"]);
    expect(read(path, "SELECT count(*) AS n FROM migrations")).toEqual([{ n: OWN.length }]);
    expect(read(path, "SELECT id FROM resources ORDER BY id")).toEqual([
      { id: "a" },
      { id: "b" },
      { id: "c" },
    ]);
  });

  test.each([
    ["a misnamed file", { "1-first.sql": "-- oldest writer: 1" }],
    ["a missing header", { "0001-first.sql": "SELECT 1" }],
    ["a gap", { "0002-second.sql": "-- oldest writer: 1" }],
  ])("with %s cannot be read", (_name, files) => {
    const folder = newFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    expect(() => readMigrations(pathToFileURL(`${folder}/`))).toThrow(StoreError);
  });

  test("that are not where the program looks, as in a bundle, are told of with what to do", () => {
    const elsewhere = pathToFileURL(join(newFolder(), "bundle", "/"));
    expect(() => readMigrations(elsewhere)).toThrow(
      expect.objectContaining({
        code: "migrationUnreadable",
        message: expect.stringContaining("leave @scim/store as a package beside the bundle"),
      }),
    );
  });

  test("have one checksum, however a checkout ends its lines", () => {
    const [unix, windows] = ["\n", "\r\n"].map((end) => {
      const folder = newFolder();
      writeFileSync(join(folder, "0001-first.sql"), ["-- oldest writer: 1", "SELECT 1;", ""].join(end));
      return readMigrations(pathToFileURL(`${folder}/`));
    });
    expect(windows).toEqual(unix);
  });
});

describe("a path that cannot be opened", () => {
  test("is an error that says so", async () => {
    const folder = newFolder();
    expect(await open(folder).catch(codeOf)).toBe("databaseUnusable");
    const noDatabase = join(folder, "text.db");
    writeFileSync(noDatabase, "This is no database, but a text of some length.".repeat(100));
    expect(await open(noDatabase).catch(codeOf)).toBe("databaseUnusable");
  });
});

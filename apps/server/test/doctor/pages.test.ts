import { mkdirSync, openSync, closeSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import type { Check } from "../../src/doctor/check.ts";
import { EXIT } from "../../src/failure.ts";
import { printed } from "../command-line/printed.ts";
import { newFolder } from "../command-line/program.ts";

/** A database file whose last pages hold texts that nothing reads but who asks for them. */
async function filled(): Promise<string> {
  const path = join(newFolder(), "scim.db");
  await printed(["migrate"], { SCIM_DATABASE_URL: `sqlite:${path}` });
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE notes (text TEXT); CREATE INDEX notes_text ON notes (text);
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2000)
    INSERT INTO notes SELECT printf('%0900d', n) FROM n`);
  database.close();
  return path;
}

async function examined(path: string, ...flags: readonly string[]) {
  const environment = { SCIM_DATABASE_URL: `sqlite:${path}`, SCIM_SQLITE_BUSY_TIMEOUT: "100" };
  const { code, stdout } = await printed(["doctor", "--json", ...flags], environment);
  // The command under test wrote it.
  const { checks } = JSON.parse(stdout) as { checks: readonly Check[] };
  return { code, pages: checks.find(({ name }) => name === "pages") };
}

test("scim doctor --pages finds pages that are damaged, which nothing else looks at, and tells the first faults", async () => {
  const path = await filled();
  const { size } = statSync(path);
  expect(await examined(path, "--pages")).toMatchObject({
    code: EXIT.ok,
    pages: { outcome: "ok", detail: expect.stringMatching(/^all [0-9,]+ bytes of .+ are sound$/) },
  });
  const file = openSync(path, "r+");
  // As many as are counted: behind fewer, the check goes on to the rows, and ends at the first that cannot be read.
  for (let page = 10; page < 240; page += 2)
    writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, Math.floor(size / 4096 - page) * 4096);
  closeSync(file);
  expect(await examined(path)).toEqual({ code: EXIT.ok, pages: undefined });
  expect(await examined(path, "--pages")).toMatchObject({
    code: EXIT.failed,
    pages: {
      outcome: "wrong",
      detail: expect.stringMatching(/^100 faults: Tree [^;*\n]*; [^;*\n]*; [^;*\n]* …$/),
      remedy: expect.stringContaining("backup"),
    },
  });
});

test("scim doctor --pages compares indexes with their tables, and tells the first faults of many", async () => {
  const path = await filled();
  const database = new DatabaseSync(path);
  database.enableDefensive(false);
  database.exec("PRAGMA writable_schema = ON");
  const index = database.prepare("SELECT * FROM sqlite_schema WHERE name = 'notes_text'").get() ?? {};
  database.exec("DELETE FROM sqlite_schema WHERE name = 'notes_text'; PRAGMA writable_schema = RESET");
  database.exec("INSERT INTO notes VALUES ('a'), ('b'), ('c'), ('d'), ('e'); PRAGMA writable_schema = ON");
  const { type = "", name = "", tbl_name = "", rootpage = 0, sql = "" } = index;
  const again = database.prepare("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)");
  again.run(type, name, tbl_name, rootpage, sql);
  database.close();
  const { code, pages } = await examined(path, "--pages");
  expect([code, pages?.outcome]).toEqual([EXIT.failed, "wrong"]);
  expect(pages?.detail).toMatch(/^6 faults: .*row \d+ missing from index notes_text;? .*…$/);
  expect(pages?.remedy).toContain("REINDEX");
});

test("scim doctor --pages goes on while others write, and says what it cannot read", async () => {
  const path = await filled();
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  other.exec("BEGIN; INSERT INTO notes VALUES ('a')");
  expect((await examined(path, "--pages")).pages).toMatchObject({ outcome: "ok" });

  const foreign = join(newFolder(), "scim.db");
  writeFileSync(foreign, "no database ".repeat(1000));
  expect((await examined(foreign, "--pages")).pages).toMatchObject({
    outcome: "wrong",
    detail: "1 fault: The file is no SQLite database, or it is damaged: restore a backup.",
  });
  const closed = await filled();
  mkdirSync(`${closed}-wal`);
  expect((await examined(closed, "--pages")).pages).toMatchObject({
    outcome: "wrong",
    detail: `${closed} cannot be read: The database file cannot be opened.`,
  });
  expect((await examined(join(newFolder(), "none.db"), "--pages")).pages).toBeUndefined();
});

test.each([
  ["PostgreSQL", [], { SCIM_DATABASE_URL: "postgres://scim:x@localhost/scim" }],
  [
    "a service that runs",
    ["--url", "http://localhost:1/scim/v2"],
    { SCIM_DATABASE_URL: "sqlite:/nowhere.db" },
  ],
])("scim doctor --pages is not for %s", async (_what, flags, environment) => {
  await expect(printed(["doctor", "--pages", ...flags], environment)).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringContaining("--pages reads the file of an SQLite database"),
  });
});

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { newFolder } from "../command-line/program.ts";
import { printed } from "../command-line/printed.ts";

test("a backup is made of a database that takes no writes, and says that the audit log lacks it", async () => {
  const folder = newFolder();
  const path = join(folder, "scim.db");
  const environment = { SCIM_DATABASE_URL: `sqlite:${path}`, SCIM_SQLITE_BUSY_TIMEOUT: "100" };
  await printed(["export"], environment);
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  const copied = await printed(["backup", join(folder, "copy.db")], environment);
  expect(copied.stdout).toContain("checked");
  expect(copied.stderr).toContain("This is not in the audit log");
  const exported = await printed(["export"], environment);
  expect(exported.stderr).toContain("This is not in the audit log");
});

test("a backup makes no database, and changes no schema", async () => {
  const folder = newFolder();
  const path = join(folder, "scim.db");
  const environment = { SCIM_DATABASE_URL: `sqlite:${path}` };
  const refused = printed(["backup", join(folder, "copy.db")], environment);
  await expect(refused).rejects.toThrow(`There is no database file ${path} to copy`);
  expect(existsSync(path)).toBe(false);

  const before = new DatabaseSync(path);
  before.exec("CREATE TABLE notes (text TEXT)");
  before.close();
  mkdirSync(join(folder, "copies"));
  await expect(printed(["backup", join(folder, "copies", "copy.db")], environment)).rejects.toThrow(
    "resources",
  );
  const after = new DatabaseSync(path);
  onTestFinished(() => after.close());
  expect(after.prepare("SELECT name FROM sqlite_schema").all()).toEqual([{ name: "notes" }]);
});

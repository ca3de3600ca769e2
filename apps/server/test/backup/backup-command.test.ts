import { spawnSync } from "node:child_process";
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { newFolder } from "../command-line/program.ts";
import { printed } from "../command-line/printed.ts";

test("a backup is made of a database that takes no writes, and says that the audit log lacks it", async () => {
  const folder = newFolder();
  const path = join(folder, "scim.db");
  const environment = { SCIM_DATABASE_URL: `sqlite:${path}`, SCIM_SQLITE_BUSY_TIMEOUT: "100" };
  await printed(["migrate"], environment);
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  const copied = await printed(["backup", join(folder, "copy.db")], environment);
  expect(copied.stdout).toContain("checked");
  expect(copied.stderr).toContain("This is not in the audit log");
  const exported = await printed(["export"], environment);
  expect(exported.stderr).toContain("This is not in the audit log");
});

test("a backup is named by no URI: SQLite would fill another file than the one that is checked", async () => {
  const folder = newFolder();
  const environment = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` };
  await printed(["migrate"], environment);
  await expect(printed(["backup", `file:${join(folder, "copy.db")}`], environment)).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: "A backup is named by its path: leave 'file:' out.",
  });
  expect(readdirSync(folder)).toEqual(["scim.db"]);
});

test("a backup of a damaged file says so, and leaves nothing", async () => {
  const folder = newFolder();
  const path = join(folder, "scim.db");
  writeFileSync(path, "no database ".repeat(1000));
  const target = join(folder, "copy.db");
  await expect(printed(["backup", target], { SCIM_DATABASE_URL: `sqlite:${path}` })).rejects.toMatchObject({
    message: `The copy ${target} could not be made: The file is no SQLite database, or it is damaged: restore a backup.`,
  });
  expect(readdirSync(folder)).toEqual(["scim.db"]);
});

test("a backup that cannot be made says what to do", async () => {
  const folder = newFolder();
  const path = join(folder, "scim.db");
  const environment = { SCIM_DATABASE_URL: `sqlite:${path}` };
  await printed(["migrate"], environment);
  const refused = async (target: string): Promise<string> => {
    const failure: unknown = await printed(["backup", target], environment).catch((error: unknown) => error);
    expect(failure).toMatchObject({ exitCode: 1 });
    return failure instanceof Error ? failure.message : "";
  };
  const nowhere = join(folder, "none", "copy.db");
  expect(await refused(nowhere)).toBe(
    `The copy ${nowhere} could not be made: There is no folder ${join(folder, "none")}: make it first.`,
  );
  expect(await refused(join(path, "copy.db"))).toContain(`There is no folder ${path}: make it first.`);
  // A file system that takes no files, whoever asks.
  if (existsSync("/sys/kernel"))
    expect(await refused("/sys/kernel/copy.db")).toContain(
      "This user can write nothing in /sys/kernel: name",
    );
  // As on a read-only mount, what SQLite writes to read cannot be made.
  mkdirSync(`${path}-wal`);
  expect(await refused(join(folder, "copy.db"))).toContain(
    `SQLite writes ${path}-shm and ${path}-wal even to read ${path}, and cannot. Run this as the user of the server`,
  );
  expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual([]);
});

describe("on a file system without hard links, a backup", () => {
  /** What a call answers there. */
  const failing = (
    name: "linkSync" | "renameSync",
    code: string,
    before: () => void = () => undefined,
  ): void => {
    const call = fs[name];
    onTestFinished(() => {
      fs[name] = call;
      syncBuiltinESMExports();
    });
    fs[name] = () => {
      before();
      throw Object.assign(new Error(`${code}: not here, ${name}`), { code, syscall: name });
    };
    syncBuiltinESMExports();
  };

  async function aDatabase(): Promise<{ readonly target: string; readonly backup: () => Promise<string> }> {
    const folder = newFolder();
    const environment = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` };
    await printed(["migrate"], environment);
    const target = join(folder, "copy.db");
    return { target, backup: async () => (await printed(["backup", target], environment)).stdout };
  }
  const copiesOf = (target: string): readonly string[] =>
    readdirSync(join(target, "..")).filter((name) => name.startsWith("copy"));

  test.each(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])("is made where linking is %s", async (code) => {
    const { target, backup } = await aDatabase();
    failing("linkSync", code);
    expect(await backup()).toContain("checked");
    expect(copiesOf(target)).toEqual(["copy.db"]);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(new DatabaseSync(target).prepare("PRAGMA integrity_check").get()).toEqual({
      integrity_check: "ok",
    });
  });

  test("overwrites nothing that was made meanwhile", async () => {
    const { target, backup } = await aDatabase();
    failing("linkSync", "EPERM", () => writeFileSync(target, "of another"));
    await expect(backup()).rejects.toThrow(/EEXIST/);
    expect(readFileSync(target, "utf8")).toBe("of another");
    expect(copiesOf(target)).toEqual(["copy.db"]);
  });

  test("leaves no empty file where it cannot bear its name", async () => {
    const { target, backup } = await aDatabase();
    failing("linkSync", "EPERM");
    failing("renameSync", "EIO");
    await expect(backup()).rejects.toThrow(/EIO/);
    expect(copiesOf(target)).toEqual([]);
  });
});

test("a backup is made in a folder that takes files and does not show them", async () => {
  const folder = newFolder();
  const environment = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` };
  await printed(["migrate"], environment);
  const copies = join(folder, "copies");
  mkdirSync(copies);
  const { openSync } = fs;
  onTestFinished(() => {
    fs.openSync = openSync;
    syncBuiltinESMExports();
  });
  // Whoever runs the tests as root may look into each.
  fs.openSync = (path, ...how) => {
    if (path !== copies) return openSync(path, ...how);
    throw Object.assign(new Error("EACCES: permission denied, open"), { code: "EACCES", syscall: "open" });
  };
  syncBuiltinESMExports();
  expect((await printed(["backup", join(copies, "copy.db")], environment)).stdout).toContain("checked");
  expect(readdirSync(copies)).toEqual(["copy.db"]);
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

test("what a killed backup left goes with the next one to the same name; what others left is named, and stays", async () => {
  const folder = newFolder();
  const environment = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` };
  await printed(["migrate"], environment);
  const copies = join(folder, "copies");
  mkdirSync(copies);
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  const kept = [
    `other.db.${ended}.partial`,
    `copy.db.${process.ppid}.partial`,
    "copy.db.partial",
    "notes.txt",
  ];
  const left = [ended, process.pid].flatMap((pid) =>
    ["", "-journal"].map((end) => `copy.db.${pid}.partial${end}`),
  );
  for (const name of [...kept, ...left]) writeFileSync(join(copies, name), "half a copy");
  const { stdout, stderr } = await printed(["backup", join(copies, "copy.db")], environment);
  expect(stdout).toContain("checked");
  expect(readdirSync(copies).toSorted()).toEqual([...kept, "copy.db"].toSorted());
  expect(stderr).toBe(
    `${join(copies, `other.db.${ended}.partial`)} is left of a copy that did not come to its end: remove it.\n`,
  );
});

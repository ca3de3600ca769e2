import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { printed } from "./printed.ts";
import { eventually } from "../eventually.ts";
import { newFolder, start } from "./program.ts";

const HASH = "0".repeat(64);

/** Arguments that name a file of text. */
const NAMED: Readonly<Record<string, (file: string, csv: string) => readonly string[]>> = {
  "schema validate": (file) => ["schema", "validate", file],
  "import --mapping": (file, csv) => ["import", csv, "--type", "User", "--dry-run", "--mapping", file],
  "case run": (file) => ["case", "run", file],
  "--token-file": (file) => ["token", "list", "--url", "http://127.0.0.1:9", "--token-file", file],
  "--key-file": (file) => ["token", "import", "--scheme", "hmac-sha256", "--hash", HASH, "--key-file", file],
};

describe.each(Object.entries(NAMED))("%s", (_name, argsOf) => {
  test.each([
    ["a file that is not there", "none", /ENOENT/],
    ["a folder", "folder", /EISDIR|holds no file/],
    ["a file without an end", "/dev/zero", /more than 67108864 bytes/],
    ["UTF-16", "utf16", /it is UTF-16, save it as UTF-8/],
    ["another encoding", "latin1", /it is no text in UTF-8/],
  ])("refuses %s", async (_title, name, message) => {
    const folder = newFolder();
    mkdirSync(join(folder, "folder"));
    writeFileSync(join(folder, "utf16"), Buffer.from("\uFEFF{}", "utf16le"));
    writeFileSync(join(folder, "latin1"), Buffer.from('{"a":"\u00E9"}', "latin1"));
    writeFileSync(join(folder, "a.csv"), "userName\nanna\n");
    const file = name.startsWith("/") ? name : join(folder, name);
    const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_DATA_DIR: folder };
    await expect(printed(argsOf(file, join(folder, "a.csv")), environment)).rejects.toMatchObject({
      name: "CommandFailure",
      exitCode: EXIT.failed,
      message: expect.stringMatching(message),
    });
  });
});

test("a byte order mark is no part of a mapping", async () => {
  const folder = newFolder();
  const [mapping, csv] = [join(folder, "m.json"), join(folder, "a.csv")];
  writeFileSync(mapping, '\uFEFF{"columns":{"login":"userName"}}');
  writeFileSync(csv, "login\nanna\n");
  const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_DATA_DIR: folder };
  const ended = await printed(["import", csv, "--type", "User", "--mapping", mapping], environment);
  expect(ended.stdout).toContain("1 created");
});

test("an import of a record without an end is interrupted", async () => {
  const folder = newFolder();
  const program = start(["import", "/dev/zero", "--type", "User"], { folder });
  // By then it listens to signals: the database is made behind that.
  await eventually(() => expect(existsSync(join(folder, "data/scim.db"))).toBe(true));
  program.child.kill("SIGINT");
  expect(await program.ended).toBe(EXIT.failed);
  expect(program.stdout()).toContain("0 created");
});

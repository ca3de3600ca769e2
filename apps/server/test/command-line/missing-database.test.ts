import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { EXIT } from "../../src/failure.ts";
import { captured, printed } from "./printed.ts";
import { USER } from "../over-http/client.ts";
import { newFolder } from "./program.ts";

const inFolder = (folder: string): Readonly<Record<string, string>> => ({
  SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}`,
});

describe("a database that is not there", () => {
  test.each([
    "tenant list",
    "tenant delete acme --exported",
    "connection show okta",
    "token list",
    "token revoke 0199",
    "client list",
    "admin list",
    "schema list",
    "export",
    "deleted list",
    "erase 0199",
    "index list",
    "requests list",
    "case export 0199",
    "guard list",
    "audit verify",
    "events list",
    "webhook list",
    "stream list",
    "migrate --to sqlite:elsewhere.db",
  ])("scim %s says where it looked, and makes none", async (line) => {
    const folder = newFolder();
    await expect(runCommand(line.split(" "), inFolder(folder))).rejects.toMatchObject({
      message: `There is no database at ${join(folder, "scim.db")}. Give that of the server by --database-url or SCIM_DATABASE_URL; the first 'scim serve' makes it.`,
      exitCode: EXIT.failed,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    "token create --tenant nope",
    "token create --connection nope",
    "client create --tenant nope",
    "import /dev/null --format jsonl --tenant nope",
    "import /dev/null --format jsonl --tenant nope --dry-run",
  ])("scim %s, for which a new one is of no use, makes none", async (line) => {
    const folder = newFolder();
    await expect(runCommand(line.split(" "), inFolder(folder))).rejects.toMatchObject({
      message: expect.stringContaining(`There is no database at ${join(folder, "scim.db")}.`),
      exitCode: EXIT.failed,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ["import nofile.jsonl", EXIT.failed, "nofile.jsonl cannot be read"],
    ["webhook create --to ftp://x", EXIT.usage, "must begin with https:"],
    ["webhook create --to https://hooks.example.com --types ,", EXIT.usage, "says no events"],
    ["webhook create --to https://hooks.example.com --payload all", EXIT.usage, "reference or full"],
    ["stream create", EXIT.usage, "scim stream create --to ADDRESS"],
    ["stream create --to ftp://x", EXIT.usage, "must begin with https:"],
  ])("scim %s is refused before one is made", async (line, exitCode, message) => {
    const folder = newFolder();
    await expect(runCommand(line.split(" "), inFolder(folder))).rejects.toMatchObject({
      message: expect.stringContaining(message),
      exitCode,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a trial run is tried on an empty one, says so, and makes none", async () => {
    const folder = newFolder();
    writeFileSync(
      join(folder, "users.jsonl"),
      `${JSON.stringify({ schemas: [USER], userName: "anna" })}\n{}\n`,
    );
    const args = ["import", join(folder, "users.jsonl"), "--dry-run"];
    const { code, stdout, stderr } = await printed(args, inFolder(folder));
    expect([code, stdout]).toEqual([
      EXIT.failed,
      expect.stringContaining("Nothing was written. 2 records: 1 created"),
    ]);
    expect(stderr).toContain(`There is no database at ${join(folder, "scim.db")}: what would come of it`);
    expect(readdirSync(folder).filter((name) => name !== "users.jsonl.rejected.jsonl")).toEqual([
      "users.jsonl",
    ]);
  });

  test("a plan of one is told to be that, and makes none", async () => {
    const folder = newFolder();
    const { code, stdout, stderr } = await printed(["migrate", "--plan"], inFolder(folder));
    expect([code, stderr]).toEqual([
      EXIT.ok,
      `There is no database at ${join(folder, "scim.db")}: it would be made.\n`,
    ]);
    expect(stdout).toContain("pending, in one transaction");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that a command makes before it is refused is told all the same", async () => {
    const folder = newFolder();
    const file = join(folder, "users.jsonl");
    writeFileSync(file, "{}\n");
    const { result, stderr } = await captured(() =>
      runCommand(["import", file, "--type", "Foo"], inFolder(folder)).catch((error: unknown) => error),
    );
    expect(result).toMatchObject({ exitCode: EXIT.usage });
    expect(stderr.split("\n")).toContain(`A new database was made: ${join(folder, "scim.db")}.`);
  });

  test.each(["token create", "tenant create acme", "connection create okta", "client create", "migrate"])(
    "scim %s makes one, and says so once",
    async (line) => {
      const folder = newFolder();
      const told = `A new database was made: ${join(folder, "scim.db")}.`;
      const first = await printed(line.split(" "), inFolder(folder));
      expect([first.code, existsSync(join(folder, "scim.db"))]).toEqual([EXIT.ok, true]);
      expect(first.stderr.split("\n")).toContain(told);
      expect(first.stdout).not.toContain(told);
      const second = await printed(["tenant", "list", "--json"], inFolder(folder));
      expect(second).toMatchObject({ code: EXIT.ok, stderr: "" });
    },
  );
});

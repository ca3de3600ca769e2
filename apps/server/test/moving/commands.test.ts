import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { dropDatabase, newDatabase } from "@scim/fixtures/postgres";
import { GROUP_URN, USER_URN } from "@scim/schemas";
import { expect, inject, onTestFinished, test } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { EXIT } from "../../src/failure.ts";
import { interruption, printed, runHere } from "../command-line/printed.ts";
import { newFolder, serve, start } from "../command-line/program.ts";

const KEYS = `1:${"k".repeat(43)}`;

/** A folder with a source of some users and a group. */
function filledFolder(): string {
  const folder = newFolder();
  const users = Array.from({ length: 50 }, (_, index) => ({
    schemas: [USER_URN],
    userName: `user-${index}`,
    displayName: `User, "${index}"`,
  }));
  const group = { schemas: [GROUP_URN], displayName: "G", members: [{ value: "u1", type: "User" }] };
  const text = [...users, group].map((body) => JSON.stringify(body)).join("\n");
  writeFileSync(join(folder, "all.jsonl"), text);
  return folder;
}

test("scim export writes what scim import --keep-ids brings back, as JSON lines and as CSV", async () => {
  const folder = filledFolder();
  const at = (name: string): string => `--database-url=sqlite:./${name}.db`;
  const imported = await runHere(["import", "all.jsonl", at("a")], { folder });
  expect(imported).toMatchObject({
    code: 0,
    stdout: "51 records: 51 created, 0 replaced, 0 unchanged, 0 rejected.\n",
  });
  expect(await runHere(["export", "a.jsonl", at("a")], { folder })).toMatchObject({ code: 0, stdout: "" });
  expect(statSync(join(folder, "a.jsonl")).mode & 0o777).toBe(0o600);
  await runHere(["import", "a.jsonl", "--keep-ids", at("b")], { folder });
  const { stdout } = await runHere(["export", at("b")], { folder });
  expect(stdout).toBe(readFileSync(join(folder, "a.jsonl"), "utf8"));

  const mapping = { type: "User", columns: { id: "id", name: "userName", shown: "displayName" } };
  writeFileSync(join(folder, "mapping.json"), JSON.stringify(mapping));
  const csv = ["export", "--format=csv", "--mapping=mapping.json"];
  const { stdout: records } = await runHere([...csv, at("b")], { folder });
  expect(records.split("\r\n")).toHaveLength(52);
  expect(records).toContain('"User, ""7"""');
  await runHere(["export", "b.csv", "--mapping=mapping.json", at("b")], { folder });
  expect(readFileSync(join(folder, "b.csv"), "utf8")).toBe(records);
  await runHere(["import", "b.csv", "--mapping=mapping.json", "--keep-ids", at("c")], { folder });
  expect((await runHere([...csv, at("c")], { folder })).stdout).toBe(records);
});

test("a source without records is told as such, and CSV without a header is refused", async () => {
  const folder = newFolder();
  const environment = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}`, SCIM_SECRET_KEYS: KEYS };
  const imported = async (name: string, content: string): Promise<string> => {
    writeFileSync(join(folder, name), content);
    return (await printed(["import", join(folder, name), "--type=User"], environment)).stdout;
  };
  for (const [name, content] of [
    ["header.csv", "userName\n"],
    ["empty.jsonl", ""],
  ] as const)
    expect(await imported(name, content)).toMatch(/^0 records: .*\nThe source holds no record\.\n$/);
  for (const content of ["", "\r\n\n"])
    await expect(imported("none.csv", content)).rejects.toMatchObject({
      message: `${join(folder, "none.csv")} is empty: CSV begins with a header.`,
      exitCode: EXIT.failed,
    });
});

test("what no schema names is dropped, and told", async () => {
  const folder = newFolder();
  const environment = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}`, SCIM_SECRET_KEYS: KEYS };
  const file = join(folder, "users.jsonl");
  const user = {
    schemas: [USER_URN],
    emails: [{ value: "a@example.com" }, { value: "b@example.com", kind: "x" }],
  };
  const records = [
    { ...user, userName: "a", nick: "A" },
    { ...user, userName: "b", nick: "B", "urn:example:gone": { c: 1 } },
  ];
  writeFileSync(file, records.map((record) => JSON.stringify(record)).join("\n"));
  const told =
    "No schema names these parts of records, and they were dropped: emails.kind, nick, urn:example:gone.\n";
  expect((await printed(["import", file, "--dry-run"], environment)).stdout).toMatch(new RegExp(`${told}$`));
  const { stdout } = await printed(["import", file, "--json"], environment);
  expect(JSON.parse(stdout)).toMatchObject({
    created: 2,
    dropped: ["emails.kind", "nick", "urn:example:gone"],
  });
  writeFileSync(file, JSON.stringify({ schemas: [USER_URN], userName: "c" }));
  expect((await printed(["import", file], environment)).stdout).toMatch(/ 0 rejected\.\n$/);
});

test("a reader that has enough ends scim export and other commands without a word", async () => {
  const folder = filledFolder();
  await runHere(["import", "all.jsonl"], { folder });
  for (const args of [["export"], ["events", "list", "--json"]]) {
    const { child, ended, stderr } = start(args, { folder });
    child.stdout?.destroy();
    expect([await ended, stderr()]).toEqual([EXIT.unread, ""]);
  }
});

test("scim backup copies the database of a server that is written to, for its owner alone, and overwrites nothing", async () => {
  const folder = filledFolder();
  mkdirSync(join(folder, "data"));
  await runHere(["import", "all.jsonl"], { folder });
  const { origin } = await serve({ folder });
  const [, token = ""] =
    /^SCIM_TOKEN=(.*)$/m.exec(readFileSync(join(folder, "data/credentials"), "utf8")) ?? [];
  const over = new AbortController();
  const writing = (async () => {
    for (let number = 0; !over.signal.aborted; number += 1) {
      const body = JSON.stringify({ schemas: [USER_URN], userName: `written-${number}` });
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/scim+json" };
      const { status } = await fetch(`${origin}/scim/v2/Users`, { method: "POST", headers, body });
      expect(status).toBe(201);
    }
  })();
  const copied = await runHere(["backup", "copy.db"], { folder });
  over.abort();
  await writing;
  expect(copied.code).toBe(0);
  expect(copied.stdout).toMatch(/checked[^]*default {2}Group {2}1\n {2}default {2}User {2}\d\d/);
  expect(statSync(join(folder, "copy.db")).mode & 0o777).toBe(0o600);
  const listed = await runHere(["export", "--type=Group", "--database-url=sqlite:./copy.db"], { folder });
  expect(listed.stdout).toContain('"displayName":"G"');

  const again = await runHere(["backup", "copy.db"], { folder });
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringContaining("scim: copy.db exists, and a backup overwrites nothing.\n"),
  ]);
  const nothing = await runHere(["backup", "x.db", "--database-url=sqlite:./none.db"], { folder });
  expect(nothing.stderr).toContain("scim: There is no database file ./none.db to copy.\n");
  const elsewhere = await runHere(["backup", "x.db", "--database-url=postgres://a@b/c"], { folder });
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining("pg_dump")]);
});

test("scim migrate --to moves to PostgreSQL and back, and compares both", async () => {
  const url = await newDatabase(inject("postgresUrl"));
  onTestFinished(() => dropDatabase(url));
  const folder = filledFolder();
  const here = { folder, environment: { SCIM_SECRET_KEYS: KEYS } };
  await runHere(["import", "all.jsonl"], here);
  const before = await runHere(["export"], here);
  const there = await runHere(["migrate", "--to", url], here);
  expect(there).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/User +50 .* same\n[^]*Both hold the same/),
  });
  expect(there.stdout).toContain(":***@");
  expect((await runHere(["export", "--database-url", url], here)).stdout).toBe(before.stdout);
  // No server has told the audit log of what was imported: the move does.
  const audit = await runHere(["audit", "verify", "--database-url", url], here);
  expect(audit.stdout).toContain("51 entries, positions 1 to 51");
  const back = await runHere(["migrate", "--to", "sqlite:./back.db", "--database-url", url], here);
  expect(back.code).toBe(0);
  expect((await runHere(["export", "--database-url=sqlite:./back.db"], here)).stdout).toBe(before.stdout);
  // Both trails tell of the move to them, and of that from them.
  for (const at of [url, "sqlite:./back.db"]) {
    const trail = await runHere(["audit", "list", "--tenant", "admin", "--database-url", at], here);
    const acts = trail.stdout.match(/(?:created|replaced) +Command \* +scim migrate --to/g) ?? [];
    expect(acts.map((act) => act.split(" ", 1)[0])).toEqual(["created", "replaced", "created"]);
  }
  const full = await runHere(["migrate", "--to", "sqlite:./back.db"], here);
  expect([full.code, full.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^scim: The move did not come to its end: .* is not empty: .* Name another; or make it anew where it holds nothing but a move .*\.$/m,
    ),
  ]);
});

test("scim migrate --to moves nothing to where other secret keys are, by which no token would let anybody in", async () => {
  const folder = newFolder();
  const place = (name: string): string => {
    const within = join(folder, name);
    mkdirSync(within, { recursive: true });
    return `sqlite:${join(within, "scim.db")}`;
  };
  const keysIn = (name: string): string => join(folder, name, "keys.json");
  const environment = { SCIM_DATABASE_URL: place("here") };
  await printed(["token", "create"], environment);
  await printed(["token", "create"], { SCIM_DATABASE_URL: place("elsewhere") });

  const other = place("other");
  copyFileSync(keysIn("elsewhere"), keysIn("other"));
  const moving = runCommand(["migrate", "--to", other], environment);
  await expect(moving).rejects.toMatchObject({
    message: expect.stringContaining(`${keysIn("other")} holds other secret keys`),
    exitCode: EXIT.failed,
  });
  expect(existsSync(join(folder, "other", "scim.db"))).toBe(false);
  copyFileSync(keysIn("here"), keysIn("other"));
  expect((await printed(["migrate", "--to", other], environment)).stdout).toMatch(
    / and the same secret keys\.$/m,
  );

  const fresh = (await printed(["migrate", "--to", place("fresh")], environment)).stdout;
  expect(fresh).toContain(`once ${keysIn("here")} is copied to ${keysIn("fresh")}: by other keys no token`);
});

test.each([
  [["import"], /Use 'scim import FILE \[flags\]'/],
  [["import", "none.jsonl"], /none.jsonl cannot be read/],
  [["import", "FILE", "--mode=merge"], /--mode must be one of create, upsert/],
  [["import", "FILE", "--format=xml"], /--format must be one of jsonl, csv, json/],
  [["import", "people.ldif"], /LDIF is read by 'scim sync'/],
  [["import", "FILE", "--type=Robot"], /There is no resource type 'Robot'; there are User, Group/],
  [["import", "FILE", "--max-record=1"], /--max-record must be/],
  [["import", "FILE", "--mapping=m.json"], /--mapping maps columns of CSV/],
  [["import", ""], /^FILE is empty: .*Use 'scim import FILE/],
  [["export", "FILE"], /all.jsonl exists/],
  [["backup", "-"], /no stream: name a new file/],
  [["export", "--format=csv"], /CSV needs --mapping/],
  [["export", "all.csv"], /CSV needs --mapping.*give --format jsonl/],
  [["export", "all.ldif"], /read as LDIF.*name a file that ends in .jsonl/],
  [["export", "all.json"], /name a file that ends in .jsonl, or give --format jsonl/],
])("%j is refused", async (args, message) => {
  const file = join(filledFolder(), "all.jsonl");
  const given = args.map((each) => (each === "FILE" ? file : each));
  await expect(runCommand([...given, "--database-url=sqlite::memory:"], {})).rejects.toThrow(message);
});

test("a file that cannot be written is told in a sentence", async () => {
  const folder = newFolder();
  const environment = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` };
  await printed(["migrate"], environment);
  const nowhere = join(folder, "none", "all.jsonl");
  await expect(runCommand(["export", nowhere], environment)).rejects.toMatchObject({
    message: expect.stringContaining(`${nowhere} cannot be written: ENOENT`),
    exitCode: EXIT.failed,
  });
});

test("scim export writes to no file that another process writes", async () => {
  const folder = newFolder();
  const environment = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` };
  await printed(["migrate"], environment);
  const target = join(folder, "all.jsonl");
  writeFileSync(`${target}.partial`, "of another");
  await expect(runCommand(["export", target], environment)).rejects.toMatchObject({
    message: expect.stringMatching(/all\.jsonl\.partial exists: another export writes it, or one was killed/),
    exitCode: EXIT.failed,
  });
  expect(readFileSync(`${target}.partial`, "utf8")).toBe("of another");
});

test("scim export that is stopped leaves nothing of its file", async () => {
  const folder = newFolder();
  const environment = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}`, SCIM_SECRET_KEYS: KEYS };
  const records = Array.from({ length: 3000 }, (_, at) => ({ schemas: [USER_URN], userName: `user-${at}` }));
  writeFileSync(join(folder, "all.jsonl"), records.map((record) => JSON.stringify(record)).join("\n"));
  await printed(["import", join(folder, "all.jsonl")], environment);
  const target = join(folder, "copy.jsonl");
  const stop = interruption();
  const outcome = printed(["export", target], environment).catch((error: unknown) => error);
  await expect.poll(() => existsSync(`${target}.partial`), { interval: 1 }).toBe(true);
  stop();
  expect(await outcome).toMatchObject({
    message: `Stopped before the end: ${target} was not written.`,
    exitCode: EXIT.failed,
  });
  expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual([]);
});

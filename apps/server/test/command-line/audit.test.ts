import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ADMIN_TOKEN, startAdministered } from "../admin/admin-client.ts";
import { eventually } from "../eventually.ts";
import { idOfGiven } from "../../src/credentials/start-tokens.ts";
import { EXIT } from "../../src/failure.ts";
import { USER } from "../over-http/client.ts";
import { ENGINES, type TestDatabase } from "../over-http/engines.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newFolder, start } from "./program.ts";
import { printed } from "./printed.ts";

/** A database in which a user came, was changed twice and went, and no server. */
async function filled(database: TestDatabase): Promise<{ readonly id: string; readonly credential: string }> {
  const server = await startInProcess(database.environment);
  const { id, path } = await server.user({ userName: "anna" });
  await server.patch(path, [{ op: "add", path: "nickName", value: "Ann" }]);
  await server.patch(path, [{ op: "add", path: "title", value: "Dr." }]);
  await server.call("DELETE", path);
  await eventually(async () => {
    const [row] = await database.query("SELECT count(*) AS n FROM audit_entries");
    expect(Number(row?.["n"])).toBe(4);
  });
  await server.stop();
  return { id, credential: idOfGiven(server.token) };
}

describe.each(ENGINES)("on $name", (engine) => {
  test("events that no server has given a position are told of beside logs that lack them", async () => {
    const { environment } = await engine.make();
    await (await startInProcess(environment)).stop();
    const file = join(newFolder(), "users.jsonl");
    writeFileSync(file, JSON.stringify({ schemas: [USER], userName: "anna" }));
    await printed(["import", file], environment);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const told =
      /^notice {2}Events since \S+Z wait for their positions: no log has them until a server runs/m;
    for (const command of [
      ["audit", "list"],
      ["audit", "verify"],
      ["audit", "export"],
      ["events", "list"],
    ])
      expect((await printed(command, environment)).stderr, command.join(" ")).toMatch(told);
    expect((await printed(["audit", "list", "--json"], environment)).stderr).toBe("");
    vi.useRealTimers();
    const server = await startInProcess(environment);
    await expect
      .poll(async () => (await printed(["events", "list"], environment)).stdout)
      .toContain("scim import");
    expect((await printed(["audit", "list"], environment)).stderr).toBe("");
    await server.stop();
  });

  test("scim audit shows, verifies and writes the log; a chain that was tampered with is a failure", async () => {
    const database = await engine.make();
    const { id, credential } = await filled(database);
    const scim = (...args: string[]) => printed(args, database.environment);

    const { stdout: table } = await scim("audit", "list");
    expect(table).toMatch(/^position +at +kind +resource +by +changes$/m);
    expect(table).toMatch(
      new RegExp(`^2 +\\S+Z +patched +User ${id} +default \\(${credential}\\) +nickName$`, "m"),
    );
    const { stdout: json } = await scim("audit", "list", "--json", "--since=1", "--limit=2");
    expect(JSON.parse(json)).toMatchObject({
      tenant: "default",
      next: 3,
      entries: [
        { position: 2, changes: [{ path: "nickName", after: { hash: expect.any(String) } }] },
        { position: 3, hash: expect.any(String) },
      ],
    });
    const of = await scim("audit", "list", "--json", "--limit=1", "--type=User", `--id=${id}`);
    expect(JSON.parse(of.stdout)).toMatchObject({ next: 1 });

    for (const action of [["list"], ["list", "--kind=created"], ["verify"], ["export"]])
      await expect(scim("audit", ...action, "--since=5"), action.join(" ")).rejects.toMatchObject({
        message: expect.stringContaining("last is 4"),
      });
    expect((await scim("audit", "list", "--json", "--since=4")).code).toBe(EXIT.ok);

    const sound = await scim("audit", "verify");
    expect(sound).toMatchObject({
      code: EXIT.ok,
      stdout: expect.stringContaining("4 entries, positions 1 to 4"),
    });
    expect(sound.stdout).toContain("The chain holds.");

    await database.query("DELETE FROM audit_checkpoints");
    vi.setSystemTime(Date.now() + 7_200_000);
    onTestFinished(() => void vi.useRealTimers());
    const unsigned = await scim("audit", "verify");
    vi.useRealTimers();
    expect(unsigned).toMatchObject({
      code: EXIT.ok,
      stdout: expect.stringContaining("No checkpoint signs the 4 entries from position 1 on, the first of "),
    });

    const file = join(newFolder(), "audit.jsonl");
    await scim("audit", "export", file, "--since=1");
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object))).toEqual(
      [["hash", "entry"], ["hash", "entry"], ["hash", "entry"], ["checkpoint"]].slice(0, lines.length),
    );
    expect(lines[0]).toContain('"position":2');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(scim("audit", "export", file)).rejects.toMatchObject({ exitCode: EXIT.failed });

    await database.query(
      "UPDATE audit_entries SET entry = replace(entry, 'nickName', 'title') WHERE position = 2",
    );
    await database.query("DELETE FROM audit_entries WHERE position = 3");
    const report = await scim("audit", "verify", "--json");
    expect(report.code).toBe(EXIT.failed);
    expect(JSON.parse(report.stdout)).toMatchObject({
      valid: false,
      faults: [
        { kind: "changed", position: 2 },
        { kind: "removed", position: 3 },
      ],
    });
    expect((await scim("audit", "verify")).stdout).toMatch(/does not hold:\n {2}2 {2}changed/);

    const large = " ".repeat(1_100_000);
    await database.query(`UPDATE audit_entries SET entry = '{"gone' WHERE position = 1`);
    await database.query(`UPDATE audit_entries SET entry = '{"changes":"none"}' WHERE position = 2`);
    await database.query(`UPDATE audit_entries SET entry = entry || '${large}' WHERE position = 4`);
    const server = await startAdministered(database.environment);
    const remote = (...args: string[]) =>
      printed([...args, "--url", server.origin], { SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
    const unreadable = { position: 1, type: "User", id, at: expect.any(String), hash: expect.any(String) };
    for (const read of [scim, remote]) {
      expect((await read("audit", "list")).stdout).toMatch(
        new RegExp(`^1 +\\S+Z +unreadable +User ${id} +- +tampered with: see 'scim audit verify'$`, "m"),
      );
      expect(JSON.parse((await read("audit", "list", "--json")).stdout)).toMatchObject({
        entries: [{ ...unreadable, unreadable: '{"gone' }, { position: 2 }, { position: 4, kind: "deleted" }],
      });
      expect((await read("audit", "list", "--kind=deleted")).stdout).toMatch(/^4 /m);
      const told = (await read("audit", "export")).stdout.split("\n");
      expect(JSON.parse(told[0] ?? "")).toMatchObject({ position: 1, unreadable: '{"gone' });
      expect(JSON.parse(told[2] ?? "")).toMatchObject({ entry: { position: 4 } });
      const faults = {
        faults: expect.arrayContaining([expect.objectContaining({ kind: "changed", position: 1 })]),
      };
      expect(JSON.parse((await read("audit", "verify", "--json")).stdout)).toMatchObject(faults);
    }
    await database.query(`UPDATE audit_entries SET entry = entry || '${large}' WHERE position <= 2`);
    const page = await server.ask("GET", "/tenants/default/audit?limit=3");
    expect([page.body["next"], page.body["more"]]).toEqual([2, true]);
    const { stdout } = await remote("audit", "list", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ next: 4, entries: [{}, {}, { position: 4 }] });
    await database.query("UPDATE audit_entries SET entry = '{' WHERE position = 4");
    expect(await server.ask("GET", "/tenants/default/deleted")).toMatchObject({
      status: 200,
      body: { deleted: [{ id, by: null }] },
    });
    await server.stop();
    await scim("tenant", "create", "other");
    expect(await scim("audit", "verify", "--tenant=other")).toMatchObject({ code: EXIT.ok });
  });

  test("scim events shows what happened; what is kept no more, or not there yet, is a failure", async () => {
    const database = await engine.make();
    const { id } = await filled(database);
    const scim = (...args: string[]) => printed(["events", ...args], database.environment);

    const { stdout: table } = await scim("list", "--limit=3");
    expect(table.trim().split("\n")).toHaveLength(4);
    expect(table).toMatch(new RegExp(`^4 +\\S+Z +deleted +User ${id} `, "m"));
    const { stdout: json } = await scim("list", "--json", "--since=2");
    expect(JSON.parse(json)).toMatchObject({
      tenant: "default",
      next: 4,
      events: [
        { position: 3, after: { title: "Dr." } },
        { position: 4, after: null },
      ],
    });
    await expect(scim("list", "--since=5")).rejects.toMatchObject({
      message: expect.stringContaining("last is 4"),
    });
    await database.query("DELETE FROM events WHERE position < 3");
    await expect(scim("list", "--since=1")).rejects.toMatchObject({
      exitCode: EXIT.failed,
      message: expect.stringContaining("go on behind position 2"),
    });
  });
});

/** A database on SQLite. */
function newSqlite(): Promise<TestDatabase> {
  const [sqlite] = ENGINES;
  if (sqlite === undefined) throw new TypeError("There is no SQLite");
  return sqlite.make();
}

test("scim events follow tells what happens until it is interrupted", async () => {
  const database = await newSqlite();
  await filled(database);
  const server = await startInProcess(database.environment);
  const following = start(["events", "follow", "--json", "--since=3"], {
    folder: newFolder(),
    environment: database.environment,
  });
  await eventually(() => expect(following.stdout()).toContain('"position":4'));
  const { id } = await server.user({ userName: "bo" });
  await eventually(() => expect(following.stdout()).toContain(id));
  following.child.kill("SIGINT");
  expect(await following.ended).toBe(EXIT.ok);
  const events = following
    .stdout()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { position: number });
  expect(events.map(({ position }) => position)).toEqual([4, 5]);
});

test.each([
  [["audit"], "Use 'scim audit list'"],
  [["audit", "list", "now"], "Use 'scim audit list [flags]'"],
  [["audit", "list", "--id=1"], "together"],
  [["audit", "list", "--from=then"], "'from' is a span"],
  [["audit", "list", "--limit=0"], "--limit must be a whole number"],
  [["audit", "verify", "--since=x"], "--since must be a whole number"],
  [["audit", "verify", "--tenant=v2"], "no name of a tenant"],
  [["events", "tail"], "Use 'scim events list'"],
  [["events", "list", "--since=-1"], "--since must be a whole number"],
])("%j is refused, and no database is made", async (args, message) => {
  const path = join(newFolder(), "none.db");
  const refused = printed(args, { SCIM_DATABASE_URL: `sqlite:${path}` });
  await expect(refused).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringContaining(message),
  });
  expect(existsSync(path)).toBe(false);
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { ADMIN_TOKEN, startAdministered } from "../admin/admin-client.ts";
import { eventually } from "../eventually.ts";
import { exchange } from "../over-http/exchange.ts";
import { startOwnServer } from "../over-http/in-process.ts";
import { printed } from "./printed.ts";
import { newFolder, start } from "./program.ts";

const NO_CONNECTION = "Tenant 'default' has no connection 'nope'.";
const NO_TENANT = "There is no tenant 'nope'.";
const OF_TENANTS = "--connection and --subject go with tokens of tenants";
const NO_TYPE = "There is no resource type 'Nope'; there are User, Group.";

/** What a database and a server refuse alike: something that is not there is 1, a word that cannot be meant 2. */
const ALIKE: readonly (readonly [args: string, code: number, message: string])[] = [
  ["requests list --connection nope", EXIT.failed, NO_CONNECTION],
  ["requests list --runs --connection nope", EXIT.failed, NO_CONNECTION],
  ["requests tail --connection nope", EXIT.failed, NO_CONNECTION],
  ["requests list --run nope", EXIT.failed, "Tenant 'default' has no run 'nope' in its log."],
  ["requests list --runs --run nope", EXIT.failed, "Tenant 'default' has no run 'nope' in its log."],
  ["requests tail --run nope", EXIT.failed, "Tenant 'default' has no run 'nope' in its log."],
  ["profile diff tolerant strict --connection nope", EXIT.failed, NO_CONNECTION],
  ["guard list --connection nope", EXIT.failed, NO_CONNECTION],
  ["guard release --connection nope", EXIT.failed, NO_CONNECTION],
  ["guard dismiss --connection nope", EXIT.failed, NO_CONNECTION],
  ["audit list --connection nope", EXIT.failed, NO_CONNECTION],
  ["token list --connection nope", EXIT.failed, NO_CONNECTION],
  ["client list --connection nope", EXIT.failed, NO_CONNECTION],
  ["connection show nope", EXIT.failed, NO_CONNECTION],
  ["token create --connection nope", EXIT.failed, NO_CONNECTION],
  ["token revoke x --tenant nope", EXIT.failed, NO_TENANT],
  ["erase x --tenant nope", EXIT.failed, NO_TENANT],
  ["erase --list --tenant nope", EXIT.failed, NO_TENANT],
  ["deleted list --type Nope", EXIT.usage, NO_TYPE],
  ["deleted list --since 1h --before 2h", EXIT.usage, "'since' must be before 'before'."],
  ["deleted show Nope x", EXIT.usage, NO_TYPE],
  ["deleted restore Nope x", EXIT.usage, NO_TYPE],
  ["index list --type Nope", EXIT.usage, NO_TYPE],
  ["index add --type Nope --path title", EXIT.usage, NO_TYPE],
  ["index drop --type Nope --path title", EXIT.usage, NO_TYPE],
  ["webhook create --to http://receiver.example/x", EXIT.usage, "must begin with https:"],
  ["webhook create --to nonsense", EXIT.usage, "must be an absolute address"],
  ["stream create --to http://receiver.example/x", EXIT.usage, "must begin with https:"],
  ["stream create --audience=", EXIT.usage, "audience"],
  ["admin issuer groups x --claim roles", EXIT.usage, "--claim goes with --grant"],
  ["connection create x --rate 0", EXIT.usage, "A rate is at least 0.001"],
  ["requests list --since soon", EXIT.usage, "'since' is a span"],
  ["audit list --kind nope", EXIT.usage, "kind"],
  ["audit list --since 99", EXIT.usage, "There is no such position yet"],
  ["audit list --since 9007199254740991", EXIT.usage, "There is no such position yet"],
  ["events list --since 1000000001", EXIT.usage, "There is no such position yet"],
  ["events list --since 99", EXIT.usage, "There is no such position yet"],
  ["token create --tenant admin --role owner --connection default", EXIT.usage, OF_TENANTS],
  ["token create --tenant admin --role owner --subject 2819", EXIT.usage, OF_TENANTS],
  ["token create --tenant admin", EXIT.usage, "--name is missing"],
  ["token create --tenant admin --role operator", EXIT.usage, "--name is missing"],
];

describe("a command is refused with one exit code, whatever it works on", () => {
  test("on the database", async () => {
    const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_DATA_DIR: newFolder() };
    for (const [args, exitCode, message] of ALIKE)
      await expect(printed(args.split(" "), environment), args).rejects.toMatchObject({
        name: "CommandFailure",
        exitCode,
        message: expect.stringContaining(message),
      });
  });

  test("at a running server", async () => {
    const server = await startAdministered({ SCIM_DATABASE_URL: "sqlite::memory:" });
    for (const [args, exitCode, message] of ALIKE) {
      const call = printed([...args.split(" "), "--url", server.origin], { SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
      await expect(call, args).rejects.toMatchObject({
        name: "CommandFailure",
        exitCode,
        message: expect.stringContaining(message),
      });
    }
  });

  test("where resources go in and out", async () => {
    const folder = newFolder();
    const [jsonl, csv, mapping] = ["a.jsonl", "a.csv", "m.json"].map((name) => join(folder, name));
    writeFileSync(jsonl ?? "", '{"userName":"a"}\n');
    writeFileSync(csv ?? "", "userName\na\n");
    writeFileSync(mapping ?? "", '{"columns":{"userName":"userName"}}');
    const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_DATA_DIR: folder };
    for (const args of [
      ["export", "--type", "Nope"],
      ["export", "--type", "Nope", "--format", "csv", "--mapping", mapping ?? ""],
      ["import", jsonl ?? "", "--type", "Nope"],
      ["import", csv ?? "", "--type", "Nope"],
    ])
      await expect(printed(args, environment), args.join(" ")).rejects.toMatchObject({
        exitCode: EXIT.usage,
        message: NO_TYPE,
      });
    for (const args of [
      ["--mapping", mapping ?? ""],
      ["--format", "csv"],
    ])
      await expect(printed(["export", ...args], environment), args.join(" ")).rejects.toMatchObject({
        exitCode: EXIT.usage,
        message: expect.stringMatching(/CSV.*--format csv|CSV needs --mapping/),
      });
    await expect(printed(["import", jsonl ?? "", "--report", "-"], environment)).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringContaining("--report is the name of a file"),
    });
    const server = await startOwnServer();
    onTestFinished(server.stop);
    const service = ["--url", `${server.origin}/scim/v2`];
    for (const args of [["export"], ["import", jsonl ?? ""]])
      await expect(
        printed([...args, "--type", "Nope", ...service], { SCIM_TOKEN: server.token }),
      ).rejects.toMatchObject({
        exitCode: EXIT.usage,
        message: "The service has no resource type 'Nope'; it has User, Group.",
      });
  });

  test("of a connection that was deleted, what it did is still listed", async () => {
    const server = await startAdministered({ SCIM_DATABASE_URL: "sqlite::memory:" });
    const scim = (...args: readonly string[]) =>
      printed([...args, "--url", server.origin], { SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
    await scim("connection", "create", "hr");
    const { stdout: token } = await scim("token", "create", "--connection", "hr");
    const body = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: "anna" };
    const made = await exchange(server.origin, {
      method: "POST",
      path: "/scim/v2/Users",
      headers: { authorization: `Bearer ${token.trim()}` },
      body: JSON.stringify(body),
    });
    expect(made.status).toBe(201);
    await scim("connection", "delete", "hr");
    await eventually(async () => {
      const { stdout } = await scim("audit", "list", "--connection", "hr");
      expect(stdout).toMatch(/created +User/);
    });
  });
});

test.each(["--help", "config --json"])(
  "scim %s ends without a word where nobody reads what it prints any more",
  async (args) => {
    const program = start(args.split(" "), { folder: newFolder() });
    program.child.stdout?.destroy();
    expect(await program.ended).toBe(EXIT.unread);
    expect(program.stderr()).toBe("");
  },
);

import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { COMMANDS } from "../../src/command-table/table.ts";
import { CommandFailure, EXIT, failureOf, toldFailure } from "../../src/failure.ts";
import { columns } from "../../src/columns.ts";
import { printed } from "./printed.ts";
import { newFolder } from "./program.ts";

/** Every action with what it is called by. */
const ACTIONS = COMMANDS.flatMap((command) =>
  command.actions.map((action) => ({ called: `${command.name} ${action.name}`.trimEnd(), action, command })),
);

describe("help", () => {
  test("lists every command once", async () => {
    const { stdout } = await printed(["--help"], {});
    for (const { name, does } of COMMANDS)
      expect(stdout.match(new RegExp(String.raw`^ {2}${name} +\S`, "gm")), does).toHaveLength(1);
  });

  test.each(ACTIONS)("scim $called --help has its operands and flags", async ({ called, action }) => {
    const { stdout } = await printed([...called.split(" "), "--help"], {});
    expect(stdout).toContain(`Usage\n  scim ${called}`);
    for (const { name } of action.operands) expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\S`, "m"));
    for (const [name, flag] of Object.entries(action.flags)) {
      const shown = flag.type === "string" ? `--${name} ${flag.value}` : `--${name}`;
      expect(stdout).toContain(`  ${shown}  `);
    }
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });

  test("is asked for anywhere before --, and behind other words", async () => {
    const help = await printed(["token", "create", "--help"], {});
    expect(await printed(["token", "--tenant", "acme", "create", "-h"], {})).toMatchObject({ code: EXIT.ok });
    expect(await printed(["help", "token", "create"], {})).toEqual(help);
    await expect(runCommand(["token", "show", "--", "--help"], {})).rejects.toThrow(CommandFailure);
    const named = runCommand(["import", "--", "-people.csv"], {});
    await expect(named).rejects.toThrow("-people.csv cannot be read: ENOENT");
    expect(await printed(["config", "--", "--help"], {})).toMatchObject({ code: EXIT.ok });
  });
});

describe("a slip is told with what was meant", () => {
  test.each([
    [["tokn", "create"], "did you mean 'scim token'?"],
    [["sevre"], "did you mean 'scim serve'?"],
    [["conn"], "did you mean 'scim connection'?"],
    [["token", "crate"], "did you mean 'scim token create'?"],
    [["client", "secret", "ad"], "did you mean 'scim client secret add'?"],
    [["client", "trsut", "add"], "There is no 'scim client trsut'"],
    [["token", "create", "--tenat", "a"], "did you mean '--tenant'?"],
    [["token", "list", "--role", "owner"], "'scim token list' has no flag '--role'"],
    [["serve", "--prot", "9000"], "did you mean '--port'?"],
    [["schema", "validate", "x.json", "--databse-url=x"], "has no flag '--databse-url'"],
    [["fly"], "There is no command 'fly'; 'scim --help' lists the commands."],
    [
      ["--json", "tenant", "list"],
      "There is no command '--json': flags stand behind the command. 'scim --help' lists the commands.",
    ],
    [["token", "create", "-x"], "has no flag '-x'"],
    [["requests", "list", "--runs", "--status", "4xx"], "--status goes with requests"],
    [["token", "create", "--expires", "2099-02-30"], "--expires must lie ahead: 90d"],
    [["requests", "list", "--since", "5"], "'since' is a span such as 15m, 12h or 7d"],
    [["mcp", "--url", "http://127.0.0.1:1", "--show", "title"], "--show goes with --hide-personal"],
    [
      ["token", "list", "--url", "http://127.0.0.1:1", "--database-url", "sqlite::memory:"],
      "--database-url has no effect beside --url",
    ],
  ])("%j", async (args, message) => {
    await expect(runCommand(args, {})).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringContaining(message),
    });
  });
});

test("whatever takes settings tells of a variable that is none, beside its result", async () => {
  const environment = {
    SCIM_DATABSE_URL: "postgres://h/d",
    SCIM_DATABASE_URL: "sqlite::memory:",
    SCIM_DATA_DIR: newFolder(),
  };
  const told = "SCIM_DATABSE_URL is no setting; did you mean SCIM_DATABASE_URL?\n";
  for (const args of [["tenant", "list"], ["config"]])
    expect((await printed(args, environment)).stderr, args[0]).toBe(told);
  expect((await printed(["tenant", "list", "--json"], environment)).stderr).toBe("");
  expect((await printed(["profile", "list"], environment)).stderr).toBe("");
});

test("a failure is a sentence, or JSON where the arguments ask for it; the exit code is the same", () => {
  const failure = new CommandFailure(EXIT.failed, "There is no tenant 'a'.");
  expect(toldFailure(failure, ["tenant", "show", "a"])).toBe("scim: There is no tenant 'a'.\n");
  expect(JSON.parse(toldFailure(failure, ["tenant", "show", "a", "--json"]))).toEqual({
    error: { message: "There is no tenant 'a'.", exitCode: 1 },
  });
});

test.each([
  ["Ada", 3],
  ["Žofie Ørsted", 12],
  ["Владимир", 8],
  ["日本 Ada", 8],
  ["ﾊﾝｶｸ", 4],
  ["ＦＵＬＬ、", 10],
  ["한국 \u1112\u1161\u11AB", 7],
  ["e\u0301\u200Ba", 2],
  ["🎉 ❤️ 👩‍👩‍👧 🇩🇪 1️⃣", 14],
  ["✓ → ü", 5],
])("the columns behind %j are where they are behind %i letters", (name, width) => {
  const [first = "", second] = columns([
    [name, "x"],
    ["-".repeat(20), "x"],
  ]).split("\n");
  expect(first).toBe(`${name}${" ".repeat(22 - width)}x`);
  expect(second).toBe(`${"-".repeat(20)}  x`);
});

test("what others wrote does not steer a terminal: names in tables, and what a service answers", () => {
  const name = "\u001B[31mred\nline\u202E \u009B2J ünï 日本";
  const shown = String.raw`\u001b[31mred\u000aline\u202e \u009b2J ünï 日本`;
  expect(columns([["a", name, "b"]])).toBe(`a  ${shown}  b`);
  const told = toldFailure(new CommandFailure(EXIT.failed, `It said:\n\u001B]0;x\u0007${name}`), []);
  expect(told).toBe(
    `scim: It said:\n${String.raw`\u001b]0;x\u0007`}${shown.replace(String.raw`\u000a`, "\n")}\n`,
  );
});

test("an error that nobody foresaw is JSON as well, and a stack for people", () => {
  const error = new TypeError("x is not a function");
  expect(failureOf(error, ["doctor"])).toBeNull();
  expect(failureOf(error, ["doctor", "--json"])).toMatchObject({
    exitCode: EXIT.failed,
    message: expect.stringContaining("Unexpected: TypeError: x is not a function"),
  });
  expect(failureOf(error, ["backup", "--", "--json"])).toBeNull();
});

test("flags may stand before the words of an action, and hold values with dashes", async () => {
  const refused = runCommand(["--tenant", "v2"], {});
  await expect(refused).rejects.toThrow("There is no command '--tenant'");
  await expect(runCommand(["audit", "--tenant", "v2", "list"], {})).rejects.toThrow("'v2' is no name");
  await expect(runCommand(["connection", "change", "a", "--switches=-no"], {})).rejects.toThrow("--switches");
});

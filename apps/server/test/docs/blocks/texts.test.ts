import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findAction, findCommand } from "../../../src/command-table/find.ts";
import { readArguments } from "../../../src/command-table/read-arguments.ts";
import { COMMANDS } from "../../../src/command-table/table.ts";
import { blocksIn, ROOT } from "./collect.ts";
import { commandsOf } from "./shell.ts";

/** Programs beside ours that the pages name. */
const OTHERS = new Set(
  ". cat cd cp docker export jq journalctl kubectl ln mkdir echo node npx oxfmt oxlint psql source systemctl tsc vitest".split(
    " ",
  ),
);

describe("JSON", () => {
  test.each(blocksIn("json").map(({ name, text }) => [name, text]))("%s is read", (_name, text) => {
    expect(JSON.parse(text)).toBeTypeOf("object");
  });
});

describe("lines of a shell", () => {
  const lines = blocksIn("sh", "console").flatMap(({ name, text, language }) =>
    commandsOf(language === "console" ? prompted(text) : text).map((words) => [name, words] as const),
  );

  test.each(lines)("%s: %j", (_name, [program = "", ...args]) => {
    if (program === "scim") checkScim(args);
    else if (program === "curl") checkCurl(args);
    else if (program === "npm") checkNpm(args);
    else expect([...OTHERS]).toContain(program);
  });

  test("what no command has is told", () => {
    for (const wrong of [
      "tokn list",
      "token lst",
      "token list --tenan acme",
      "token revoke",
      "tenant list x",
    ])
      expect(() => checkScim(wrong.split(" ")), wrong).toThrow(/scim/);
    expect(commandsOf(`a 'b c'"d" \\\n  e # f\nX=1 g > i|h <(k)`)).toEqual([
      ["a", "b cd", "e"],
      ["g"],
      ["h"],
      ["k"],
    ]);
  });
});

/** What somebody types, of a session that shows answers too. */
function prompted(text: string): string {
  const typed = text.split("\n").filter((line) => line.startsWith("$ "));
  return typed.map((line) => line.slice(2)).join("\n");
}

/** Throws what the command line would say. */
function checkScim([name = "", ...args]: readonly string[]): void {
  if (name === "help" || name.startsWith("-")) return;
  const command = findCommand(COMMANDS, name);
  if (args.includes("--help")) return;
  const action = findAction(command, args);
  if (action === null) throw new TypeError(`'scim ${name}' needs a word.`);
  const called = `scim ${name} ${action.name}`.trim();
  const words = action.name === "" ? 0 : action.name.split(" ").length;
  const { flags, settings, operands } = action;
  // The file that `--config` names is not there.
  const given = args.filter((arg, at) => arg !== "--config" && args[at - 1] !== "--config");
  readArguments({ flags, settings, operands, words }, { args: given, called, environment: {} });
}

const CURL_FLAGS = new Set(["-H", "-d", "-X", "-u"]);
const CURL_SWITCHES = new Set(["-i", "-s", "-N"]);

/** One address, flags that are known, and bodies that are what their form says. */
function checkCurl(args: readonly string[]): void {
  const addresses: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [word = "", value = ""] = args.slice(at);
    if (CURL_SWITCHES.has(word)) continue;
    if (!CURL_FLAGS.has(word)) {
      addresses.push(word);
      continue;
    }
    at += 1;
    if (word === "-d" && value.startsWith("{")) JSON.parse(value);
    if (word === "-H") expect(value).toMatch(/^(?:[\w-]+: .+|\$[A-Z]+)$/);
  }
  expect(addresses).toEqual([expect.stringMatching(/^(?:https?:\/\/|\$[A-Z]+\/)/)]);
}

function checkNpm([command = "", name = ""]: readonly string[]): void {
  if (command === "install") return;
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { scripts: object };
  expect(Object.keys(scripts)).toContain(command === "run" ? name : command);
}

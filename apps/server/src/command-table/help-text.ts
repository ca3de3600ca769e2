/**
 * Help: of all commands, of one, and of one action.
 * @module
 */
import process from "node:process";
import { styleText } from "node:util";
import { EXIT_CODES } from "../failure.ts";
import { JSON_FLAG, type FlagTable, type Operand } from "./arguments.ts";
import type { Action, Command, Example } from "./command.ts";
import { COMMAND_GROUPS } from "./table.ts";
import { flagsOfSettings } from "./setting-flags.ts";
import { shownFlag, shownUsage } from "./usage.ts";

/** Widest line of help: beyond it, a description goes on in the next. */
const WIDTH = 120;

/** Every command in a line. */
export function wholeHelp(): string {
  return sections([
    ["scim: a SCIM 2.0 service provider", []],
    ["Usage", ["scim COMMAND [flags]", "scim COMMAND --help, scim COMMAND ACTION --help", "scim --version"]],
    [
      "Begin with",
      examples([
        { line: "scim serve", does: "a server on this machine, with a database of its own and a token" },
        {
          line: "scim tenant create acme",
          does: "a customer; 'scim token create --tenant acme' makes its token",
        },
        { line: "scim doctor", does: "is everything as it should be?" },
      ]),
    ],
    ...COMMAND_GROUPS.map(
      ({ title, commands }) => [title, table(commands.map(({ name, does }) => [name, does]))] as const,
    ),
    [
      "Everywhere",
      [
        "--json prints JSON for programs, errors too. Settings are flags, environment variables and keys of a file alike:",
        "'scim serve --help' lists them, and 'scim config' prints those in effect. 'scim completion bash' teaches your",
        "shell all of this; zsh and fish as well.",
      ],
    ],
    ["Exit codes", table(EXIT_CODES.map(({ code, means }) => [String(code), means]))],
  ]);
}

/** One command: its actions, and lines to learn from. */
export function commandHelp(command: Command): string {
  const [alone] = command.actions;
  if (alone.name === "") return actionHelp(command, alone);
  const uses = command.actions.map((each) => [usageOf(command, each), each.does]);
  return sections([
    [`scim ${command.name}: ${command.does}`, []],
    ["Usage", table(uses)],
    ["Examples", examples(command.examples)],
    ["", [`'scim ${command.name} ACTION --help' lists the flags of one.`]],
  ]);
}

/** One action: its operands, flags and settings. */
export function actionHelp(command: Command, action: Action): string {
  const { operands, settings, does } = action;
  const ofAction = command.examples.filter(
    ({ line }) => action.name === "" || line.includes(` ${action.name} `),
  );
  return sections([
    [`scim ${[command.name, action.name].join(" ").trimEnd()}: ${does}`, []],
    ["Usage", [usageOf(command, action)]],
    ["Operands", table(operands.map((operand) => [operand.name, describedOperand(operand)]))],
    ["Flags", table(flagRows(action))],
    ["Examples", examples(ofAction)],
    settings === "all"
      ? [
          "Settings, each also an environment variable (--log-level is SCIM_LOG_LEVEL) and a key of a configuration file",
          table(flagsOfSettings("all").map(({ name, flag }) => [`--${name}`, flag.does])),
        ]
      : [
          "Settings",
          table(flagsOfSettings(settings).map(({ name, flag }) => [shownFlag(name, flag), flag.does])),
        ],
  ]);
}

/** `scim index add --type NAME --path PATH [flags]`. */
export function usageOf(command: Command, { name, operands, flags }: Action): string {
  return shownUsage(`scim ${command.name} ${name}`.trimEnd(), { operands, flags });
}

/** The flags of an action, with what they do; `--json` last. */
export function flagRows({ flags, json }: Pick<Action, "flags" | "json">): readonly (readonly string[])[] {
  const forms = {
    document: JSON_FLAG.does,
    lines: `${JSON_FLAG.does}, a line for each`,
    "as it is": `${JSON_FLAG.does}: of what was written, beside it`,
  };
  const entries: FlagTable = { ...flags, json: { type: "boolean", does: forms[json] } };
  return Object.entries(entries).map(([name, flag]) => [shownFlag(name, flag), describedFlag(flag)]);
}

function describedFlag(flag: FlagTable[string]): string {
  if (flag.type === "boolean" || flag.offers === undefined || flag.offers === "file") return flag.does;
  return withWords(flag.does, flag.offers);
}

/** What an operand is, with the words that a shell would offer. */
export function describedOperand({ does, offers }: Operand): string {
  return offers === undefined || offers === "file" ? does : withWords(does, offers);
}

/** Words that the sentence names already are not named again. */
function withWords(does: string, words: readonly string[]): string {
  const said = words.every((word) => does.includes(word));
  return said ? does : `${does}: ${words.join(", ")}`;
}

function examples(all: readonly Example[]): readonly string[] {
  return table(all.map(({ line, does }) => [line, does]));
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const first = Math.max(...rows.map(([name = ""]) => name.length));
  // What stands far to the right is hard to follow: a long line has its description below.
  const width = Math.min(first, WIDEST_NAME);
  return rows.flatMap(([name = "", does = ""]) => {
    const lines = wrapped(does, WIDTH - width - 4);
    const indent = " ".repeat(width + 2);
    if (name.length > width) return [name, ...lines.map((line) => `${indent}${line}`)];
    const [head = "", ...more] = lines;
    return [`${name.padEnd(width)}  ${head}`.trimEnd(), ...more.map((line) => `${indent}${line}`)];
  });
}

const WIDEST_NAME = 44;

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").filter((each) => each !== "")) {
    if (line !== "" && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return line === "" ? lines : [...lines, line];
}

/** Titles and what stands below them; a title without anything below stands alone, where it is the first. */
function sections(all: readonly (readonly [string, readonly string[]])[]): string {
  return all
    .filter(([, lines], at) => at === 0 || lines.length > 0)
    .map(([title, lines]) => {
      const head = title === "" ? [] : [styleText("bold", title, { stream: process.stdout })];
      return [...head, ...lines.map((line) => (title === "" ? line : `  ${line}`))].join("\n");
    })
    .join("\n\n")
    .concat("\n");
}

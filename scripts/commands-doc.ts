/**
 * Writes `docs/commands.md` from the table of commands: `node --conditions=@scim/source scripts/commands-doc.ts`.
 * @module
 */
import { writeFileSync } from "node:fs";
import { OR_SERVER } from "../apps/server/src/command-table/arguments.ts";
import type { Action, Command } from "../apps/server/src/command-table/command.ts";
import { describedOperand, flagRows, usageOf } from "../apps/server/src/command-table/help-text.ts";
import { COMMAND_GROUPS } from "../apps/server/src/command-table/table.ts";
import { EXIT_CODES } from "../apps/server/src/failure.ts";

/** The page. */
export function commandsPage(): string {
  return `${[introduction(), ...COMMAND_GROUPS.map(groupSection)].join("\n\n")}\n`;
}

function introduction(): string {
  const groups = COMMAND_GROUPS.map(
    ({ title, commands }) =>
      `| ${title} | ${commands.map(({ name }) => `[${name}](#scim-${name})`).join(", ")} |`,
  );
  const codes = EXIT_CODES.map(({ code, means }) => `| ${code} | ${means} |`);
  return `# Commands

<!-- Made by scripts/commands-doc.ts from apps/server/src/command-table. Change the table, not this page. -->

What each command does, and which flags it has. \`scim\` is \`npm run --silent scim --\` in a clone of the repository, and a program of the image and of an
[installation](deployment.md). \`scim --help\` lists the commands, \`scim COMMAND --help\` tells of one,
\`scim COMMAND ACTION --help\` of the flags of one action. A slip is answered with the nearest command or flag.

| for | commands |
|---|---|
${groups.join("\n")}

**Settings** are flags of every command that needs them, above all \`--database-url\` and \`--config\`;
[configuration.md](configuration.md) lists them. \`scim config\` prints those in effect. Without any, the database is
\`./data/scim.db\`, in the folder that a command is given in. Where there is none, a command is refused, unless it makes
something (\`scim token create\`, \`scim import\` and the like): then it makes the database, and says so, also where it is refused
behind that. A trial run (\`--dry-run\`) makes none, and is tried on an empty one; what names a tenant or a connection that no new database
has is refused. A command on the database does not know what a server was told at its start: give it the same file or variables, above
all \`secretKeys\`, \`schemas\`, \`profile\` and limits, \`delivery.*\` and \`oauth.privateIssuers\`.

**\`--json\`** goes with every command, \`scim --help\` and \`scim --version\` too. Standard output then holds JSON and nothing
else: one document, an object with the list as a member (\`{"tenants": […]}\`) where there is one, or a line for each thing where a list may be long or goes on. A command that writes data to standard
output anyway, such as \`scim export\`, tells of it in a line of JSON on standard error. A failure is
\`{"error":{"message":"…","exitCode":1}}\` on standard error.

**A running service** of any make, instead of the database, is what these speak to over HTTP: ${remoteActions()}. The token comes from
the variable \`SCIM_TOKEN\`, from the file that \`SCIM_TOKEN_FILE\` names, or from \`--token-file\`, never from the command line.
Over plain HTTP to another machine it goes with a warning; \`SCIM_PLAIN_HTTP=refuse\` refuses instead, \`allow\` says nothing.
What is to be kept in step goes into such a service by \`scim sync\`.

**Exit codes**

| code | meaning |
|---|---|
${codes.join("\n")}

**Completion** of commands, flags and their values: \`source <(scim completion bash)\` in \`~/.bashrc\`,
\`source <(scim completion zsh)\` in \`~/.zshrc\` behind \`compinit\`, or
\`scim completion fish > ~/.config/fish/completions/scim.fish\`.

**Colours** are used on a terminal alone, and not where \`NO_COLOR\` is set. Commands that take long show how far they are
on a terminal.

## At a running server

\`--url https://scim.example\` lets a command administer a running server, through [\`/admin/v1\`](administration.md), where
it would work on the database otherwise: ${atServer()}.
It prints the same. \`--url\` is the origin of the server, and the token is that of an administrator: from the variable
\`SCIM_ADMIN_TOKEN\`, from the file that \`SCIM_ADMIN_TOKEN_FILE\` names, or from the file of \`--token-file\`, which may be the
file of credentials that the server wrote. What others change at the same time is not overwritten: the command says so, and is
run again. What is named neither here nor above works on the machine that it runs on, and refuses \`--url\`.`;
}

const ALSO = "Also [at a running server](#at-a-running-server).";

function isAtServer({ flags }: Action): boolean {
  return flags["url"] === OR_SERVER.url;
}

/** The commands whose actions administer a running server, or which of them do. */
function atServer(): string {
  const commands = COMMAND_GROUPS.flatMap((group) => group.commands).flatMap(({ name, actions }) => {
    const able = actions.filter(isAtServer);
    if (able.length === 0) return [];
    const words = able.length === actions.length ? "" : able.map((each) => each.name).join(", ");
    return [`\`scim ${name}\`${words === "" ? "" : ` (${words})`}`];
  });
  return `${commands.slice(0, -1).join(", ")} and ${commands.at(-1) ?? ""}`;
}

/** The actions that take the address of a service. */
function remoteActions(): string {
  const actions = COMMAND_GROUPS.flatMap(({ commands }) => commands).flatMap(({ name, actions: all }) =>
    all.flatMap(({ name: action, flags }) => {
      const flag = ["url", "target"].find(
        (each) =>
          Object.hasOwn(flags, each) && Object.hasOwn(flags, "token-file") && flags[each] !== OR_SERVER.url,
      );
      return flag === undefined ? [] : [`\`scim ${`${name} ${action}`.trimEnd()} --${flag}\``];
    }),
  );
  return `${actions.slice(0, -1).join(", ")} and ${actions.at(-1) ?? ""}`;
}

function groupSection({ title, commands }: (typeof COMMAND_GROUPS)[number]): string {
  return [`## ${title}`, ...commands.map(commandSection)].join("\n\n");
}

function commandSection(command: Command): string {
  const examples = command.examples.map(({ line, does }) => (does === "" ? line : `${line}   # ${does}`));
  return [
    `### scim ${command.name}`,
    command.actions.every(isAtServer) ? `${sentence(command.does)} ${ALSO}` : sentence(command.does),
    ...(examples.length === 0 ? [] : [["```sh", ...examples, "```"].join("\n")]),
    ...command.actions.map((action) => actionSection(command, action)),
  ].join("\n\n");
}

function actionSection(command: Command, action: Action): string {
  const operands = action.operands.map((operand) => [`\`${operand.name}\``, describedOperand(operand)]);
  // Every action takes --json, and what is said once of servers holds for all.
  const told = new Set(
    ["json", ...(isAtServer(action) ? Object.keys(OR_SERVER) : [])].map((name) => `--${name}`),
  );
  const flags = flagRows(action)
    .filter(([name = ""]) => !told.has(name.split(" ", 1)[0] ?? ""))
    .map(([name = "", does = ""]) => [`\`${name}\``, does]);
  const rows = [...operands, ...flags].map((cells) => `| ${cells.map(escaped).join(" | ")} |`);
  const table = rows.length === 0 ? [] : [["| | |", "|---|---|", ...rows].join("\n")];
  const also = isAtServer(action) && !command.actions.every(isAtServer) ? ` ${ALSO}` : "";
  return [`**\`${usageOf(command, action)}\`** ${action.does}.${also}`, ...table].join("\n\n");
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function escaped(cell: string): string {
  return cell.replaceAll("|", String.raw`\|`);
}

if (import.meta.main) {
  writeFileSync(new URL("../docs/commands.md", import.meta.url), commandsPage());
}

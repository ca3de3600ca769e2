import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROFILES } from "@scim/core";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { COMMANDS } from "../../src/command-table/table.ts";
import { newFolder } from "./program.ts";
import { printed } from "./printed.ts";

const PROFILE_NAMES = Object.keys(PROFILES);

/** What is typed, and what a shell offers for its last word. */
const TYPED: readonly (readonly [string, readonly string[]])[] = [
  ["scim ser", ["serve"]],
  ["scim co", ["config", "completion", "connection"]],
  ["scim token ", ["create", "list", "revoke", "import"]],
  ["scim token cr", ["create"]],
  ["scim client secret ", ["add", "revoke"]],
  ["scim token create --ro", ["--role"]],
  ["scim token list --never-ex", []],
  ["scim token create --role o", ["owner", "operator"]],
  ["scim token --tenant create list --con", ["--connection", "--config"]],
  ["scim connection create okta --profile ", [...PROFILE_NAMES, "default"]],
  ["scim serve --profile ", PROFILE_NAMES],
  ["scim serve --log-level tr", ["trace"]],
  ["scim serve --port 9000 --exp", ["--exposed"]],
  ["scim profile show ent", PROFILE_NAMES.filter((name) => name.startsWith("ent"))],
  ["scim completion z", ["zsh"]],
  ["scim import --mapping peo", ["people.csv"]],
  ["scim import peo", ["people.csv"]],
  ["scim help tok", ["token"]],
  ["scim nonsense --x", []],
];

function has(shell: string): boolean {
  return spawnSync(shell, ["--version"]).status === 0;
}

/** What each shell that is here is asked with: it loads the script and prints what it offers, a line for each. */
const ASKED: Readonly<Record<string, (typed: string) => string>> = {
  bash: (typed) => `source ./scim.bash
COMP_LINE=${JSON.stringify(typed)} COMP_POINT=${typed.length} COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
_scim scim ${JSON.stringify(typed.split(/(?<!\\)[ =]/).at(-1))}; printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (typed) => `source ./scim.fish; complete -C ${JSON.stringify(typed)}; true`,
  // What the completion system of zsh would do with it is told by functions of the same names.
  zsh: (typed) => `compdef() { : }
_files() { print -l -- $PREFIX*(N) }
compset() { PREFIX=\${PREFIX#*=} }
_describe() {
  for each in \${(P)2}; do
    each=\${\${each//\\\\:/|}%%:*}
    each=\${each//|/:}
    [[ $each == $PREFIX* ]] && print -- $each
  done
}
source ./scim.zsh
typed=${JSON.stringify(typed)}
words=(\${=typed})
[[ $typed == *' ' ]] && words+=("")
CURRENT=$#words PREFIX=$words[-1]
_scim; true`,
};

describe.each(Object.entries(ASKED).filter(([shell]) => has(shell)))("in %s", (shell, asking) => {
  async function offered(typed: string): Promise<readonly string[]> {
    const folder = newFolder();
    writeFileSync(join(folder, `scim.${shell}`), (await printed(["completion", shell], {})).stdout);
    writeFileSync(join(folder, "people.csv"), "");
    mkdirSync(join(folder, "other"));
    const text = execFileSync(shell, ["-c", asking(typed)], { cwd: folder, encoding: "utf8" });
    // fish prints descriptions behind tabs.
    const words = text.split("\n").map((line) => line.split("\t", 1)[0] ?? "");
    return words.filter((word) => word !== "");
  }

  test.each(TYPED)("%j", async (typed, expected) => {
    expect((await offered(typed)).toSorted()).toEqual([...expected].toSorted());
  });

  test("a value may stand behind = and have colons", async () => {
    const afterEquals = await offered("scim serve --groups=t");
    expect(afterEquals.map((word) => word.replace("--groups=", ""))).toEqual(["transitive"]);
    const scopes = await offered("scim token create --scope scim:re");
    expect(scopes.map((word) => word.replace("scim:", ""))).toEqual(["read"]);
  });

  test("a profile is completed behind the @ of its date", async () => {
    for (const typed of ["scim profile show entra@", "scim connection create x --profile=entra@2"]) {
      const words = await offered(typed);
      // bash puts in the @ and what stands behind it.
      expect(
        words.map((word) => (shell === "bash" ? `entra${word}` : word.replace("--profile=", ""))),
      ).toEqual(PROFILE_NAMES.filter((name) => name.startsWith("entra@")));
    }
  });
});

test("bash offers files whose names hold a blank, in quotes", async () => {
  const script = `${(await printed(["completion", "bash"], {})).stdout}
touch "people of acme.csv" "people.csv"
asked() { COMP_LINE="$1" COMP_POINT=\${#1} COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'; _scim scim "$2"; printf '%s\\n' "\${COMPREPLY[@]}"; }
asked 'scim import "people o' 'people o'
asked 'scim import "people ' 'people '`;
  const told = execFileSync("bash", ["-c", script], { cwd: newFolder(), encoding: "utf8" });
  expect(told).toBe("people of acme.csv\npeople of acme.csv\n");
});

test("bash is told whom to ask", async () => {
  const { stdout } = await printed(["completion", "bash"], {});
  const told = execFileSync("bash", ["-c", `${stdout}\ncomplete -p scim`], { encoding: "utf8" });
  expect(told).toBe("complete -F _scim scim\n");
});

test("a flag has a text behind it wherever it stands, or nowhere: shells know it by its name alone", () => {
  const kinds = new Map<string, Set<string>>();
  for (const { flags } of COMMANDS.flatMap(({ actions }) => actions)) {
    for (const [name, { type }] of Object.entries(flags))
      kinds.set(name, (kinds.get(name) ?? new Set()).add(type));
  }
  expect([...kinds].filter(([, types]) => types.size > 1)).toEqual([]);
});

test("an unknown shell is refused with the nearest one", async () => {
  await expect(runCommand(["completion", "bsh"], {})).rejects.toThrow("did you mean 'bash'?");
  await expect(runCommand(["completion", "tcsh"], {})).rejects.toThrow("bash, zsh, fish");
});

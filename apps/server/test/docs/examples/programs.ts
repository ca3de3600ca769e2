/**
 * Makes a program of an example: what it names is imported from where users import it, or taken for granted.
 * @module
 */
import { join } from "node:path";
import { ROOT } from "../blocks/collect.ts";
import type { Example } from "./collect.ts";
import { EXPORTS, namesOf, type Exported } from "./exports.ts";
import { GIVEN, MODULES } from "./given.ts";

/** A program that the compiler reads. */
export interface Program {
  readonly name: string;
  readonly text: string;
  /** Whether all that it takes for granted is there when it runs. */
  readonly runs: boolean;
}

/** Makes the program of an example: a module that exports it as a function. */
export function programOf(example: Example): Program {
  const imports = new Set([`import assert from "node:assert/strict";`]);
  const given: string[] = [];
  const met = new Set<string>();
  const add = (text: string): void => {
    for (const name of namesIn(text)) {
      if (met.has(name)) continue;
      met.add(name);
      const source = GIVEN[example.folder]?.[name] ?? GIVEN["*"]?.[name];
      if (source !== undefined) {
        add(source);
        given.push(source);
      } else imports.add(importOf(name, example) ?? "");
    }
  };
  add(example.text);
  return {
    name: example.name,
    text: [...imports, ...given, "export async function example() {", checked(example.text), "}\n"].join(
      "\n",
    ),
    runs: !given.some((line) => line.startsWith("declare ")),
  };
}

/** Names in a text that are no members of something, nor the keys of members, nor within strings or comments. */
function namesIn(text: string): ReadonlySet<string> {
  const code = text
    .replaceAll(
      /`[^`]*`/g,
      (all) => ` ${[...all.matchAll(/\$\{([^}]*)\}/g)].map(([, inside]) => inside).join(" ")}`,
    )
    .replaceAll(/"[^"\n]*"|'[^'\n]*'|\/\/[^\n]*/g, "''");
  return new Set(
    [...code.matchAll(/(?<![\w$]|(?<!\.\.)\.)[A-Za-z_$][\w$]*(?![\w$:])/g)].map(([name]) => name),
  );
}

function importOf(name: string, { folder, file, of }: Example): string | null {
  const nearness = (from: Exported): number =>
    Number(from.entry === file) * 4 +
    Number(from.folder === folder) * 2 +
    Number(!from.from.includes("/", 6));
  const [nearest] = (EXPORTS.get(name) ?? []).toSorted((a, b) => nearness(b) - nearness(a));
  if (nearest !== undefined)
    return `import { ${nearest.isType ? "type " : ""}${name} } from "${nearest.from}";`;
  // What a package keeps to itself is described by its own file.
  if (name === of && namesOf(file).has(name)) {
    const built = join(ROOT, file.replace("/src/", "/dist/").replace(/\.ts$/, ".js"));
    return `import { ${name} } from ${JSON.stringify(built)};`;
  }
  const module = MODULES[name];
  return module === undefined ? null : `import { ${name} } from "${module}";`;
}

/**
 * A comment that begins as a literal, behind an expression that is a statement of its own or on the next line, is what it
 * comes to.
 */
function checked(text: string): string {
  return text.replaceAll(
    /^(?!const |let |for |if |throw |type |import )(?<code>\w[^\n]*);(?: |\n)\/\/ (?<value>[["'{\d][^\n]*)$/gm,
    (_all, code: string, value: string) => `assert.deepEqual(${code}, ${value});`,
  );
}

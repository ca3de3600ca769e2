/**
 * The examples in docstrings of the packages.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../blocks/collect.ts";

/** What stands behind `@example` in a docstring. */
export interface Example {
  /** What it is an example of: `client/src/client.ts bulk`. */
  readonly name: string;
  /** The package's folder: `client`. */
  readonly folder: string;
  /** Its file, from the root. */
  readonly file: string;
  /** What the docstring describes. */
  readonly of: string;
  readonly text: string;
}

const folders = readdirSync(join(ROOT, "packages"));

/** A docstring with an example, and the line that follows it. */
const DOCSTRING = /\/\*\*(?<doc>(?:(?!\*\/).)*?^ *\* @example\b(?:(?!\*\/).)*)\*\/\n(?<line>[^\n]*)/gms;

/** Every example, by file and place. */
export const EXAMPLES: readonly Example[] = folders.flatMap((folder) =>
  readdirSync(join(ROOT, "packages", folder, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .toSorted()
    .flatMap((file) => examplesOf(folder, `packages/${folder}/src/${file}`)),
);

function examplesOf(folder: string, file: string): readonly Example[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  return [...source.matchAll(DOCSTRING)].flatMap(({ groups = {} }) => {
    const { doc = "", line = "" } = groups;
    const of = /(?:(?:function\*?|const|class|interface|type) )?(?<of>\w+)\b(?! \w)/.exec(line)?.groups?.[
      "of"
    ];
    return programsOf(doc).map((text) => ({
      name: `${file.slice("packages/".length)} ${of ?? line}`,
      folder,
      file,
      of: of ?? line,
      text,
    }));
  });
}

/** What follows each `@example`, up to the next tag; of a fenced one what the fence holds, where it is TypeScript. */
function programsOf(doc: string): readonly string[] {
  const plain = doc.replaceAll(/^ *\* ?/gm, "");
  const [, ...behind] = plain.split(/^@example\b/m);
  return behind.flatMap((text) => {
    const [upToTag = ""] = text.split(/^@\w/m);
    const fence = /^```(?<language>\w*)\n(?<inside>.*?)^```/ms.exec(upToTag)?.groups;
    if (fence === undefined) return [upToTag.trim()];
    return fence["language"] === "ts" ? [(fence["inside"] ?? "").trim()] : [];
  });
}

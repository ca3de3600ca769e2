/**
 * The fenced blocks of the pages that users read.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));

/** A fenced block. */
export interface Block {
  /** Where it stands: `docs/hooks.md 1` for the first block of its language on the page. */
  readonly name: string;
  readonly language: string;
  /** What stands behind the language: `no-run`. */
  readonly marker: string;
  readonly text: string;
}

/** The pages that users read, from the root. */
export const PAGES: readonly string[] = [
  "CONTRIBUTING.md",
  "README.md",
  "SECURITY.md",
  "apps/server/README.md",
  "examples/README.md",
  "fixtures/releases/README.md",
  ...readdirSync(`${ROOT}docs`, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
  ...readdirSync(`${ROOT}packages`).map((folder) => `packages/${folder}/README.md`),
].toSorted();

/** Every block, by page and place. */
export const BLOCKS: readonly Block[] = PAGES.flatMap(blocksOf);

/** The blocks of some languages. */
export function blocksIn(...languages: readonly string[]): readonly Block[] {
  return BLOCKS.filter(({ language }) => languages.includes(language));
}

function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(ROOT + page, "utf8");
  const counts = new Map<string, number>();
  const found = text.matchAll(/^```(?<language>\w*)(?<marker>[^\n]*)\n(?<inside>.*?)^```$/gms);
  return [...found].map(({ groups = {} }) => {
    const { language = "", marker = "", inside = "" } = groups;
    const count = (counts.get(language) ?? 0) + 1;
    counts.set(language, count);
    return { name: `${page} ${language} ${count}`, language, marker: marker.trim(), text: inside };
  });
}

/**
 * The programs that blocks of documentation are, as files.
 * @module
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksIn, type Block } from "./collect.ts";
import { FRAGMENTS } from "./fragments.ts";

/** Every block of TypeScript or JavaScript. */
export const PROGRAMS: readonly Block[] = blocksIn("ts", "js");

/** The file of a block, from the folder of programs. */
export function fileOf({ name, language }: Block): string {
  return `blocks/${name.replaceAll(/\W+/g, "-")}.${language}`;
}

/** Writes all of them into a folder of programs. */
export function writePrograms(folder: string): void {
  for (const block of PROGRAMS) writeFileSync(join(folder, fileOf(block)), programOf(block));
}

function programOf({ name, text }: Block): string {
  const { given = "", within: [before, behind] = ["", ""] } = FRAGMENTS[name] ?? {};
  return `${given}\n${before}${text}${behind}`;
}

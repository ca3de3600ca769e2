/**
 * The programs of all examples, as files.
 * @module
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXAMPLES } from "./collect.ts";
import { programOf, type Program } from "./programs.ts";

/** The program of every example of a docstring. */
export const PROGRAMS: readonly Program[] = EXAMPLES.map(programOf);

/** The file of the program at a place of the list, from the folder of programs. */
export function fileOf(at: number): string {
  return `blocks/example-${at}.ts`;
}

/** Writes all of them, and the schema that some read, into a folder of programs. */
export function writeExamples(folder: string): void {
  const device = { id: "urn:example:Device", attributes: [{ name: "serial", type: "string" }] };
  writeFileSync(join(folder, "device.schema.json"), JSON.stringify(device));
  for (const [at, { name, text }] of PROGRAMS.entries())
    writeFileSync(join(folder, fileOf(at)), `// ${name}\n${text}`);
}

/**
 * What commands print: JSON for programs, lines for people.
 *
 * With `--json`, standard output holds JSON and nothing else; sentences beside the result are for people alone.
 * @module
 */
import { once } from "node:events";
import process from "node:process";
import { isJsonArray, type JsonValue } from "@scim/schemas";
import { EXIT, type ExitCode } from "./failure.ts";
import { jsonPieces } from "./json-pieces.ts";
import { printableLines } from "./printable.ts";

/** Who reads: programs where `json` is true. */
export interface Reader {
  readonly json?: boolean | undefined;
}

/** Prints the result: one JSON document, or lines. */
export function print(reader: Reader, value: unknown, lines: string): ExitCode {
  return printOwn(reader, value, printableLines(lines));
}

/** Prints what nobody else wrote, and may steer a terminal: help, and scripts of shells. */
export function printOwn({ json }: Reader, value: unknown, text: string): ExitCode {
  process.stdout.write(`${json === true ? JSON.stringify(value, null, 2) : text}\n`);
  return EXIT.ok;
}

/** Prints a result that may be longer than a text can be: one JSON document, in pieces, or lines. */
export async function printLong({ json }: Reader, value: unknown, lines: string): Promise<void> {
  const { stdout } = process;
  const write = async (text: string): Promise<void> => {
    if (!stdout.write(text)) await once(stdout, "drain");
  };
  if (json !== true) return write(`${printableLines(lines)}\n`);
  let gathered = "";
  for (const piece of jsonPieces(value)) {
    gathered += piece;
    if (gathered.length < GATHERED) continue;
    await write(gathered);
    gathered = "";
  }
  await write(`${gathered}\n`);
}

/** Characters that are written at once. */
const GATHERED = 65_536;

/** Prints one thing of several: a line of JSON, or of text. */
export function printEach({ json }: Reader, value: unknown, line: string): void {
  process.stdout.write(`${json === true ? JSON.stringify(value) : printableLines(line)}\n`);
}

/** What is shown as JSON, as a cell of a table; a dash, or what else is said, for nothing. */
export function cell(value: JsonValue | undefined, otherwise: string = "-"): string {
  if (value === null || value === undefined) return otherwise;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A list of texts as a cell. */
export function listCell(value: JsonValue | undefined, separator: string): string {
  return value !== undefined && isJsonArray(value) ? value.map((each) => cell(each)).join(separator) : "";
}

/** Tells people something on standard error that is not the result: a script may take that from standard output. */
export function tell({ json }: Reader, sentence: string): void {
  if (json !== true) process.stderr.write(`${printableLines(sentence)}\n`);
}

/** Prints a result that is not worth a place in a pipe: JSON on standard output, or a sentence on standard error. */
export function confirm(reader: Reader, value: unknown, sentence: string): ExitCode {
  if (reader.json === true) return print(reader, value, sentence);
  tell(reader, sentence);
  return EXIT.ok;
}

/** Where a command wrote to, `-` for standard output, and how much. */
export interface Written {
  readonly file: string;
}

/** Tells what was written: as JSON beside it, which is on standard error where standard output holds what was written. */
export function tellWritten({ json }: Reader, written: Written, sentence: string): ExitCode {
  const out = json === true && written.file !== "-" ? process.stdout : process.stderr;
  out.write(`${json === true ? JSON.stringify(written) : printableLines(sentence)}\n`);
  return EXIT.ok;
}

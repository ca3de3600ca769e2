/**
 * Runs imports and exports in this process, on a database file of their own.
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { jsonLine } from "../../src/export/json-lines.ts";
import { importOptions, type ImportFlags } from "../../src/import/import-options.ts";
import type { RejectedLine } from "../../src/import/report.ts";
import { runImport, type ImportSummary } from "../../src/import/run-import.ts";
import { openSource } from "../../src/import/source/open-source.ts";
import { openOperator, type Operator } from "../../src/operator/operator.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import type { Settings } from "../../src/settings/table.ts";

/** Settings with a database file of a folder. */
export function settingsIn(folder: string, more: Readonly<Record<string, string>> = {}): Settings {
  const flags = { "database-url": `sqlite:${join(folder, "scim.db")}`, ...more };
  return resolveSettings({ flags, environment: {} }).values;
}

/** Opens the service over the database of a folder; it is closed when the test ends. */
export async function operatorIn(
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Operator> {
  const operator = await openOperator(settingsIn(folder, more), { command: "scim import" });
  onTestFinished(() => operator.close());
  return operator;
}

/** A source of a test: its name, what it holds, and how it is imported. */
export interface TestSource {
  readonly folder: string;
  readonly name: string;
  readonly content: string | Buffer;
  readonly flags?: ImportFlags;
}

/** What came of an import. */
export interface Imported {
  readonly summary: ImportSummary;
  readonly rejected: readonly RejectedLine[];
}

/** Shows no progress. */
export const SILENT = { show: () => undefined, end: () => undefined };

/** Writes a source and imports it. */
export async function importInto(operator: Operator, source: TestSource): Promise<Imported> {
  const path = join(source.folder, source.name);
  writeFileSync(path, source.content);
  const options = importOptions([path], source.flags ?? {});
  const signal = new AbortController().signal;
  const opened = await openSource(options, signal);
  const summary = await runImport({ operator, source: opened, options, progress: SILENT, signal });
  return { summary, rejected: summary.rejected === 0 ? [] : reportOf(`${path}.rejected.jsonl`) };
}

/** The lines of a report. */
export function reportOf(path: string): readonly RejectedLine[] {
  // Written by the import.
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RejectedLine);
}

/** All that an export of some types writes. */
export async function exported({ service, context }: Operator, ...types: readonly string[]): Promise<string> {
  let text = "";
  for (const type of types.length === 0 ? ["User", "Group"] : types) {
    for await (const resource of service.exportResources(context, type))
      for await (const piece of jsonLine(resource)) text += piece;
  }
  return text;
}

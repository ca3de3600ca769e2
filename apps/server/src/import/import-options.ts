/**
 * What `scim import` is told on the command line.
 * @module
 */
import { statSync } from "node:fs";
import { type FileFormat, formatByName } from "@scim/sync/records";
import { CommandFailure, EXIT } from "../failure.ts";
import type { OperatorFlags } from "../operator/operator.ts";
import { wordFlag } from "../value-flags.ts";

/** The flags of `scim import`, as they were given. */
export interface ImportFlags extends OperatorFlags {
  readonly format?: string;
  readonly type?: string;
  readonly mapping?: string;
  readonly encoding?: string;
  readonly mode?: string;
  readonly report?: string;
  readonly "max-record"?: string;
  readonly "keep-ids"?: boolean;
  readonly "dry-run"?: boolean;
  readonly restart?: boolean;
  readonly json?: boolean;
}

/** Forms of a source: a resource a line, CSV with a header, or a ListResponse (or an array) of resources. */
export type ImportFormat = Exclude<FileFormat, "ldif">;

/** What to import, and how. */
export interface ImportOptions {
  /** Path of the source, or null for standard input. */
  readonly path: string | null;
  /** Whether the source is a file, which can be read again: no standard input, and no pipe. */
  readonly isFile: boolean;
  readonly format: ImportFormat;
  /** Name of the resource type, or null where each record names its own. */
  readonly type: string | null;
  /** Path of the mapping of CSV columns, or null. */
  readonly mapping: string | null;
  readonly encoding: string | null;
  readonly mode: "create" | "upsert";
  readonly keepIds: boolean;
  readonly dryRun: boolean;
  /** Whether to forget how far an earlier run came. */
  readonly restart: boolean;
  /** Path of the report of rejected records; null to tell of them on standard error. */
  readonly report: string | null;
  /** Greatest record, in bytes. */
  readonly maxRecord: number;
}

/** 64 MiB: what the server takes as the body of a Group. */
const MAX_RECORD = 67_108_864;
const LEAST_MAX_RECORD = 1024;
const GREATEST_MAX_RECORD = 536_870_912;

/** Names of standard input. */
const STANDARD_INPUT: ReadonlySet<string> = new Set(["-", "/dev/stdin"]);

/**
 * Reads the flags of `scim import`.
 * @throws CommandFailure naming the one that is wrong
 */
export function importOptions(positionals: readonly string[], flags: ImportFlags): ImportOptions {
  const [source] = positionals;
  const path = source === undefined || STANDARD_INPUT.has(source) ? null : source;
  const isFile = path !== null && !isPipe(path);
  const format = formatOf(path, flags.format);
  if (flags.report === "-")
    throw new CommandFailure(
      EXIT.usage,
      "--report is the name of a file: what is rejected is no part of standard output.",
    );
  if (flags.mapping !== undefined && format !== "csv")
    throw new CommandFailure(EXIT.usage, "--mapping maps columns of CSV: the source is another form.");
  return {
    path,
    isFile,
    format,
    type: flags.type ?? null,
    mapping: flags.mapping ?? null,
    encoding: flags.encoding ?? null,
    mode: modeOf(flags),
    keepIds: flags["keep-ids"] === true,
    dryRun: flags["dry-run"] === true,
    restart: flags.restart === true,
    report: flags.report ?? (isFile ? `${path}.rejected.jsonl` : null),
    maxRecord: recordBytes(flags["max-record"]),
  };
}

/**
 * What `--mode` says of records that are there already; default `upsert`.
 * @throws CommandFailure for another word
 */
export function modeOf({ mode = "upsert" }: Pick<ImportFlags, "mode">): ImportOptions["mode"] {
  return wordFlag("mode", mode, ["create", "upsert"]);
}

/** Or a device; what cannot be looked at is told of when it is opened. */
function isPipe(path: string): boolean {
  try {
    const found = statSync(path);
    return !found.isFile() && !found.isDirectory();
  } catch {
    return false;
  }
}

function formatOf(path: string | null, named: string | undefined): ImportFormat {
  if (named !== undefined) return wordFlag("format", named, ["jsonl", "csv", "json"]);
  const format = formatByName(path ?? "");
  if (format !== "ldif") return format;
  throw new CommandFailure(
    EXIT.usage,
    "LDIF is read by 'scim sync', by a mapping; where the file holds something else, give --format.",
  );
}

/**
 * The greatest record, of `--max-record`.
 * @throws CommandFailure for what is no number of bytes, or out of bounds
 */
export function recordBytes(text: string | undefined): number {
  if (text === undefined) return MAX_RECORD;
  const bytes = Number(text);
  if (Number.isInteger(bytes) && bytes >= LEAST_MAX_RECORD && bytes <= GREATEST_MAX_RECORD) return bytes;
  throw new CommandFailure(
    EXIT.usage,
    `--max-record must be a number of bytes from ${LEAST_MAX_RECORD} to ${GREATEST_MAX_RECORD}.`,
  );
}

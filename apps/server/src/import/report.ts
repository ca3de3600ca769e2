/**
 * The report of rejected records: JSON lines, written before the run says that it is past them.
 * @module
 */
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { ImportOutcome } from "@scim/core";
import { CommandFailure, EXIT } from "../failure.ts";
import { flushFolder } from "../folders.ts";
import { printable } from "../printable.ts";
import { grouped } from "../progress/progress.ts";

/** A rejected record as it is told of. */
export interface RejectedLine {
  /** Number of the record in the source, from 1. */
  readonly record: number;
  /** Line of the source that it begins on. */
  readonly line: number;
  readonly status: number;
  readonly scimType: string | null;
  readonly detail: string;
}

/** Where rejected records are told of. */
export interface Report {
  /** How many there are, those of an earlier part of the run among them. */
  readonly count: () => number;
  /** How many of an earlier part it does not list: that told of them elsewhere. */
  readonly unlisted: number;
  add(outcome: ImportOutcome, line: number): void;
  /**
   * What was added is on the disk.
   * @throws CommandFailure where it finds no room there: what the run goes on behind must not pass it
   */
  flush(): void;
  close(): void;
}

/** Rejected records that are told of on standard error where there is no file; of the rest only how many. */
const SHOWN = 20;

/** How far an earlier part of a run came. */
export interface EarlierPart {
  /** Records that it was done with. */
  readonly position: number;
  /** How many of them it rejected. */
  readonly rejected: number;
}

/**
 * Opens a report. It keeps what an earlier part of the run told of its records, and nothing else; the file is made with the
 * first rejected record, and removed where it holds none. What is no file, such as a device, is only written to.
 * @param path of the file, or null to tell on standard error
 * @throws CommandFailure where the file cannot be written, or something else than a report stands there
 */
export function openReport(path: string | null, earlier: EarlierPart): Report {
  return path === null ? shownReport() : fileReport(path, earlier);
}

function lineOf({ record, error }: ImportOutcome, line: number): RejectedLine {
  return {
    record,
    line,
    status: error?.status ?? 0,
    scimType: error?.scimType ?? null,
    detail: error?.message ?? "",
  };
}

function shownReport(): Report {
  let count = 0;
  return {
    count: () => count,
    unlisted: 0,
    add: (outcome, line) => {
      count += 1;
      // As JSON may have it, and a terminal be given it.
      if (count <= SHOWN) process.stderr.write(`${printable(JSON.stringify(lineOf(outcome, line)))}\n`);
    },
    flush: () => undefined,
    close: () => {
      if (count > SHOWN)
        process.stderr.write(`And ${grouped(count - SHOWN)} more: --report FILE lists all of them.\n`);
    },
  };
}

function fileReport(path: string, earlier: EarlierPart): Report {
  const owned = writing(path, () => isReport(path));
  const kept = owned ? keptOf(path, earlier) : [];
  let count = earlier.rejected;
  let file: number | null = null;
  let pending = "";
  const opened = (): number => {
    file ??= openForWriting(path, kept);
    return file;
  };
  if (kept.length > 0) opened();
  else if (owned) rmSync(path, { force: true });
  return {
    count: () => count,
    unlisted: count - kept.length,
    add: (outcome, line) => {
      count += 1;
      pending += `${JSON.stringify(lineOf(outcome, line))}\n`;
    },
    flush: () => {
      if (pending === "") return;
      const text = pending;
      // What fails is not tried again: behind a line that was cut off, a whole one would be lost.
      pending = "";
      const to = opened();
      writing(path, () => {
        writeFileSync(to, text);
        // A device has nothing to bring to the disk.
        if (owned) fsyncSync(to);
      });
    },
    close: () => {
      if (file !== null) closeSync(file);
    },
  };
}

/** What a report has of an earlier part; nothing where it has more than that told of, and so is one of another run. */
function keptOf(path: string, { position, rejected }: EarlierPart): readonly RejectedLine[] {
  if (rejected === 0) return [];
  const kept = readReport(path).filter(({ record }) => record <= position);
  return kept.length > rejected ? [] : kept;
}

function openForWriting(path: string, kept: readonly RejectedLine[]): number {
  return writing(path, () => {
    if (kept.length > 0) replaceBy(path, kept.map((each) => `${JSON.stringify(each)}\n`).join(""));
    const file = openSync(path, "a", 0o600);
    flushFolder(dirname(path));
    return file;
  });
}

/** How a report begins, also one that was cut off. */
const BEGINNING = '{"record":';

/**
 * Whether what stands at the path, if anything, is ours to replace and to remove; else it is no file.
 * @throws CommandFailure where it is a file of another kind, such as the source
 */
function isReport(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false) return false;
  if (found !== undefined && found.size > 0 && !BEGINNING.startsWith(beginningOf(path)))
    throw new CommandFailure(
      EXIT.usage,
      `${path} exists and is no report of an import: name another file with --report, or remove it.`,
    );
  return true;
}

function beginningOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(BEGINNING.length);
    return bytes.toString("utf8", 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Where there is no room for it, what was there before stays. */
function replaceBy(path: string, text: string): void {
  const partial = `${path}.partial`;
  try {
    writeFileSync(partial, text, { mode: 0o600, flush: true });
    renameSync(partial, path);
  } catch (cause) {
    rmSync(partial, { force: true });
    throw cause;
  }
}

function writing<Result>(path: string, write: () => Result): Result {
  try {
    return write();
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(
      EXIT.failed,
      `The report ${path} cannot be written: ${reason}. Name another by --report, or run the same command again once it can.`,
      cause,
    );
  }
}

/** The lines of a report; one that was cut off in the middle is left out. */
function readReport(path: string): readonly RejectedLine[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      // Written by `add`, or cut off, which cannot be read.
      return [JSON.parse(line) as RejectedLine];
    } catch {
      return [];
    }
  });
}

/**
 * The report of rejected records: JSON lines, written before the run says that it is past them.
 * @module
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { ImportOutcome } from "@scim/core";
import { CommandFailure, EXIT } from "../failure.ts";

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

/**
 * Opens a report. It keeps what an earlier part of the run told of records up to `position`, and nothing else; the file
 * is made with the first rejected record, and removed where it holds none.
 * @param path of the file, or null to tell on standard error
 * @throws CommandFailure where the file cannot be written
 */
export function openReport(path: string | null, position: number): Report {
  return path === null ? shownReport() : fileReport(path, position);
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
    add: (outcome, line) => {
      count += 1;
      if (count <= SHOWN) process.stderr.write(`${JSON.stringify(lineOf(outcome, line))}\n`);
    },
    flush: () => undefined,
    close: () => undefined,
  };
}

function fileReport(path: string, position: number): Report {
  const kept = position === 0 ? [] : readReport(path).filter(({ record }) => record <= position);
  let count = kept.length;
  let file: number | null = null;
  let pending = "";
  const opened = (): number => {
    file ??= openForWriting(path, kept);
    return file;
  };
  if (count === 0) rmSync(path, { force: true });
  else opened();
  return {
    count: () => count,
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
        fsyncSync(to);
      });
    },
    close: () => {
      if (file !== null) closeSync(file);
    },
  };
}

function openForWriting(path: string, kept: readonly RejectedLine[]): number {
  return writing(path, () => {
    if (kept.length > 0) replaceBy(path, kept.map((each) => `${JSON.stringify(each)}\n`).join(""));
    return openSync(path, kept.length > 0 ? "a" : "w", 0o600);
  });
}

/** Where there is no room for it, what was there before stays. */
function replaceBy(path: string, text: string): void {
  const partial = `${path}.partial`;
  try {
    writeFileSync(partial, text, { mode: 0o600 });
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
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(
      EXIT.failed,
      `The report ${path} cannot be written: ${reason}. Run the same command again once it can.`,
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

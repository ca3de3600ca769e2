/**
 * The report of rejected records: JSON lines, written before the run says that it is past them.
 * @module
 */
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
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
  /** What was added is on the disk. */
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
      writeSync(opened(), pending);
      pending = "";
      fsyncSync(opened());
    },
    close: () => {
      if (file !== null) closeSync(file);
    },
  };
}

function openForWriting(path: string, kept: readonly RejectedLine[]): number {
  try {
    writeFileSync(path, kept.map((each) => `${JSON.stringify(each)}\n`).join(""), { mode: 0o600 });
    return openSync(path, "a");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.failed, `The report ${path} cannot be written: ${reason}.`, cause);
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

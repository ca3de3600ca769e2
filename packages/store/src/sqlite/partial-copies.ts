/**
 * Copies of a database that are not done: what they are called, and those whose process ended before they were.
 * @module
 */
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Files that SQLite keeps beside a database, by what follows its name. */
const FILES = ["", "-journal", "-wal", "-shm"];

/** What follows the name that a copy is to bear: the process that makes it. */
const PARTIAL = /^(?<target>.+)\.(?<pid>[1-9][0-9]*)\.partial(?:-journal|-wal|-shm)?$/;

/** The name of a copy until it is done. Another process may make the same one: each under a name of its own. */
export function partialCopyOf(target: string): string {
  return `${target}.${process.pid}.partial`;
}

/** Removes a copy that is not done. */
export function removePartialCopy(partial: string): void {
  for (const end of FILES) rmSync(`${partial}${end}`, { force: true });
}

/** Files of copies that were begun in a folder, on this machine, and whose process has ended, such as one that was killed. */
export function abandonedCopies(folder: string): readonly AbandonedCopy[] {
  return namesIn(folder).flatMap((name) => {
    const { target: of = "", pid = "" } = PARTIAL.exec(name)?.groups ?? {};
    const path = join(folder, name);
    if (of === "" || isRunning(Number(pid)) || lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true)
      return [];
    return [{ path, name: of }];
  });
}

/** Nothing where the folder takes files and does not show them: a copy can be made in it all the same. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A file that is left of a copy. */
export interface AbandonedCopy {
  readonly path: string;
  /** The name that the copy was to bear. */
  readonly name: string;
}

/** Removes what is left in a folder of copies that were to bear one of some names. */
export function removeAbandonedCopies(folder: string, isNamed: (name: string) => boolean): void {
  for (const { path, name } of abandonedCopies(folder)) if (isNamed(name)) rmSync(path, { force: true });
}

/** What this process would have begun is left of another that had its number. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

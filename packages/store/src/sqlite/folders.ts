/**
 * Folders, and that the disk knows what is in them: a file is flushed without its name.
 * @module
 */
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** What opening a folder answers whoever may put files into it and not look, and flushing it where a file system cannot. */
const NOT_TO_BE_HAD: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EINVAL", "ENOTSUP", "EISDIR"]);

/** Makes a folder, with those above it, where it is not there; a loss of power takes none of them. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  const above = dirname(resolve(first));
  let folder = resolve(path);
  while (folder !== above) {
    folder = dirname(folder);
    flushFolder(folder);
  }
}

/** Has the names in a folder written to the disk, where the system does that: a loss of power takes no file that is flushed itself. */
export function flushFolder(path: string): void {
  try {
    flush(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && NOT_TO_BE_HAD.has(error.code))) throw error;
  }
}

/** Has what a file holds written to the disk. */
export function flush(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

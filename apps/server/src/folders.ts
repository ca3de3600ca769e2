/**
 * Folders of files that a loss of power must not take: a file is flushed without its name.
 * @module
 */
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";

const OWNER_ONLY = 0o700;

/** What opening a folder answers whoever may put files into it and not look, and flushing it where a file system cannot. */
const NOT_TO_BE_HAD: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EINVAL", "ENOTSUP", "EISDIR"]);

/** Makes a folder for its owner alone, with those above it, where it is not there; a loss of power takes none of them. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: OWNER_ONLY });
  if (first === undefined) return;
  const above = dirname(resolve(first));
  let folder = resolve(path);
  while (folder !== above) {
    folder = dirname(folder);
    flushFolder(folder);
  }
}

/** Has the names in a folder written to the disk, where the system does that. */
export function flushFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && NOT_TO_BE_HAD.has(error.code))) throw error;
  }
}

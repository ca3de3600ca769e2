/**
 * Where tests put their files: in memory, where there is room. Nothing of theirs outlives the machine, so that no commit
 * of theirs has to wait for a disk. `TMPDIR` takes another folder.
 */
import { statfsSync } from "node:fs";
import process from "node:process";

/** The file system in memory that Linux has. */
const MEMORY = "/dev/shm";

/** Bytes that all tests at once stay far below. */
const ROOM = 4 * 1024 ** 3;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}

/** Sets the folder, which all that starts here inherits: workers, the database server, and programs under test. */
export function useMemory(): void {
  if (hasRoom(MEMORY)) process.env["TMPDIR"] ??= MEMORY;
}

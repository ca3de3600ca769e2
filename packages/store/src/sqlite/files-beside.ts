/**
 * The files that SQLite keeps beside a database while it is open.
 * @module
 */
import { realpathSync } from "node:fs";

/** Path of one of them. Where the path of the database is a symbolic link, they stand beside the file that it leads to. */
export function fileBeside(path: string, ending: "-wal" | "-shm"): string {
  return `${realpathSync(path)}${ending}`;
}

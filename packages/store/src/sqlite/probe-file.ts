/**
 * Whether a database file can be read and written now. Connections that are open do not tell: they go on in a file that was removed,
 * and read from memory what is damaged on the disk.
 * @module
 */
import { type BigIntStats, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isScimError } from "@scim/schemas";
import { unavailable } from "../unavailable.ts";
import { SqliteConnection } from "./connection.ts";
import { isBusy, orUnavailable } from "./failures.ts";

/** Milliseconds for which a lock may be held: less than those who ask are used to wait. */
const LOCK_PATIENCE_MS = 2000;
/** Milliseconds between two tries. */
const RETRY_MS = 50;

/** What a probe works with. */
export interface ProbedFile {
  readonly path: string;
  /** Whether this process holds the lock of writers, on whichever connection. */
  readonly isWriting: () => boolean;
}

/**
 * Makes what probes the file that is at a path now. A probe reads the schema from the file, takes the lock of writers, and
 * writes a row that it takes back: nothing reaches the disk.
 * @returns the probe; it rejects with a ScimError `unavailable` that says the reason
 */
export function fileProbe({ path, isWriting }: ProbedFile): () => Promise<void> {
  const opened = identityOf(path);
  return async () => {
    const end = performance.now() + LOCK_PATIENCE_MS;
    for (;;) {
      if (identityOf(path) !== opened) throw unavailable(GONE);
      try {
        writeAndTakeBack(path);
        return;
      } catch (error) {
        if (isBusy(error) && isWriting()) return;
        if (!isBusy(error) || performance.now() >= end) {
          const told = orUnavailable(error);
          throw isScimError(told) ? told : unavailable("The database does not answer.", error);
        }
      }
      await delay(RETRY_MS, undefined, { ref: false });
    }
  };
}

const GONE =
  "The database file was removed, or another is in its place: what is written now goes with the process. Stop it, and restore a backup.";

/** What tells a file from any other that has its name; null where none has it. */
function identityOf(path: string): string | null {
  const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

function writeAndTakeBack(path: string): void {
  // A file that is gone by now must not be made.
  const connection = new SqliteConnection(`${pathToFileURL(path).href}?mode=rw`, { lockWait: 0 });
  try {
    connection.exec(`
      BEGIN IMMEDIATE;
      INSERT INTO migrations (number, name, checksum, oldest_writer, applied)
        VALUES (-1, 'try', '', -1, '2000-01-01T00:00:00Z');
      ROLLBACK;
    `);
  } finally {
    connection.close();
  }
}

/**
 * The program of the thread that writes imports: it takes the lock of the database like any other process, so that
 * requests and writes of others go between its transactions.
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import { insertBulk } from "../imports/insert-bulk.ts";
import { CommitQueue } from "./commit-queue.ts";
import { SqliteConnection } from "./connection.ts";
import { sqliteDialect } from "./dialect.ts";
import type { ImportReply, ImportRequestMessage, ImportThreadSettings } from "./import-messages.ts";
import { insertStaged, STAGE } from "./insert-staged.ts";

/** Milliseconds that a statement waits for a lock with the thread held; beyond that the queue waits. */
const LOCK_WAIT = 5;

/** Page cache in KiB (32 MiB): every index is written to at several places. */
const PAGE_CACHE = 32_768;

/** Pages in the write-ahead log before they are moved (128 MiB): pages that many batches change are moved once. */
const CHECKPOINT_PAGES = 32_768;

// What starts the thread gives it its settings.
const { path, busyTimeout } = workerData as ImportThreadSettings;
const connection = new SqliteConnection(path, { lockWait: LOCK_WAIT });
connection.exec(
  `PRAGMA cache_size = -${PAGE_CACHE}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; ${STAGE}`,
);
const queue = new CommitQueue(connection, { busyTimeout, pauses: false });

parentPort?.on("message", (request: ImportRequestMessage | "end") => {
  if (request === "end") end();
  else void answer(request);
});

async function answer({ tenant, connection: of, bulk }: ImportRequestMessage): Promise<void> {
  const scope = { tenant, connection: of };
  try {
    const result = await queue.submit((transaction) =>
      insertBulk({ scope, dialect: sqliteDialect, transaction }, bulk, insertStaged),
    );
    reply({ kind: "done", result });
  } catch (error) {
    reply({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

function reply(message: ImportReply): void {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

/** The log is moved into the database and cut, so that no great one stays behind. */
function end(): void {
  try {
    connection.run({ text: "PRAGMA wal_checkpoint(TRUNCATE)", params: [] });
  } finally {
    connection.close();
    parentPort?.close();
  }
}

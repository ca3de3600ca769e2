/**
 * The program of the thread that writes imports: it takes the lock of the database like any other process, so that
 * requests and writes of others go between its transactions.
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import { CommitQueue } from "./commit-queue.ts";
import { SqliteConnection } from "./connection.ts";
import type { ImportReply, ImportRequestMessage, ImportThreadSettings } from "./import-messages.ts";
import { ImportRequests } from "./import-requests.ts";
import { logFlushOf } from "./log-flush.ts";

/** Milliseconds that a statement waits for a lock with the thread held; beyond that the queue waits. */
const LOCK_WAIT = 5;

/** Page cache in KiB (8 MiB): keys come sorted, so that few pages are needed twice in a transaction. */
const PAGE_CACHE = 8192;

// What starts the thread gives it its settings.
const { path, busyTimeout } = workerData as ImportThreadSettings;
const connection = new SqliteConnection(path, { lockWait: LOCK_WAIT, openingWait: busyTimeout });
connection.exec(`PRAGMA cache_size = -${PAGE_CACHE}`);
const requests = new ImportRequests({
  connection,
  queue: new CommitQueue(connection, { busyTimeout, pauses: false }),
  log: logFlushOf({ path, writer: connection }),
  reply,
});

parentPort?.on("message", (request: ImportRequestMessage | "end") => {
  if (request === "end") void end();
  else requests.take(request);
});

function reply(message: ImportReply): void {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

/** The log is moved into the database and cut, so that no great one stays behind. */
async function end(): Promise<void> {
  await requests.close();
  try {
    connection.run({ text: "PRAGMA wal_checkpoint(TRUNCATE)", params: [] });
  } catch {
    // What was written is in the log, on the disk: where the database has no room for it now, a later write moves it.
  }
  connection.close();
  parentPort?.close();
}

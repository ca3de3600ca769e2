/**
 * The program of the thread that writes imports: it takes the lock of the database like any other process, so that
 * requests and writes of others go between its transactions.
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import { CommitQueue } from "./commit-queue.ts";
import { SqliteConnection } from "./connection.ts";
import { sqliteDialect } from "./dialect.ts";
import type { ImportReply, ImportRequestMessage, ImportThreadSettings } from "./import-messages.ts";
import { ImportStage } from "./import-stage.ts";

/** Milliseconds that a statement waits for a lock with the thread held; beyond that the queue waits. */
const LOCK_WAIT = 5;

/** Page cache in KiB (8 MiB): keys come sorted, so that few pages are needed twice in a transaction. */
const PAGE_CACHE = 8192;

// What starts the thread gives it its settings.
const { path, busyTimeout } = workerData as ImportThreadSettings;
const connection = new SqliteConnection(path, { lockWait: LOCK_WAIT });
connection.exec(`PRAGMA cache_size = -${PAGE_CACHE}`);
const queue = new CommitQueue(connection, { busyTimeout, pauses: false });

/** What each sender has gathered. */
const stages = new Map<number, ImportStage>();
let done: Promise<void> = Promise.resolve();

// One after the other: what is staged while a write waits for its lock is not part of it.
parentPort?.on("message", (request: ImportRequestMessage | "end") => {
  done = done.then(() => {
    if (request === "end") return end();
    if (request.kind === "rows") return stage(request);
    return answer(request);
  });
});

function stageOf(sender: number): ImportStage {
  const known = stages.get(sender);
  if (known !== undefined) return known;
  const made = new ImportStage(connection, `staged_${sender}`);
  stages.set(sender, made);
  return made;
}

/** Why resources of a sender could not be staged: its next write fails. */
const failures = new Map<number, unknown>();

function stage({ sender, groups }: Extract<ImportRequestMessage, { readonly kind: "rows" }>): void {
  try {
    stageOf(sender).add(groups);
  } catch (error) {
    failures.set(sender, error);
  }
}

async function answer(request: Extract<ImportRequestMessage, { readonly kind: "write" }>): Promise<void> {
  const { sender, tenant, connection: of, step } = request;
  const scope = { tenant, connection: of };
  const staged = stageOf(sender);
  try {
    if (failures.has(sender)) throw failures.get(sender);
    const result = await queue.submit((transaction) => {
      reply({ kind: "begun" });
      return staged.insert({ scope, dialect: sqliteDialect, transaction }, step);
    });
    reply({ kind: "done", result, changed: connection.takeChanged() });
  } catch (error) {
    reply({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
  failures.delete(sender);
  staged.clear();
}

function reply(message: ImportReply): void {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

/** The log is moved into the database and cut, so that no great one stays behind. */
function end(): void {
  try {
    connection.run({ text: "PRAGMA wal_checkpoint(TRUNCATE)", params: [] });
  } catch {
    // What was written is in the log, on the disk: where the database has no room for it now, a later write moves it.
  }
  connection.close();
  parentPort?.close();
}

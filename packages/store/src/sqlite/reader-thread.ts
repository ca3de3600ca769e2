/**
 * The program of a reader thread: runs queries on a connection of its own, one after another.
 * @module
 */
import { constants, getPriority, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { siftRows } from "../query/sift.ts";
import { SqliteConnection } from "./connection.ts";
import { givingWayBetween } from "./give-way.ts";
import {
  type ReaderSettings,
  threadFailure,
  type ThreadReply,
  type ThreadRequest,
} from "./thread-messages.ts";

/**
 * How far a scan stands back where requests want the processor (nice value): it gets half of what they get. With
 * much less, a scan would hardly go on where other programs keep the machine busy.
 */
const NICENESS = 3;

// What starts a thread gives it its settings.
const { path, lockWait, writes = false } = workerData as ReaderSettings;
let connection: SqliteConnection | null = null;

// Elsewhere the priority is that of the whole process, from which the thread has its own: nobody but root may come before that.
if (process.platform === "linux")
  setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));

// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (request: ThreadRequest) => parentPort?.postMessage(reply(request)));

function reply(request: ThreadRequest): ThreadReply {
  try {
    connection ??= new SqliteConnection(path, { lockWait, readOnly: !writes, givesWay: writes });
    return request.kind === "run"
      ? { kind: "ran", answer: connection.run(request.statement) }
      : { kind: "sifted", sifted: siftRows(givingWayBetween(connection.each(request.query)), request.sieve) };
  } catch (error) {
    return threadFailure(error);
  }
}

/**
 * What a store works with: of a file, or of a database in memory.
 * @module
 */
import type { AuditChain } from "@scim/events";
import { FreshEvents } from "../events/fresh-events.ts";
import { DEFAULT_AT_ONCE, type ScanLimits } from "../query/scan-turns.ts";
import type { CommitListener } from "../load.ts";
import { sharedStage } from "../shared-stage.ts";
import { commitFlushOf } from "./commit-flush.ts";
import { CommitQueue } from "./commit-queue.ts";
import { SqliteConnection } from "./connection.ts";
import type { ExecutorParts } from "./executor.ts";
import { ImportWriter } from "./import-writer.ts";
import type { LockHolders } from "./lock-holders.ts";
import { LogKeeper } from "./log-keeper.ts";
import { LogMover } from "./log-mover.ts";
import { MemoryStates } from "./memory-states.ts";
import { type PoolLimits, type ReaderLimits, ReaderPool } from "./reader-pool.ts";
import { openThreadStage } from "./thread-stage.ts";

/** What a store works with. */
export interface Parts extends ExecutorParts {
  readonly readers: ReaderPool | null;
  readonly imports: ImportWriter | null;
  readonly logKeeper: LogKeeper | null;
  readonly logMover: LogMover | null;
  /** The events that were written last; null where nobody makes entries of them, or a thread reads them for that. */
  readonly freshEvents: FreshEvents | null;
}

/** What is asked of a store that matters here. */
export interface PartsOptions {
  readonly readers?: ReaderLimits | undefined;
  readonly scans?: ScanLimits | undefined;
  readonly audit?: AuditChain | undefined;
}

/** How writes are committed. */
export interface Committing {
  /** Milliseconds after which a write gives up waiting for another process. */
  readonly busyTimeout: number;
  readonly holders: LockHolders;
  readonly onCommit: CommitListener;
}

/** A file whose writer is open. */
export interface OpenFile {
  readonly path: string;
  readonly writer: SqliteConnection;
  readonly committing: Committing;
}

/** A file is read, and rows are staged, beside a write that is under way. */
export function partsOfFile({ path, writer, committing }: OpenFile, options: PartsOptions): Parts {
  const { busyTimeout, holders } = committing;
  const { audit } = options;
  const freshEvents = audit?.elsewhere === null ? new FreshEvents() : null;
  const reader = new SqliteConnection(path, { lockWait: busyTimeout });
  const flush = commitFlushOf({ path, writer, reader });
  const queue = new CommitQueue(writer, { ...committing, pauses: true, flush, freshEvents });
  const logMover = new LogMover({ path, alone: (work) => queue.alone(work) });
  const readers = new ReaderPool({ path, lockWait: busyTimeout }, readerLimits(options));
  return {
    reader,
    writer,
    queue,
    flush,
    readers,
    imports: new ImportWriter({ path, busyTimeout }, { mover: logMover, holders, flush }),
    logKeeper: new LogKeeper({
      path,
      holders,
      readers: { holdBack: (work) => logMover.apart(() => readers.holdBack(work)) },
    }),
    logMover,
    freshEvents,
    openSnapshot: (signal) => readers.open(signal),
    openStage: (signal) => openThreadStage({ path, busyTimeout, holders, queue, logMover, signal }),
  };
}

/** A database in memory belongs to its connection. */
export function partsInMemory(
  database: SqliteConnection,
  committing: Committing,
  { audit }: PartsOptions,
): Parts {
  const freshEvents = audit === undefined ? null : new FreshEvents();
  const states = new MemoryStates(database);
  const queue = new CommitQueue(database, {
    ...committing,
    pauses: false,
    freshEvents,
    beforeWrite: () => states.keep(),
  });
  return {
    reader: database,
    writer: database,
    queue,
    flush: null,
    readers: null,
    imports: null,
    logKeeper: null,
    logMover: null,
    freshEvents,
    openSnapshot: async (signal) => states.open(signal),
    openStage: async () => sharedStage((makeSteps) => queue.submit(makeSteps)),
  };
}

/** Threads for long answers, beside those that scans may take. */
export const ANSWERING_THREADS = 6;

function readerLimits({ readers, scans }: PartsOptions): PoolLimits {
  return { most: ANSWERING_THREADS + (scans?.atOnce ?? DEFAULT_AT_ONCE), ...readers };
}

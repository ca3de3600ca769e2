/**
 * Opens a store on an SQLite file.
 * @module
 */
import type { AuditChain } from "@scim/events";
import { createAuditStore } from "../audit/audit-store.ts";
import { checkDatabase } from "../check.ts";
import { lackOf } from "../missing-tables.ts";
import type { Migration } from "../migrations.ts";
import { over } from "../copy/databases.ts";
import { createDerivedRows } from "../derived/derived-rows.ts";
import { createErasureStore } from "../erasure/erasure-store.ts";
import { createEventFeed } from "../events/event-feed.ts";
import { countWaitingEvents } from "../events/waiting-events.ts";
import { type ScanLimits, ScanTurns } from "../query/scan-turns.ts";
import { CommitListeners } from "../load.ts";
import { IndexKeeper, type IndexKeeping } from "../indexes/keeper.ts";
import { countHeldChanges } from "../guard/count-held.ts";
import { createGuardStore } from "../guard/guard-store.ts";
import { createRequestLogStore } from "../requests/request-log-store.ts";
import { countBacklogs } from "../receivers/backlogs.ts";
import { createReceiverStore } from "../receivers/receiver-store.ts";
import { createSigningKeyStore } from "../receivers/signing-key-store.ts";
import { LongAnswerTurns } from "../resources/long-answer-turns.ts";
import { watchWrites } from "../refused-writes.ts";
import { createResourceStore } from "../resources/resource-store.ts";
import { createSecretStore } from "../secrets/secret-store.ts";
import type { Store } from "../store.ts";
import { createAdminTrail } from "../tenancy/admin-acts.ts";
import { createAdminStore } from "../tenancy/admin-store.ts";
import { createClientStore } from "../tenancy/client-store.ts";
import { createConnectionStore } from "../tenancy/connection-store.ts";
import { createDocumentStore } from "../tenancy/document-store.ts";
import { createTenantStore } from "../tenancy/tenant-store.ts";
import { createTokenStore } from "../tenancy/token-store.ts";
import { SqliteConnection } from "./connection.ts";
import { sqliteDialect } from "./dialect.ts";
import { LockHolders } from "./lock-holders.ts";
import { entryMakerFor } from "./entry-maker.ts";
import { createExecutor } from "./executor.ts";
import { isRefusal } from "./failures.ts";
import { migrate, type MigrationTarget, refusePending } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { prepareFile } from "./prepare-file.ts";
import { fileProbe } from "./probe-file.ts";
import type { ReaderLimits } from "./reader-pool.ts";
import { ANSWERING_THREADS, partsInMemory, partsOfFile } from "./store-parts.ts";

/** Where a store is, and how it behaves. */
export interface SqliteStoreOptions {
  /** Path of the database file, made with its folder where it does not exist; or `:memory:`. */
  readonly path: string;
  /**
   * Milliseconds that opening and each write wait for a lock that another process holds. Default 5000
   * (5 seconds).
   */
  readonly busyTimeout?: number;
  /** Schema to bring the database to. Default: that of this package. */
  readonly migrations?: readonly Migration[];
  /** How many threads read beside the requests, and for how long they are kept. A thread starts when it is needed. */
  readonly readers?: ReaderLimits;
  /** How many queries may go through resources at once, and how many may wait for that. */
  readonly scans?: ScanLimits;
  /**
   * Makes the audit entries of events, in the transaction that gives them positions. Default: none are made. Every
   * process that gives positions should have the same.
   */
  readonly audit?: AuditChain | undefined;
  /** How indexes are built in the background. */
  readonly indexes?: IndexKeeping;
  /** `apply` (default): what the database lacks is applied. `refuse`: a database that lacks some is not opened. */
  readonly pending?: PendingMode;
}

/** What opening does about migrations that a database lacks. */
export type PendingMode = "apply" | "refuse";

const MEMORY = ":memory:";
const DEFAULT_BUSY_TIMEOUT = 5000;

/** Milliseconds that a statement waits for a lock with the thread held; beyond that the queue waits. */
const LOCK_WAIT = 5;

/**
 * Opens a store, and brings its schema up to date.
 *
 * @example
 * const store = await openSqliteStore({ path: "./data/scim.db" });
 * @throws StoreError see `StoreErrorCode`
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { path, busyTimeout = DEFAULT_BUSY_TIMEOUT, pending = "apply" } = options;
  const target = { path, migrations: options.migrations ?? readMigrations() };
  if (path !== MEMORY) {
    const prepare = pending === "apply" ? migrate : refusePending;
    await prepareFile(path, busyTimeout, (connection) => prepare(connection, target));
  }
  const store = openMigrated(target, { ...options, busyTimeout });
  try {
    // The first requests know the indexes.
    await store.indexes.refresh();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

function openMigrated({ path, migrations }: MigrationTarget, options: SqliteStoreOptions): Store {
  const { busyTimeout = DEFAULT_BUSY_TIMEOUT, audit = null } = options;
  const writer = new SqliteConnection(path, { lockWait: LOCK_WAIT, openingWait: busyTimeout });
  if (path === MEMORY) migrate(writer, { path, migrations });
  const holders = new LockHolders();
  const commits = new CommitListeners();
  const committing = { busyTimeout, holders, onCommit: commits.tell };
  const parts =
    path === MEMORY
      ? partsInMemory(writer, committing, options)
      : partsOfFile({ path, writer, committing }, options);
  const { reader, queue, readers, imports, logKeeper, logMover, freshEvents } = parts;
  if (logMover !== null) commits.add(() => logMover.wrote(writer.takeChanged()));
  const writes = watchWrites(createExecutor(parts), isRefusal);
  const { executor } = writes;
  const entries = path === MEMORY ? null : entryMakerFor(audit, { path, lockWait: busyTimeout, executor });
  const isWriting = (): boolean => writer.inTransaction || holders.isHeld;
  const probe = path === MEMORY ? null : fileProbe({ path, isWriting });
  const turns = new ScanTurns(options.scans);
  const indexes = new IndexKeeper({ ...options.indexes, executor, dialect: sqliteDialect });
  const receivers = createReceiverStore(executor, sqliteDialect);
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    await Promise.all([indexes.stop(), queue.close(), entries?.close()]);
    await Promise.all([readers?.close(), imports?.close(), logKeeper?.close()]);
    await logMover?.close();
    if (reader !== writer) reader.close();
    writer.close();
  }

  return over(
    { executor, dialect: sqliteDialect },
    {
      resources: createResourceStore(
        {
          executor,
          dialect: sqliteDialect,
          indexes,
          turns,
          answers: new LongAnswerTurns(ANSWERING_THREADS),
          writeBulk: imports ?? undefined,
        },
        options.scans,
      ),
      indexes,
      derived: createDerivedRows({ executor, dialect: sqliteDialect }),
      secrets: createSecretStore(executor),
      tokens: createTokenStore(executor, sqliteDialect),
      clients: createClientStore(executor, sqliteDialect),
      admins: createAdminStore(executor, sqliteDialect),
      tenants: createTenantStore(executor, sqliteDialect),
      documents: createDocumentStore(executor, sqliteDialect),
      connections: createConnectionStore(executor, sqliteDialect),
      trail: createAdminTrail(executor),
      events: createEventFeed({
        executor,
        dialect: sqliteDialect,
        audit,
        freshEvents,
        beside: entries ?? undefined,
      }),
      audit: createAuditStore({ executor, dialect: sqliteDialect, audit }),
      erasures: createErasureStore({
        executor,
        dialect: sqliteDialect,
        ...(logKeeper === null ? {} : { scrub: () => logKeeper.empty() }),
      }),
      requests: createRequestLogStore(executor, sqliteDialect),
      guard: createGuardStore(executor, sqliteDialect),
      receivers,
      signingKeys: createSigningKeyStore(executor, sqliteDialect),
      waitingEvents: () => countWaitingEvents(executor),
      heldChanges: () => countHeldChanges(executor),
      backlogs: () => countBacklogs(executor, receivers),
      load: () => ({ scans: turns.load, waiting: queue.waiting, sessions: null }),
      onCommit: (listener) => commits.add(listener),
      check: async () => {
        await probe?.();
        await checkDatabase({ executor, dialect: sqliteDialect, tellLack: lackOf }, migrations);
        await writes.check();
      },
      tryWrite: () => writes.tryWrite(),
      close: () => (closing ??= close()),
    },
  );
}

/**
 * Opens a store on an SQLite file.
 * @module
 */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { StoreError } from "../errors.ts";
import { createEventFeed } from "../events/event-feed.ts";
import { createResourceStore } from "../resources/resource-store.ts";
import type { Store } from "../store.ts";
import { createTokenStore } from "../tokens/token-store.ts";
import { CommitQueue } from "./commit-queue.ts";
import { isBusy, SqliteConnection } from "./connection.ts";
import { sqliteDialect } from "./dialect.ts";
import { createExecutor } from "./executor.ts";
import { migrate } from "./migrate.ts";
import type { Migration } from "../migrations.ts";
import { readMigrations } from "./migrations.ts";
import { unavailable } from "../unavailable.ts";

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
}

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
  const { path, busyTimeout = DEFAULT_BUSY_TIMEOUT } = options;
  const migrations = options.migrations ?? readMigrations();
  if (path !== MEMORY) createFile(path);
  await prepare(path, { migrations, busyTimeout });
  return openMigrated(path, { migrations, busyTimeout });
}

interface Preparation {
  readonly migrations: readonly Migration[];
  readonly busyTimeout: number;
}

/** Only the owner may read a new file: it holds personal data. SQLite gives its side files the same mode. */
function createFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new StoreError("databaseUnusable", `The database file ${path} cannot be opened for writing`, error);
  }
}

/** Sets the journal and the schema of a file, while other processes may be doing the same. */
async function prepare(path: string, { migrations, busyTimeout }: Preparation): Promise<void> {
  if (path === MEMORY) return;
  const deadline = performance.now() + busyTimeout;
  for (;;) {
    try {
      prepareOnce(path, { migrations, busyTimeout });
      return;
    } catch (error) {
      // Some locks of switching the journal are refused without waiting.
      if (!isBusy(error) || performance.now() > deadline) throw usable(path, error);
    }
    await delay(LOCK_WAIT);
  }
}

function prepareOnce(path: string, { migrations, busyTimeout }: Preparation): void {
  const connection = new SqliteConnection(path, { lockWait: busyTimeout });
  try {
    connection.exec("PRAGMA journal_mode = WAL");
    migrate(connection, { path, migrations });
  } finally {
    connection.close();
  }
}

function usable(path: string, error: unknown): unknown {
  if (error instanceof StoreError) return error;
  return new StoreError("databaseUnusable", `The database ${path} cannot be opened, locked or read`, error);
}

function openMigrated(path: string, { migrations, busyTimeout }: Preparation): Store {
  const writer = new SqliteConnection(path, { lockWait: LOCK_WAIT });
  if (path === MEMORY) migrate(writer, { path, migrations });
  // A database in memory belongs to its connection; a file is read beside a write that is under way.
  const reader = path === MEMORY ? writer : new SqliteConnection(path, { lockWait: busyTimeout });
  const queue = new CommitQueue(writer, { busyTimeout, pauses: reader !== writer });
  const executor = createExecutor(reader, queue);
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    await queue.close();
    if (reader !== writer) reader.close();
    writer.close();
  }

  return {
    resources: createResourceStore(executor, sqliteDialect),
    tokens: createTokenStore(executor, sqliteDialect),
    events: createEventFeed({ executor, dialect: sqliteDialect }),
    check: async () => {
      try {
        reader.run({ text: "SELECT 1 FROM tenants LIMIT 1", params: [] });
      } catch (error) {
        throw unavailable("The database does not answer.", error);
      }
    },
    close: () => (closing ??= close()),
  };
}

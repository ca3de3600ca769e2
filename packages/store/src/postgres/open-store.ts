/**
 * Opens a store on a PostgreSQL database.
 * @module
 */
import type { AuditChain } from "@scim/events";
import { createAuditStore } from "../audit/audit-store.ts";
import { checkDatabase, checkWritable } from "../check.ts";
import { lackOrRightOf } from "../missing-tables.ts";
import { over } from "../copy/databases.ts";
import { createDerivedRows } from "../derived/derived-rows.ts";
import { createErasureStore } from "../erasure/erasure-store.ts";
import { createEventFeed } from "../events/event-feed.ts";
import { FreshEvents } from "../events/fresh-events.ts";
import { countWaitingEvents } from "../events/waiting-events.ts";
import { IndexKeeper, type IndexKeeping } from "../indexes/keeper.ts";
import type { Migration } from "../migrations.ts";
import { DEFAULT_AT_ONCE, type ScanLimits, ScanTurns } from "../query/scan-turns.ts";
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
import { postgresDialect } from "./dialect.ts";
import { createExecutor } from "./executor.ts";
import { isRefusal } from "./failures.ts";
import { migratePostgres, refusePending } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { SessionAge } from "./session-age.ts";
import { SessionPool } from "./session-pool.ts";
import { SnapshotPool } from "./snapshot.ts";
import { StatementNames } from "./statement-names.ts";

/** Where a store is, and how it behaves. */
export interface PostgresStoreOptions {
  /**
   * Address of the database: `postgres://user:password@host:5432/name`. It may lead to PgBouncer in transaction
   * mode; parameters such as `sslmode` are those of the driver `pg`.
   */
  readonly url: string;
  /** Most connections for requests. Default 10. */
  readonly poolSize?: number;
  /**
   * Most reads that take long, each with a connection beside those: scans, and answers that are sent in parts, which have
   * what scans may not take, and one at least. Default 6.
   */
  readonly longReads?: number;
  /** Milliseconds that a request waits for a connection. Default 5000 (5 seconds). */
  readonly acquireTimeout?: number;
  /** Milliseconds after which what was sent to the server is cancelled. Default 30,000 (30 seconds). */
  readonly statementTimeout?: number;
  /**
   * Milliseconds within which a write that a deadlock, a serialisation failure or a broken connection ended is tried
   * again. Default 5000 (5 seconds).
   */
  readonly retryTimeout?: number;
  /**
   * Whether statements are prepared under names, which saves the server work. Only where each connection leads to
   * one session, or where the pooler keeps names (PgBouncer 1.21 with `max_prepared_statements`); where it turns out not
   * to, names are given up. Default false.
   */
  readonly preparedStatements?: boolean;
  /** Told where names of prepared statements turned out not to be kept, and were given up. */
  readonly onUnkeptNames?: (() => void) | undefined;
  /** Schema that the database must have. Default: that of this package. */
  readonly migrations?: readonly Migration[];
  /** How many queries may go through resources at once, and how many may wait for that. */
  readonly scans?: ScanLimits;
  /**
   * Makes the audit entries of events, in the transaction that gives them positions. Default: none are made. Every
   * process that gives positions should have the same.
   */
  readonly audit?: AuditChain | undefined;
  /** How indexes are built in the background. */
  readonly indexes?: IndexKeeping;
  /** `apply`: what the database lacks is applied. `refuse` (default): a database that lacks some is not opened. */
  readonly pending?: "apply" | "refuse";
}

const DEFAULTS = {
  poolSize: 10,
  longReads: 6,
  acquireTimeout: 5000,
  statementTimeout: 30_000,
  retryTimeout: 5000,
  preparedStatements: false,
} as const;

/**
 * Opens a store.
 *
 * @example
 * const store = await openPostgresStore({ url: "postgres://scim@db.example/scim" });
 * @throws StoreError see `StoreErrorCode`
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const target = { url: options.url, migrations: options.migrations ?? readMigrations() };
  if (options.pending === "apply") await migratePostgres(target);
  else await refusePending(target);
  const store = openMigrated(target.migrations, options);
  try {
    // The first requests know the indexes.
    await store.indexes.refresh();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

function openMigrated(migrations: readonly Migration[], options: PostgresStoreOptions): Store {
  const { poolSize, longReads, retryTimeout, ...others } = { ...DEFAULTS, ...given(options) };
  const names = new StatementNames(others.preparedStatements, options.onUnkeptNames);
  const connections = { ...others, names, age: new SessionAge(), url: options.url };
  const pool = new SessionPool({ ...connections, size: poolSize });
  const snapshots = new SnapshotPool(new SessionPool({ ...connections, size: longReads }), longReads, pool);
  const { audit = null } = options;
  const freshEvents = audit === null ? null : new FreshEvents();
  const writes = watchWrites(createExecutor({ pool, snapshots, retryTimeout, freshEvents }), isRefusal);
  const { executor } = writes;
  const dialect = postgresDialect;
  const turns = new ScanTurns(options.scans);
  const answers = new LongAnswerTurns(longReads - (options.scans?.atOnce ?? DEFAULT_AT_ONCE));
  const indexes = new IndexKeeper({ ...options.indexes, executor, dialect });
  const receivers = createReceiverStore(executor, dialect);
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    await Promise.all([indexes.stop(), pool.close(), snapshots.close()]);
  }

  return over(
    { executor, dialect },
    {
      resources: createResourceStore({ executor, dialect, indexes, turns, answers }, options.scans),
      indexes,
      derived: createDerivedRows({ executor, dialect }),
      secrets: createSecretStore(executor),
      tokens: createTokenStore(executor, dialect),
      clients: createClientStore(executor, dialect),
      admins: createAdminStore(executor, dialect),
      tenants: createTenantStore(executor, dialect),
      documents: createDocumentStore(executor, dialect),
      connections: createConnectionStore(executor, dialect),
      trail: createAdminTrail(executor),
      events: createEventFeed({ executor, dialect, audit, freshEvents }),
      audit: createAuditStore({ executor, dialect, audit }),
      erasures: createErasureStore({ executor, dialect }),
      requests: createRequestLogStore(executor, dialect),
      guard: createGuardStore(executor, postgresDialect),
      receivers,
      signingKeys: createSigningKeyStore(executor, postgresDialect),
      waitingEvents: () => countWaitingEvents(executor),
      heldChanges: () => countHeldChanges(executor),
      backlogs: () => countBacklogs(executor, receivers),
      load: () => {
        const { waiting, ...sessions } = pool.load;
        return { scans: turns.load, waiting, sessions };
      },
      // Each write has a transaction of its own.
      onCommit: () => () => undefined,
      check: async () => {
        await checkDatabase({ executor, dialect, tellLack: lackOrRightOf }, migrations);
        await checkWritable(executor);
        await writes.check();
      },
      tryWrite: () => writes.tryWrite(),
      close: () => (closing ??= close()),
    },
  );
}

/** The options that are given: one that is said to be undefined has its default. */
function given(options: PostgresStoreOptions): Partial<PostgresStoreOptions> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/**
 * Brings a database to the schema of this program, in one transaction under a lock that lasts as long as it does:
 * of several processes that migrate at once, the first applies, and the others find it done.
 * @module
 */
import pg from "pg";
import { StoreError } from "../errors.ts";
import { type LockPatience, withBriefLocks } from "./brief-locks.ts";
import { alreadyMade, lackingMigrations, type Migration } from "../migrations.ts";
import { settleLayout } from "./find-layout.ts";
import { readLedger } from "./ledger.ts";
import { locksFor, queriesOf, type TableLayout } from "./layout.ts";
import { readMigrations } from "./migrations.ts";
import { requireUnicode } from "./require-unicode.ts";
import { BEGIN_WRITE, BOUND_PAUSES } from "./statements.ts";
import { PATIENCE, wireOf } from "./wire.ts";

/** What a database is brought to. */
export interface MigrationTarget extends LockPatience {
  /** Address of the database: `postgres://…`. */
  readonly url: string;
  /** Default: those of this package. */
  readonly migrations?: readonly Migration[];
  /** How a new database is laid out; an older one keeps its layout. Default: whole tables. */
  readonly layout?: TableLayout;
}

const LEDGER = `CREATE TABLE IF NOT EXISTS migrations (
  number        integer NOT NULL PRIMARY KEY,
  name          text NOT NULL,
  checksum      text NOT NULL,
  oldest_writer integer NOT NULL,
  applied       timestamptz NOT NULL DEFAULT now()
)`;

/** Any number that other programs are not likely to lock; the schema tells several services of one database apart. */
const LOCK = "SELECT pg_advisory_xact_lock(1935829357, hashtext(current_schema()))";

/**
 * A role or a database may end what takes long, which is meant for requests: a large table takes long to change. Which of these
 * settings there are depends on the release of PostgreSQL.
 */
const UNHURRIED = `SELECT set_config(name, '0', true) FROM pg_settings
  WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout')`;

/**
 * Applies the migrations that a database lacks, all or none, and resolves to them.
 *
 * @example
 * await migratePostgres({ url: "postgres://scim@db.example/scim" });
 * @throws StoreError `migrationChanged`, `databaseTooNew`, `databaseUnusable`
 */
export function migratePostgres(target: MigrationTarget): Promise<readonly Migration[]> {
  const migrations = target.migrations ?? readMigrations();
  return withClient(target.url, async (client) => {
    // Where nothing is to be done, nothing is locked, and a role that may not create tables does.
    if ((await pending(client, migrations)).length === 0) {
      if (target.layout !== undefined) await settleLayout(client, target.layout);
      return [];
    }
    return withBriefLocks(client, target, async (brief) => {
      // Whoever waits for the lock sees what was applied meanwhile.
      await client.query(BEGIN_WRITE.text);
      await client.query(UNHURRIED);
      await client.query(BOUND_PAUSES.text);
      await client.query(LOCK);
      await brief();
      await client.query(LEDGER);
      const layout = await settleLayout(client, target.layout ?? null);
      const lacking = await pending(client, migrations);
      if (lacking.length === migrations.length) await requireUnicode(client);
      for (const migration of lacking) {
        for (const query of queriesOf(migration.text, layout))
          await apply(client, query, { migration, layout });
        await client.query({
          text: "INSERT INTO migrations (number, name, checksum, oldest_writer) VALUES ($1, $2, $3, $4)",
          values: [migration.number, migration.name, migration.checksum, migration.oldestWriter],
        });
      }
      await client.query("COMMIT");
      return lacking;
    });
  });
}

/** What PostgreSQL answers where a table, column or other object is there already. */
const MADE_ALREADY: ReadonlySet<unknown> = new Set(["42P07", "42701", "42710"]);

/** What PostgreSQL answers where there is no room for more locks. */
const OUT_OF_MEMORY = "53200";

/** What is applied, and to which layout. */
interface Applied {
  readonly migration: Migration;
  readonly layout: TableLayout;
}

async function apply(
  client: pg.Client,
  query: Parameters<pg.Client["query"]>[0],
  { migration, layout }: Applied,
): Promise<void> {
  try {
    await client.query(query);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (MADE_ALREADY.has(error.code)) throw alreadyMade(migration, error);
    throw error.code === OUT_OF_MEMORY && layout.kind === "partitions" ? tooManyLocks(layout, error) : error;
  }
}

function tooManyLocks({ count }: Extract<TableLayout, { kind: "partitions" }>, cause: Error): StoreError {
  return new StoreError(
    "databaseUnusable",
    `PostgreSQL has no room for the locks that tables in ${count} partitions take: raise its max_locks_per_transaction to ${locksFor(count)} or more, which is enough where max_connections is 100, and start it anew, or choose fewer partitions. Nothing was changed`,
    cause,
  );
}

/**
 * The migrations that a database lacks, in order; it changes nothing.
 * @throws StoreError `migrationChanged`, `databaseTooNew`, `databaseUnusable`
 */
export function pendingMigrations({
  url,
  migrations = readMigrations(),
}: MigrationTarget): Promise<readonly Migration[]> {
  return withClient(url, (client) => pending(client, migrations));
}

/**
 * Makes sure that a database lacks no migration; it changes nothing.
 * @throws StoreError `migrationPending`, `migrationChanged`, `databaseTooNew`, `databaseUnusable`
 */
export async function refusePending(target: MigrationTarget): Promise<void> {
  const names = (await pendingMigrations(target)).map(({ name }) => name);
  if (names.length === 0) return;
  throw new StoreError(
    "migrationPending",
    `The database ${nameOf(target.url)} lacks ${names.join(", ")}; bring its schema up to date with: scim migrate`,
  );
}

/** Runs work on a connection of its own. What it leaves open is taken back when the connection ends. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  requireAddress(url);
  let client: pg.Client | null = null;
  try {
    client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE,
    });
    client.on("error", () => undefined);
    await client.connect();
    return await work(client);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      "databaseUnusable",
      `The database ${nameOf(url)} cannot be used: ${messageOf(error)}`,
      error,
    );
  } finally {
    if (client !== null) await ended(client);
  }
}

/** A server, or what stands before it, may never close a connection that was ended. */
async function ended(client: pg.Client): Promise<void> {
  const giveUp = setTimeout(() => wireOf(client).connection.stream.destroy(), PATIENCE);
  await client.end().catch(() => undefined);
  clearTimeout(giveUp);
}

/** What the driver reads as an address: a URL, or the folder of a socket. Of one without `//` it reads no host. */
const ADDRESS = /^(?:postgres(?:ql)?:\/\/|socket:|\/)/;

/**
 * Without an address, as of a setting that is not there, the driver would take what database there is on this machine.
 * The text is not repeated: it may hold a password.
 */
function requireAddress(url: unknown): void {
  if (typeof url === "string" && ADDRESS.test(url)) return;
  throw new StoreError(
    "databaseUnusable",
    "The 'url' of a database is an address such as postgres://user:password@host:port/database.",
  );
}

/** Milliseconds that a server has to take a connection. */
const CONNECT_TIMEOUT = 10_000;

/** Milliseconds of silence after which the system asks whether the server is still there: a statement may take as long as it likes. */
const KEEP_ALIVE = 10_000;

/** The migrations that a database lacks, in order. */
export async function pending(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  return lackingMigrations(await readLedger(client), migrations);
}

/** A database without its password: one that holds a `/` as it is stands where the name of the database does. */
function nameOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return pathname.includes("@") ? "of this address" : `${host}${pathname}`;
  } catch {
    return "of this address";
  }
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

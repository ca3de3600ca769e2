/**
 * The databases that a store runs on, each with how a test opens a new and empty one. What is said of stores is
 * tested on all of them, by the same tests.
 * @module
 */
import { dropDatabase, newDatabase } from "@scim/fixtures/postgres";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import {
  migratePostgres,
  openPostgresStore,
  type PostgresStoreOptions,
  type TableLayout,
} from "../../src/postgres/index.ts";
import type { Store } from "../../src/store.ts";
import { open } from "./folders.ts";
import { type Lifetime, ofTest } from "./lifetimes.ts";
import { PATIENT } from "./open-address.ts";

/** Indexes are built in the background where a test asks for it. */
const BY_HAND = { interval: 3_600_000 };

/** The databases by name, and how to open an empty store that is closed when the test ends: for `describe.each`. */
export const ENGINES: readonly (readonly [string, () => Promise<Store>])[] = [
  ["SQLite", () => open(":memory:", { indexes: BY_HAND })],
  ["PostgreSQL", () => openPostgres({ indexes: BY_HAND })],
];

const WHOLE: TableLayout = { kind: "whole" };

/** A database with the present schema, and a connection beside the stores on it. */
interface MigratedDatabase {
  readonly url: string;
  readonly client: pg.Client;
}

/** Databases that no test uses, all without rows, by their layout. */
const free = new Map<string, MigratedDatabase[]>();

/** Opens an empty store on PostgreSQL, which is closed when the test ends, or with the lifetime that is given. */
export async function openPostgres(
  options: Partial<PostgresStoreOptions> = {},
  lifetime?: Lifetime,
): Promise<Store> {
  const url = await emptyDatabase(undefined, lifetime);
  return openPostgresAt(url, options, lifetime);
}

/** Opens a store on a database of PostgreSQL, and closes it when the test ends, or with the lifetime that is given. */
export async function openPostgresAt(
  url: string,
  options: Partial<PostgresStoreOptions> = {},
  lifetime: Lifetime = ofTest,
): Promise<Store> {
  const store = await openPostgresStore({ poolSize: 2, ...PATIENT, ...options, url });
  lifetime(() => store.close());
  return store;
}

/**
 * The address of a database with the present schema and no rows, which is given back when the test ends, or with the
 * lifetime that is given.
 */
export async function emptyDatabase(layout?: TableLayout, lifetime: Lifetime = ofTest): Promise<string> {
  const { url, giveBack } = await lendDatabase(layout);
  lifetime(giveBack);
  return url;
}

/** A database that is lent, for tests that share one. */
export interface LentDatabase {
  readonly url: string;
  readonly giveBack: () => Promise<void>;
}

/** Lends a database with the present schema and no rows. */
export async function lendDatabase(layout: TableLayout = WHOLE): Promise<LentDatabase> {
  const alike = free.get(JSON.stringify(layout)) ?? [];
  free.set(JSON.stringify(layout), alike);
  const database = alike.pop() ?? (await migratedDatabase(layout));
  const giveBack = async (): Promise<void> => {
    await clear(database.client);
    alike.push(database);
  };
  return { url: database.url, giveBack };
}

/** A store that is open, and a connection beside it. */
interface OpenStore {
  readonly store: Store;
  readonly client: pg.Client;
}

/** Open stores that no test uses, all without rows, by their options and layout. */
const freeStores = new Map<string, OpenStore[]>();

/** Opens a store on PostgreSQL as tests share it one after another: told by values alone. */
export interface SharedStore {
  readonly options?: Pick<PostgresStoreOptions, "scans" | "preparedStatements">;
  readonly layout?: TableLayout;
  /** Statements that make the catalog of indexes, always the same: a store keeps it in mind. Default: there are none. */
  readonly catalog?: readonly string[];
}

/**
 * Lends an open store without rows until the test ends, or with the lifetime that is given: sessions that know the tables
 * are far cheaper than new ones. For tests that declare no indexes of their own.
 */
export async function lendStore(
  { options = {}, layout = WHOLE, catalog = [] }: SharedStore,
  lifetime: Lifetime = ofTest,
): Promise<Store> {
  const key = JSON.stringify([options, layout, catalog]);
  const alike = freeStores.get(key) ?? [];
  freeStores.set(key, alike);
  const lent = alike.pop() ?? (await openShared(options, layout));
  lifetime(async () => {
    await clear(lent.client);
    alike.push(lent);
  });
  for (const statement of catalog) await lent.client.query(statement);
  await lent.store.indexes.refresh();
  return lent.store;
}

async function openShared(options: Partial<PostgresStoreOptions>, layout: TableLayout): Promise<OpenStore> {
  const { url, client } = await migratedDatabase(layout);
  // The server stops behind the last test.
  const store = await openPostgresAt(url, options, () => undefined);
  return { store, client };
}

/** The address of a database without any schema, which is dropped when the test ends. */
export async function bareDatabase(): Promise<string> {
  const url = await newDatabase(inject("postgresUrl"));
  onTestFinished(() => dropDatabase(url));
  return url;
}

async function migratedDatabase(layout: TableLayout): Promise<MigratedDatabase> {
  const url = await newDatabase(inject("postgresUrl"));
  await migratePostgres({ url, layout });
  const client = new pg.Client({ connectionString: url });
  // The server stops behind the last test.
  client.on("error", () => undefined);
  await client.connect();
  return { url, client };
}

/** Tables that the first migration puts a row of the tenant `default` in. */
const STARTED: ReadonlySet<string> = new Set(["tenants", "connections"]);

/** Takes every row away: where there are few, far faster than truncating. */
async function clear(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const names = rows.map(({ name }) => name).filter((name) => name !== "migrations");
  const deletions = names.map(
    (name) => `DELETE FROM "${name}"${STARTED.has(name) ? " WHERE tenant <> 'default'" : ""}`,
  );
  await client.query(deletions.join(";"));
}

/**
 * New databases for measurements, on each engine: a store, and the bare driver beside it.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AuditChain } from "@scim/events";
import { newDatabase, startPostgres } from "@scim/fixtures/postgres";
import { openPostgresStore } from "@scim/store/postgres";
import { openSqliteStore, type Store } from "@scim/store/sqlite";
import { Client } from "pg";

/** A row by column name. */
export type RawRow = Readonly<Record<string, unknown>>;

/** A database as its own driver shows it. */
export interface RawDatabase {
  query(text: string): Promise<readonly RawRow[]>;
  run(text: string): Promise<void>;
  /** The expression of a comparison key that is a text, and the text of a key. */
  key(text: string): string;
  keyText(key: unknown): string;
  /** Indexes of a table that are no constraint: how each is dropped, and made. */
  indexes(table: string): Promise<readonly { readonly drop: string; readonly make: string }[]>;
  /** Lets the planner know what is in the tables, where it asks for that. */
  analyze(): Promise<void>;
}

/** A database with nothing in it. */
export interface BenchDatabase {
  /** As a server is told it. */
  readonly url: string;
  readonly store: Store;
  readonly raw: RawDatabase;
  close(): Promise<void>;
}

/** Where measurements run. */
export interface Engine {
  readonly name: "SQLite" | "PostgreSQL";
  /** @param audit makes entries of the audit log of events that are given positions. Default: there is no audit log */
  open(audit?: AuditChain): Promise<BenchDatabase>;
}

/** SQLite on disk. */
export const SQLITE: Engine = { name: "SQLite", open: openSqlite };

/** PostgreSQL on this machine, whose commits wait for the disk. */
export const POSTGRES: Engine = { name: "PostgreSQL", open: openPostgres };

async function openSqlite(audit?: AuditChain): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "scim-queries-"));
  const path = join(folder, "scim.db");
  const store = await openSqliteStore({ path, audit });
  const database = new DatabaseSync(path);
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY");
  return {
    store,
    url: `sqlite:${path}`,
    raw: sqliteRaw(database),
    close: async () => {
      database.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function sqliteRaw(database: DatabaseSync): RawDatabase {
  return {
    query: async (text) => database.prepare(text).all(),
    run: async (text) => database.exec(text),
    key: (text) => text,
    keyText: String,
    indexes: async (table) =>
      database
        .prepare(
          "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
        )
        .all(table)
        .map(({ name, sql }) => ({ drop: `DROP INDEX ${String(name)}`, make: String(sql) })),
    analyze: async () => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"),
  };
}

async function openPostgres(audit?: AuditChain): Promise<BenchDatabase> {
  const server = await startPostgres({ durable: true });
  const url = await newDatabase(server.url);
  const store = await openPostgresStore({ url, pending: "apply", audit });
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    store,
    url,
    raw: postgresRaw(client),
    close: async () => {
      await client.end();
      await store.close();
      await server.stop();
    },
  };
}

function postgresRaw(client: Client): RawDatabase {
  const query = async (text: string): Promise<readonly RawRow[]> => (await client.query<RawRow>(text)).rows;
  return {
    query,
    run: async (text) => void (await client.query(text)),
    key: (text) => `convert_to(${text}, 'UTF8')`,
    keyText: (key) => (key instanceof Uint8Array ? Buffer.from(key).toString("utf8") : String(key)),
    indexes: async (table) =>
      (
        await query(`SELECT indexname, indexdef FROM pg_indexes WHERE tablename = '${table}'
          AND indexname NOT IN (SELECT conname FROM pg_constraint)`)
      ).map(({ indexname, indexdef }) => ({
        drop: `DROP INDEX ${String(indexname)}`,
        make: String(indexdef),
      })),
    analyze: () => client.query("VACUUM (ANALYZE)").then(() => undefined),
  };
}

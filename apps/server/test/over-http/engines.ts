/**
 * The databases that a server may run on, as one table: a test of several processes runs on each.
 * @module
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { dropDatabase, newDatabase, queryOnce } from "@scim/fixtures/postgres";
import { migratePostgres } from "@scim/store/postgres";
import { inject, onTestFinished } from "vitest";

/** A row by column name. */
export type TestRow = Readonly<Record<string, unknown>>;

/** A database of its own, which goes when the test ends. */
export interface TestDatabase {
  /** What a server is told. */
  readonly environment: Readonly<Record<string, string>>;
  /** Asks the database itself, beside all servers. */
  query(text: string): Promise<readonly TestRow[]>;
  /** Another database with what this one holds now, as a backup does; on PostgreSQL while no server runs on it. */
  copy(): Promise<TestDatabase>;
}

/** A kind of database. */
export interface Engine {
  readonly name: "SQLite" | "PostgreSQL";
  /** Makes one for what the present program does. On PostgreSQL it has its schema: to migrate each takes long. */
  readonly make: () => Promise<TestDatabase>;
  /** Makes one without any schema: for tests of migrations, and of older programs. */
  readonly makeBare: () => Promise<TestDatabase>;
}

/** The same to every process, as PostgreSQL demands. */
export const SECRET_KEYS = `1:${Buffer.alloc(32, 5).toString("base64url")}`;

/** That of files: for what no kind of database can change. */
export const SQLITE: Engine = {
  name: "SQLite",
  make: async () => sqliteDatabase(),
  makeBare: async () => sqliteDatabase(),
};

/** The engines, SQLite first. */
export const ENGINES: readonly Engine[] = [
  SQLITE,
  { name: "PostgreSQL", make: migratedDatabase, makeBare: async () => postgresDatabase() },
];

function sqliteDatabase(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), "scim-database-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "scim.db");
  const query = async (text: string): Promise<readonly TestRow[]> => {
    const database = new DatabaseSync(path);
    try {
      return database.prepare(text).all();
    } finally {
      database.close();
    }
  };
  return {
    environment: { SCIM_DATABASE_URL: `sqlite:${path}`, SCIM_SECRET_KEYS: SECRET_KEYS },
    query,
    copy: async () => {
      const other = sqliteDatabase();
      await query(`VACUUM INTO '${String(other.environment["SCIM_DATABASE_URL"]).slice("sqlite:".length)}'`);
      return other;
    },
  };
}

async function postgresDatabase(like?: string): Promise<TestDatabase> {
  return postgresAt(await newDatabase(inject("postgresUrl"), like));
}

/** Address of a database that has the present schema, of which those of tests are copies. No test uses it. */
let migrated: Promise<string> | null = null;

async function migratedDatabase(): Promise<TestDatabase> {
  migrated ??= migrateOne();
  return postgresDatabase(await migrated);
}

async function migrateOne(): Promise<string> {
  const url = await newDatabase(inject("postgresUrl"));
  await migratePostgres({ url });
  return url;
}

function postgresAt(url: string): TestDatabase {
  onTestFinished(() => dropDatabase(url));
  return {
    environment: {
      SCIM_DATABASE_URL: url,
      SCIM_SECRET_KEYS: SECRET_KEYS,
      SCIM_MIGRATIONS: "auto",
      SCIM_POSTGRES_POOL_SIZE: "5",
    },
    query: (text) => queryOnce(url, text),
    copy: async () => {
      const name = `scim_copy_${randomBytes(6).toString("hex")}`;
      await queryOnce(
        inject("postgresUrl"),
        `CREATE DATABASE ${name} TEMPLATE ${new URL(url).pathname.slice(1)}`,
      );
      return postgresAt(new URL(`/${name}`, url).href);
    },
  };
}

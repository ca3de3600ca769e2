/**
 * New databases that have their schema, each on one connection: for tests that ask both engines how something is done.
 * @module
 */
import type { Dialect } from "../../src/dialect.ts";
import { postgresDialect } from "../../src/postgres/dialect.ts";
import { sqliteDialect } from "../../src/sqlite/dialect.ts";
import { emptyDatabase } from "./engines.ts";
import { newFile, open } from "./folders.ts";
import { plainPostgres, plainSqlite, type PlainExecutor } from "./plain-executor.ts";

/** A database with its schema, on one connection. */
export interface PlainDatabase {
  readonly address: string;
  readonly executor: PlainExecutor;
  readonly dialect: Dialect;
}

/** By the name of the engine. */
export const PLAIN_DATABASES: readonly (readonly [string, () => Promise<PlainDatabase>])[] = [
  [
    "SQLite",
    async () => {
      const address = newFile();
      await (await open(address)).close();
      return { address, executor: plainSqlite(address), dialect: sqliteDialect };
    },
  ],
  [
    "PostgreSQL",
    async () => {
      const address = await emptyDatabase();
      return { address, executor: await plainPostgres(address), dialect: postgresDialect };
    },
  ],
];

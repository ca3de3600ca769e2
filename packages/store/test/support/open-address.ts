/**
 * Opens the database of an address, in a process that a test has started.
 * @module
 */
import { openPostgresStore, type PostgresStoreOptions } from "@scim/store/postgres";
import { openSqliteStore, type Store } from "@scim/store/sqlite";

/** How long stores of tests wait for PostgreSQL, in milliseconds: a slow machine is no failure. */
export const PATIENT: Pick<PostgresStoreOptions, "acquireTimeout" | "statementTimeout"> = {
  acquireTimeout: 60_000,
  statementTimeout: 240_000,
};

/** Opens a database that has its schema: an address of PostgreSQL, or the path of a file. */
export async function openAddress(address: string): Promise<Store> {
  if (address.startsWith("postgres:")) return openPostgresStore({ url: address, poolSize: 4, ...PATIENT });
  return openSqliteStore({ path: address, busyTimeout: 60_000 });
}

/**
 * Opens the database of an address, in a process that a test has started.
 * @module
 */
import { openPostgresStore } from "@scim/store/postgres";
import { openSqliteStore, type Store } from "@scim/store/sqlite";

/** Opens a database that has its schema: an address of PostgreSQL, or the path of a file. */
export async function openAddress(address: string): Promise<Store> {
  if (address.startsWith("postgres:"))
    return openPostgresStore({ url: address, poolSize: 4, acquireTimeout: 60_000 });
  return openSqliteStore({ path: address, busyTimeout: 60_000 });
}

/**
 * Opens the database of an address, in a process that a test has started.
 * @module
 */
import { openSqliteStore, type Store } from "@scim/store/sqlite";

/** Opens a database that has its schema: an address of PostgreSQL, or the path of a file. */
export async function openAddress(address: string): Promise<Store> {
  return openSqliteStore({ path: address, busyTimeout: 60_000 });
}

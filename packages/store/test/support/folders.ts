/**
 * Folders and stores that a test file opens, and that go when a test ends.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from "../../src/sqlite/index.ts";

const folders: string[] = [];
const stores: SqliteStore[] = [];

/** A new folder. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "scim-store-"));
  folders.push(folder);
  return folder;
}

/** The path of a database that does not exist yet. */
export function newFile(): string {
  return join(newFolder(), "scim.db");
}

/** Opens a store that is closed when the test ends. */
export async function open(path: string, options: Partial<SqliteStoreOptions> = {}): Promise<SqliteStore> {
  const store = await openSqliteStore({ ...options, path });
  stores.push(store);
  return store;
}

afterEach(async () => {
  await Promise.all(stores.splice(0).map(async (store) => store.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

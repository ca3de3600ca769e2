/**
 * Folders and stores that a test opens, and that go when it ends.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore, type SqliteStoreOptions, type Store } from "../../src/sqlite/index.ts";
import { type Lifetime, ofTest } from "./lifetimes.ts";

/** A new folder. */
export function newFolder(lifetime: Lifetime = ofTest): string {
  const folder = mkdtempSync(join(tmpdir(), "scim-store-"));
  lifetime(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The path of a database that does not exist yet. */
export function newFile(lifetime?: Lifetime): string {
  return join(newFolder(lifetime), "scim.db");
}

/** Opens a store that is closed when the test ends, or with the lifetime that is given. */
export async function open(
  path: string,
  options: Partial<SqliteStoreOptions> = {},
  lifetime: Lifetime = ofTest,
): Promise<Store> {
  const store = await openSqliteStore({ ...options, path });
  lifetime(() => store.close());
  return store;
}

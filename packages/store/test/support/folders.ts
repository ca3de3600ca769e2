/**
 * Folders and stores that a test opens, and that go when it ends.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openSqliteStore, type SqliteStoreOptions, type Store } from "../../src/sqlite/index.ts";

/** A new folder. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "scim-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The path of a database that does not exist yet. */
export function newFile(): string {
  return join(newFolder(), "scim.db");
}

/** Opens a store that is closed when the test ends. */
export async function open(path: string, options: Partial<SqliteStoreOptions> = {}): Promise<Store> {
  const store = await openSqliteStore({ ...options, path });
  onTestFinished(() => store.close());
  return store;
}

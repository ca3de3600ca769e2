/**
 * Folders and stores that a test opens, and that go when it ends.
 * @module
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll } from "vitest";
import { openSqliteStore, type SqliteStoreOptions, type Store } from "../../src/sqlite/index.ts";
import { type Lifetime, ofGroup, ofTest } from "./lifetimes.ts";

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

/**
 * Makes databases that have the present schema as copies of one, which takes a fifth of the time: for the tests of the
 * present group. Called while they are collected.
 */
export function migratedFiles(): (lifetime?: Lifetime) => string {
  const migrated = newFile(ofGroup());
  beforeAll(async () => {
    const store = await openSqliteStore({ path: migrated });
    await store.close();
  });
  return (lifetime) => {
    const path = newFile(lifetime);
    copyFileSync(migrated, path);
    return path;
  };
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

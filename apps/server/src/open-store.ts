/**
 * Opens what every command works on: the store and the keys.
 * @module
 */
import { createTokenHasher, type TokenHasher } from "@scim/core";
import { openSqliteStore, type SqliteStore } from "@scim/store/sqlite";
import { dataFolder, type DataFolder } from "./credentials/data-folder.ts";
import { CommandFailure, EXIT } from "./failure.ts";
import type { Settings } from "./settings/table.ts";
import { hmacSha256 } from "./sources.ts";

/** The store, and what tokens are hashed with. */
export interface OpenedStore {
  readonly store: SqliteStore;
  readonly hasher: TokenHasher;
  readonly folder: DataFolder;
}

/**
 * Opens the store that the settings name.
 * @throws CommandFailure saying why the database cannot be used
 */
export async function openStore(settings: Settings): Promise<OpenedStore> {
  const folder = dataFolder(settings);
  const hasher = createTokenHasher(settings.secretKeys ?? folder.keys(), hmacSha256);
  try {
    const store = await openSqliteStore({ path: settings.databaseUrl.path });
    return { store, hasher, folder };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.failed, `The database cannot be opened: ${reason}.`, cause);
  }
}

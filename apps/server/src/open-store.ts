/**
 * Opens what every command works on: the store and the keys.
 * @module
 */
import { createTokenHasher, type CursorSeal, type TokenHasher } from "@scim/core";
import { openSqliteStore, type Store } from "@scim/store/sqlite";
import { dataFolder, type DataFolder } from "./credentials/data-folder.ts";
import { createCursorSeal } from "./cursor-seal.ts";
import { CommandFailure, EXIT } from "./failure.ts";
import type { Settings } from "./settings/table.ts";
import { hmacSha256 } from "./sources.ts";

/** The store, what tokens are hashed with, and what makes cursors. */
export interface OpenedStore {
  readonly store: Store;
  readonly hasher: TokenHasher;
  readonly cursorSeal: CursorSeal;
  readonly folder: DataFolder;
}

/**
 * Opens the store that the settings name.
 * @throws CommandFailure saying why the database cannot be used
 */
export async function openStore(settings: Settings): Promise<OpenedStore> {
  const folder = dataFolder(settings);
  const keys = settings.secretKeys ?? folder.keys();
  const hasher = createTokenHasher(keys, hmacSha256);
  try {
    const store = await openSqliteStore({ path: settings.databaseUrl.path });
    return { store, hasher, cursorSeal: createCursorSeal(keys), folder };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.failed, `The database cannot be opened: ${reason}.`, cause);
  }
}

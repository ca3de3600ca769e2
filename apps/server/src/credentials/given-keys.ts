/**
 * The secret keys that are there for the database of some settings, without making any.
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SecretKey } from "@scim/tenancy";
import type { Settings } from "../settings/table.ts";
import { dataFolder } from "./data-folder.ts";

/** What tells where keys are. */
type KeySettings = Pick<Settings, "secretKeys" | "databaseUrl" | "dataDir">;

/** The file of keys in the data folder; null on PostgreSQL, where a setting has to give them. */
export function keysFile({ databaseUrl, dataDir }: Omit<KeySettings, "secretKeys">): string | null {
  return databaseUrl.kind === "sqlite" ? join(dataFolder(dataDir, databaseUrl.path).path, "keys.json") : null;
}

/**
 * The keys of the settings, or of the data folder; null where there are none. Nothing is made.
 * @throws CommandFailure where the file cannot be read
 */
export function givenKeys(settings: KeySettings): readonly SecretKey[] | null {
  const { secretKeys, databaseUrl, dataDir } = settings;
  if (secretKeys !== null || databaseUrl.kind !== "sqlite") return secretKeys;
  const file = keysFile(settings);
  return file !== null && existsSync(file) ? dataFolder(dataDir, databaseUrl.path).keys() : null;
}

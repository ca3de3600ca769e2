/**
 * Copies of a database that hold still what was erased.
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Settings } from "../settings/table.ts";

/** Copies that an upgrade made of the database. Other backups are where nobody here knows of them. */
export function copiesBeside({ databaseUrl }: Settings): readonly string[] {
  if (databaseUrl.kind !== "sqlite" || !existsSync(databaseUrl.path)) return [];
  const folder = dirname(databaseUrl.path);
  const beginning = `${basename(databaseUrl.path)}.before-`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(beginning))
    .map((name) => join(folder, name));
}

/**
 * The migrations of PostgreSQL.
 * @module
 */
import { type Migration, readMigrationFolder } from "../migrations.ts";

// The package ships its sources: the same address serves the sources and what is built from them.
const FOLDER = new URL("../../src/postgres/migrations/", import.meta.url);

/**
 * The migrations of PostgreSQL, in order; or those of another folder.
 * @throws StoreError `migrationUnreadable`
 */
export function readMigrations(folder: URL = FOLDER): readonly Migration[] {
  return readMigrationFolder(folder);
}

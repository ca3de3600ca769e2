/**
 * Whether all pages of the database file are sound: the one check that reads all of it, and so takes its time.
 * @module
 */
import { checkSqlitePages, StoreError } from "@scim/store/sqlite";
import { counted, grouped } from "../progress/progress.ts";
import { missingDatabase } from "../settings/database-address.ts";
import type { Settings } from "../settings/table.ts";
import { type Check, fine, wrong } from "./check.ts";

const NAME = "pages";
/** Faults that are told: one page that is damaged makes many. */
const TOLD = 3;
const REMEDY =
  "Stop the server, keep a copy of the file with its -wal, and restore the last backup. Without one, '.recover' of the program sqlite3 reads what is left; where the faults are of indexes alone, its 'REINDEX' makes them anew.";

/** Reads all of the file of an SQLite database. Null where there is none, which other checks tell. */
export function checkPages({ databaseUrl }: Settings): Check | null {
  if (databaseUrl.kind !== "sqlite" || missingDatabase(databaseUrl) !== null) return null;
  const { path } = databaseUrl;
  if (path === ":memory:") return fine(NAME, "there is no file of what is in memory");
  try {
    const { bytes, faults } = checkSqlitePages(path);
    if (faults.length === 0) return fine(NAME, `all ${grouped(bytes)} bytes of ${path} are sound`);
    const more = faults.length > TOLD ? ` …` : "";
    return wrong(
      NAME,
      `${counted(faults.length, "fault")}: ${faults.slice(0, TOLD).join("; ")}${more}`,
      REMEDY,
    );
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return wrong(
      NAME,
      `${error.message}.`,
      "Run it as the user of the server, where SQLite may write beside the file.",
    );
  }
}

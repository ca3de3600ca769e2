/**
 * The database that settings name: how it is opened, and what its failures are called.
 * @module
 */
import { openSqliteStore, type Store } from "@scim/store/sqlite";
import { CommandFailure, EXIT } from "./failure.ts";
import type { MigrationMode } from "./settings/database-address.ts";
import type { Settings } from "./settings/table.ts";

/**
 * Opens the database of the settings; whether its schema is brought up to date depends on `migrations`.
 * @throws CommandFailure saying why it cannot be used
 */
export function openDatabase(settings: Settings): Promise<Store> {
  const { databaseUrl } = settings;
  return usable(() =>
    databaseUrl.kind === "sqlite"
      ? openSqliteStore({
          path: databaseUrl.path,
          busyTimeout: settings["sqlite.busyTimeout"],
          pending: migrationMode(settings) === "auto" ? "apply" : "refuse",
        })
      : Promise.reject(new Error("not yet")),
  );
}

/** Whether a start brings the schema up to date: where several machines share a database, only when told. */
export function migrationMode({ migrations, databaseUrl }: Settings): MigrationMode {
  return migrations ?? (databaseUrl.kind === "sqlite" ? "auto" : "manual");
}

async function usable(open: () => Promise<Store>): Promise<Store> {
  try {
    return await open();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.failed, `The database cannot be opened: ${reason}.`, cause);
  }
}

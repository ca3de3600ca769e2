/**
 * `scim backup`: copies an SQLite database while it is in use.
 * @module
 */
import { existsSync } from "node:fs";
import { type Backup, backUpSqlite, type Store, StoreError } from "@scim/store/sqlite";
import { toldReading } from "../administration/told-command.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { openDatabase } from "../store/database.ts";
import { print, type Reader, tell } from "../output.ts";
import { grouped } from "../progress/progress.ts";
import { isSqliteUri } from "../settings/database-address.ts";
import type { Settings } from "../settings/table.ts";

/** Runs `scim backup FILE`. */
export async function backupCommand(
  settings: Settings,
  [target = ""]: readonly string[],
  reader: Reader,
): Promise<ExitCode> {
  const { databaseUrl } = settings;
  if (databaseUrl.kind !== "sqlite") {
    throw new CommandFailure(
      EXIT.usage,
      "scim backup copies SQLite databases. Back up PostgreSQL with its own tools: pg_dump, or pg_basebackup and archived write-ahead logs.",
    );
  }
  if (isSqliteUri(target))
    throw new CommandFailure(EXIT.usage, "A backup is named by its path: leave 'file:' out.");
  if (target === "-")
    throw new CommandFailure(
      EXIT.usage,
      "A backup is a file that is checked, and no stream: name a new file.",
    );
  try {
    const { counts, bytes, abandoned } = await toldBackup(settings, reader, () =>
      backUpSqlite(databaseUrl.path, target),
    );
    for (const left of abandoned)
      tell(reader, `${left} is left of a copy that did not come to its end: remove it.`);
    const lines = counts.map(({ tenant, type, resources }) => `  ${tenant}  ${type}  ${grouped(resources)}`);
    const told = [`${target}: ${grouped(bytes)} bytes, checked.`, ...lines].join("\n");
    return print(reader, { file: target, bytes, resources: counts }, told);
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    throw new CommandFailure(EXIT.failed, `${cause.message}.`, cause);
  }
}

/** All tenants are read. A database that cannot be opened is copied all the same: that may be why it is copied. */
async function toldBackup(settings: Settings, reader: Reader, copy: () => Backup): Promise<Backup> {
  const store = await openedAsItIs(settings, reader);
  if (store === null) return copy();
  try {
    const told = { command: "scim backup", about: "*" };
    return await toldReading(store, told, { reader, work: async () => copy() });
  } finally {
    await store.close();
  }
}

/** The database without a change of its schema; null where there is none, or it cannot be opened so. */
async function openedAsItIs(settings: Settings, reader: Reader): Promise<Store | null> {
  const { databaseUrl } = settings;
  if (databaseUrl.kind !== "sqlite" || !existsSync(databaseUrl.path)) return null;
  try {
    return await openDatabase({ ...settings, migrations: "manual" });
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    tell(reader, `This is not in the audit log. ${error.message}`);
    return null;
  }
}

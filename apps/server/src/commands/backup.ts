/**
 * `scim backup`: copies an SQLite database while it is in use.
 * @module
 */
import { backUpSqlite, StoreError } from "@scim/store/sqlite";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, type Reader } from "../output.ts";
import { grouped } from "../progress/progress.ts";
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
  try {
    const { counts, bytes } = backUpSqlite(databaseUrl.path, target);
    const lines = counts.map(({ tenant, type, resources }) => `  ${tenant}  ${type}  ${grouped(resources)}`);
    const told = [`${target}: ${grouped(bytes)} bytes, checked.`, ...lines].join("\n");
    return print(reader, { file: target, bytes, resources: counts }, told);
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    throw new CommandFailure(EXIT.failed, `${cause.message}.`, cause);
  }
}

/**
 * `scim backup`: copies an SQLite database while it is in use.
 * @module
 */
import { backUpSqlite, StoreError } from "@scim/store/sqlite";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { grouped } from "../progress/progress.ts";
import type { Settings } from "../settings/table.ts";

/** Runs `scim backup FILE`. */
export async function backupCommand(settings: Settings, positionals: readonly string[]): Promise<ExitCode> {
  const [target, ...others] = positionals;
  if (target === undefined || others.length > 0)
    throw new CommandFailure(EXIT.usage, "Use 'scim backup FILE'.");
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
    process.stdout.write([`${target}: ${grouped(bytes)} bytes, checked.`, ...lines, ""].join("\n"));
    return EXIT.ok;
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    throw new CommandFailure(EXIT.failed, `${cause.message}.`, cause);
  }
}

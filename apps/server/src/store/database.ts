/**
 * The database that settings name: how it is opened, and what its failures are called.
 * @module
 */
import type { AuditChain } from "@scim/events";
import { isScimError } from "@scim/schemas";
import { openSqliteStore, type Store } from "@scim/store/sqlite";
import { CommandFailure, EXIT } from "../failure.ts";
import { missingDatabase, type MigrationMode } from "../settings/database-address.ts";
import type { Settings } from "../settings/table.ts";

/** Long answers that are read from PostgreSQL at the same time, beside scans: each has a session. */
const LONG_ANSWERS = 4;

/** What a database is opened with beside the settings. */
export interface DatabaseParts {
  /** Makes the audit entries of events that this process gives positions to. */
  readonly audit?: AuditChain | undefined;
  /** How many queries of a tenant may go through resources at the same time. Default: as the settings say. */
  readonly scansOf?: ((tenant: string) => number) | undefined;
  /** Told where PostgreSQL's pooler turned out not to keep names of prepared statements, and they were given up. */
  readonly onUnkeptNames?: (() => void) | undefined;
}

/**
 * Opens the database of the settings; whether its schema is brought up to date depends on `migrations`.
 * @throws CommandFailure saying why it cannot be used
 */
export async function openDatabase(settings: Settings, parts: DatabaseParts = {}): Promise<Store> {
  requireDatabase(settings);
  const { databaseUrl } = settings;
  const { audit, scansOf, onUnkeptNames } = parts;
  const pending = migrationMode(settings) === "auto" ? "apply" : "refuse";
  const scans = {
    atOnce: settings["query.scans"],
    perTenant: scansOf ?? settings["query.scansPerTenant"],
    waiting: settings["query.waitingScans"],
  };
  if (databaseUrl.kind === "sqlite") {
    const { path } = databaseUrl;
    const busyTimeout = settings["sqlite.busyTimeout"];
    return usable(() => openSqliteStore({ path, busyTimeout, pending, scans, audit }));
  }
  // Loaded on demand: a server on SQLite needs no driver.
  const { openPostgresStore } = await import("@scim/store/postgres");
  return usable(() =>
    openPostgresStore({
      url: databaseUrl.url,
      poolSize: settings["postgres.poolSize"],
      longReads: scans.atOnce + LONG_ANSWERS,
      statementTimeout: settings["postgres.statementTimeout"],
      preparedStatements: settings["postgres.preparedStatements"] === "on",
      onUnkeptNames,
      pending,
      scans,
      audit,
    }),
  );
}

/**
 * Refuses a database that is not there, where nothing is to begin one: whoever is in another folder than the server would be
 * answered by an empty one.
 * @throws CommandFailure
 */
export function requireDatabase({ databaseUrl }: Pick<Settings, "databaseUrl">): void {
  const path = missingDatabase(databaseUrl);
  if (path === null || databaseUrl.kind !== "sqlite" || databaseUrl.mustExist !== true) return;
  throw new CommandFailure(
    EXIT.failed,
    `There is no database at ${path}. Give that of the server by --database-url or SCIM_DATABASE_URL; the first 'scim serve' makes it.`,
  );
}

/** Whether a start brings the schema up to date: where several machines share a database, only when told. */
function migrationMode({ migrations, databaseUrl }: Settings): MigrationMode {
  return migrations ?? (databaseUrl.kind === "sqlite" ? "auto" : "manual");
}

/**
 * Runs work on the database of a command.
 * @throws CommandFailure saying why it cannot be used
 */
export async function usable<Result>(
  work: () => Promise<Result>,
  otherwise = "The database cannot be opened",
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const end = reason.endsWith(".") ? "" : ".";
    throw new CommandFailure(EXIT.failed, `${otherwise}: ${reason}${end}${saidBeneath(cause)}`, cause);
  }
}

/** What the database itself said of a refusal: clients are not told, servers log it, and a command has no log. */
function saidBeneath(refusal: unknown): string {
  if (!isScimError(refusal) || !(refusal.cause instanceof Error)) return "";
  return ` It said: ${refusal.cause.message.replace(/\.$/, "")}.`;
}

/**
 * Whether a database answers, and has the schema that this program works on.
 * @module
 */
import { isScimError } from "@scim/schemas";
import type { Dialect } from "./dialect.ts";
import type { Migration } from "./migrations.ts";
import { LEDGER, tablesOf, type TellLack } from "./missing-tables.ts";
import { sql } from "./sql.ts";
import { countOf, type Executor, type Steps, textOf } from "./steps.ts";
import { unavailable } from "./unavailable.ts";

/** What is looked at. */
export interface CheckedDatabase {
  readonly executor: Pick<Executor, "read">;
  readonly dialect: Pick<Dialect, "missingTables">;
  readonly tellLack: TellLack;
}

/**
 * Resolves where it does.
 * @throws ScimError `unavailable`
 */
export async function checkDatabase(
  database: CheckedDatabase,
  migrations: readonly Migration[],
): Promise<void> {
  const { newest, missing } = await schemaOf(database, migrations);
  const lacking = migrations.find(({ number }) => number > newest);
  // An older backup was restored beneath the running program, say.
  if (lacking !== undefined) throw unavailable(`The database lacks ${lacking.name}; run: scim migrate`);
  if (missing !== null) throw unavailable(database.tellLack(missing));
}

/** What a database has of the schema. */
interface FoundSchema {
  /** Number of the newest migration. */
  readonly newest: number;
  /** A table that is not there; null where all are. */
  readonly missing: string | null;
}

async function schemaOf(
  { executor, dialect }: CheckedDatabase,
  migrations: readonly Migration[],
): Promise<FoundSchema> {
  try {
    return await executor.read(readSchema(dialect, tablesOf(migrations)));
  } catch (error) {
    throw isScimError(error) ? error : unavailable("The database does not answer.", error);
  }
}

function* readSchema(
  { missingTables }: Pick<Dialect, "missingTables">,
  tables: readonly string[],
): Steps<FoundSchema> {
  const { rows } = yield missingTables(tables);
  const missing = rows.map((row) => textOf(row, "name"));
  // Without it nothing tells what is lacking.
  if (missing.includes(LEDGER)) return { newest: Number.POSITIVE_INFINITY, missing: LEDGER };
  const newest = countOf(yield sql`SELECT max(number) AS n FROM migrations`, "n");
  return { newest, missing: missing[0] ?? null };
}

/**
 * Resolves where a server takes writes: one that only reads refuses to hold rows, of which there need not be any.
 * @throws ScimError `unavailable`
 */
export async function checkWritable(executor: Pick<Executor, "read">): Promise<void> {
  await executor.read(holdNothing());
}

function* holdNothing(): Steps<void> {
  yield sql`SELECT position FROM event_heads WHERE tenant = '' FOR UPDATE`;
}

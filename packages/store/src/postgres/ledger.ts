/**
 * The table `migrations` of a database, and the schema that it is in.
 * @module
 */
import type { Client } from "pg";
import { StoreError } from "../errors.ts";
import { type AppliedMigration, appliedMigrationOf, foreignLedger } from "../migrations.ts";

/** Where the ledger is, and where one would be made. */
interface Place {
  /** The schema that what is made comes to: the first of the search path that there is, and that the role may use. */
  readonly schema: string | null;
  /** The schema of the table `migrations` that statements find; null where they find none. */
  readonly holder: string | null;
  /** Whether that table has the columns of a ledger. */
  readonly isLedger: boolean;
  readonly role: string;
  readonly path: string;
}

/** Columns of a ledger. */
const LEDGER_COLUMNS = ["number", "name", "checksum", "oldest_writer"];
const COLUMNS = LEDGER_COLUMNS.join(", ");

/**
 * The migrations that a database remembers, in order; none where it has no ledger.
 * @throws StoreError `databaseUnusable`
 */
export async function readLedger(client: Client): Promise<readonly AppliedMigration[]> {
  const known = await client.query<Place>({
    text: `SELECT current_schema() AS schema, current_user AS role, current_setting('search_path') AS path,
      (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.oid = to_regclass('migrations')) AS holder,
      (SELECT count(*) FROM pg_attribute
        WHERE attrelid = to_regclass('migrations') AND attname = ANY ($1)) = $2 AS "isLedger"`,
    values: [LEDGER_COLUMNS, LEDGER_COLUMNS.length],
  });
  const [place] = known.rows;
  if (place === undefined || place.schema === null) throw noSchema(place);
  if (place.holder === null) return [];
  if (place.holder === place.schema) {
    if (!place.isLedger) throw foreignLedger(new Error(`it has not all of the columns ${COLUMNS}`));
    const { rows } = await client.query(`SELECT ${COLUMNS} FROM migrations ORDER BY number`);
    return rows.map(appliedMigrationOf);
  }
  if (place.isLedger) throw elsewhere(place);
  // That of another program, which a new one stands before.
  return [];
}

/** To a role that may use none, a database looks as if it were empty. */
function noSchema({ role = "", path = "" }: Partial<Place> = {}): StoreError {
  return new StoreError(
    "databaseUnusable",
    `The role '${role}' may use no schema of its search_path (${path}), or none of them is there: as their owner, GRANT USAGE ON SCHEMA … TO "${role}"`,
  );
}

/** A migration would make a second service, without anything in it, that hides the first. */
function elsewhere({ schema, holder, role, path }: Place): StoreError {
  return new StoreError(
    "databaseUnusable",
    `The tables of a service are in the schema '${holder}', and what is made comes to '${schema}', which stands before it in the search_path (${path}): leave the one that is meant in it alone, as by: ALTER ROLE "${role}" SET search_path = "${holder}"`,
  );
}

/**
 * Migrations: numbered files of SQL, each with a header line that says which program may still write once it is
 * applied; and what a database that has some of them lacks.
 * @module
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { StoreError } from "./errors.ts";
import { numberOf, type Row, textOf } from "./steps.ts";

/** One step of the schema. */
export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  /** Name of its file, without ending. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text with line feeds, base64url. */
  readonly checksum: string;
  /** Number of the newest migration that a program must know to write to a database that has this one. */
  readonly oldestWriter: number;
}

/** A migration as a database remembers it. */
export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly oldestWriter: number;
}

/**
 * Stands in the ledger of a database while everything of another is moved to it, so that no program takes what there is so
 * far for all: earlier ones find a migration that is too new for them.
 */
export const MOVE_UNDER_WAY: AppliedMigration = {
  number: 2_147_483_647,
  name: "move-under-way",
  checksum: "",
  oldestWriter: 2_147_483_647,
};

const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;
const OLDEST_WRITER = /^-- oldest writer: (\d+)$/m;

/**
 * The migrations of a folder, in order.
 * @throws StoreError `migrationUnreadable`
 */
export function readMigrationFolder(folder: URL): readonly Migration[] {
  const migrations = listFiles(folder).map((file) => readMigration(folder, file));
  migrations.forEach((migration, index) => {
    if (migration.number !== index + 1) {
      throw new StoreError("migrationUnreadable", `Migration ${index + 1} is missing in ${folder.pathname}`);
    }
  });
  return migrations;
}

/** A row of the ledger. */
export function appliedMigrationOf(row: Row): AppliedMigration {
  return {
    number: numberOf(row, "number"),
    name: textOf(row, "name"),
    checksum: textOf(row, "checksum"),
    oldestWriter: numberOf(row, "oldest_writer"),
  };
}

/**
 * The migrations that a database lacks, in order.
 * @throws StoreError `migrationChanged`, `databaseTooNew`, `databaseUnusable` where a move to it has not come to its end,
 *   or where the ledger has lost a row
 */
export function lackingMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): readonly Migration[] {
  if (applied.some(({ number }) => number === MOVE_UNDER_WAY.number)) throw moveUnderWay();
  for (const row of applied) {
    const migration = migrations.find(({ number }) => number === row.number);
    if (migration === undefined) refuseNewer(row, migrations.length);
    else if (migration.checksum !== row.checksum) {
      throw new StoreError(
        "migrationChanged",
        `Migration ${row.name} reads differently from what was applied to the database. Run the program that applied it, or restore a backup`,
      );
    }
  }
  const lacking = migrations.filter(({ number }) => !applied.some((row) => row.number === number));
  const last = Math.max(0, ...applied.map(({ number }) => number));
  const lost = lacking.filter(({ number }) => number < last).map(({ name }) => name);
  if (lost.length > 0) {
    throw new StoreError(
      "databaseUnusable",
      `The ledger of the database, its table 'migrations', does not have ${lost.join(", ")}, but has later ones: rows of it were removed. ${MEND_LEDGER}`,
    );
  }
  return lacking;
}

/** The error of a database that another's content is moved to. */
export function moveUnderWay(): StoreError {
  return new StoreError(
    "databaseUnusable",
    "A move to the database is under way, or did not come to its end: what it holds is not whole. Where none is under way, make the database anew and move again",
  );
}

/** What to do about a ledger that does not have what was applied. */
const MEND_LEDGER =
  "Restore a backup, or put the rows back as the table 'migrations' of a new database of this program has them";

/** The error of a migration that makes what is there: the end of the ledger was lost, or somebody else made it. */
export function alreadyMade({ name }: Migration, cause: Error): StoreError {
  return new StoreError(
    "databaseUnusable",
    `Migration ${name} makes what the database has already: ${cause.message}. Nothing was changed. Its table 'migrations', which tells what was applied, has lost rows, or another program made it. ${MEND_LEDGER}`,
    cause,
  );
}

/** The error of a table `migrations` that has not the columns of a ledger. */
export function foreignLedger(cause: Error): StoreError {
  return new StoreError(
    "databaseUnusable",
    `Its table 'migrations' is that of another program (${cause.message}). Give the service a database of its own`,
    cause,
  );
}

/** A newer program went before. That is fine as long as its migrations allow this one to write. */
function refuseNewer(row: AppliedMigration, known: number): void {
  if (row.oldestWriter <= known) return;
  throw new StoreError(
    "databaseTooNew",
    `The database has migration ${row.name}, which this program must not write to. Run a newer program, or restore a backup`,
  );
}

function listFiles(folder: URL): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(".sql"))
      .toSorted();
  } catch (error) {
    throw new StoreError(
      "migrationUnreadable",
      `There are no migrations in ${folder.pathname}: a bundler must leave @scim/store as a package beside the bundle, which reads files and begins threads; else install it anew`,
      error,
    );
  }
}

function readMigration(folder: URL, file: string): Migration {
  const number = FILE_NAME.exec(file)?.[1];
  // A checkout may have turned line feeds into pairs.
  const text = readFileSync(new URL(file, folder), "utf8").replaceAll("\r\n", "\n");
  const oldestWriter = OLDEST_WRITER.exec(text)?.[1];
  if (number === undefined || oldestWriter === undefined) {
    throw new StoreError(
      "migrationUnreadable",
      `Migration ${file} must be named 0001-name.sql and have a line "-- oldest writer: N"`,
    );
  }
  return {
    number: Number(number),
    name: file.slice(0, -".sql".length),
    text,
    checksum: createHash("sha256").update(text).digest("base64url"),
    oldestWriter: Number(oldestWriter),
  };
}

/**
 * Reads the migrations of this program: numbered files of SQL, each with a header line that says which
 * program may still write once it is applied.
 * @module
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { StoreError } from "../errors.ts";

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

// The package ships its sources: the same address serves the sources and what is built from them.
const FOLDER = new URL("../../src/sqlite/migrations/", import.meta.url);

const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;
const OLDEST_WRITER = /^-- oldest writer: (\d+)$/m;

/**
 * The migrations of a folder, in order.
 * @throws StoreError `migrationUnreadable`
 */
export function readMigrations(folder: URL = FOLDER): readonly Migration[] {
  const migrations = listFiles(folder).map((file) => readMigration(folder, file));
  migrations.forEach((migration, index) => {
    if (migration.number !== index + 1) {
      throw new StoreError("migrationUnreadable", `Migration ${index + 1} is missing in ${folder.pathname}`);
    }
  });
  return migrations;
}

function listFiles(folder: URL): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(".sql"))
      .toSorted();
  } catch (error) {
    throw new StoreError("migrationUnreadable", `There are no migrations in ${folder.pathname}`, error);
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

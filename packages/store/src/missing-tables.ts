/**
 * Tables of the service that are not in its database any more: somebody dropped them, or closed their schema to its role.
 * @module
 */
import type { Migration } from "./migrations.ts";

/** The table that tells which migrations were applied. */
export const LEDGER = "migrations";

const CREATE_TABLE = /^CREATE TABLE (\w+)/gm;

/** The names of the tables that a database has behind migrations. */
export function tablesOf(migrations: readonly Migration[]): readonly string[] {
  const made = migrations.flatMap(({ text }) => [...text.matchAll(CREATE_TABLE)]);
  return [LEDGER, ...made.map(([, name = ""]) => name)];
}

/** What is told of a table of the service that its database does not have. */
export type TellLack = (table: string) => string;

/** What is told of one that a file does not have. */
export const lackOf: TellLack = (table) => `The database has no table '${table}': restore a backup.`;

/** What is told of one that a server does not have, or does not show. */
export const lackOrRightOf: TellLack = (table) =>
  `The database has no table '${table}', or its role may not use the schema: grant it USAGE, or restore a backup.`;

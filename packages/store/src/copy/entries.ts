/**
 * Index entries and unique values of resources: read as comparison keys, and written in the form of another database.
 * @module
 */
import type { ReadKey } from "../dialect.ts";
import { joinSql, type Sql, sql } from "../sql.ts";
import { type Answer, type Row, type Steps, textOf } from "../steps.ts";
import type { Database } from "./databases.ts";
import { wholeKeys } from "./whole-keys.ts";

/** An entry of the index. */
export interface CopiedEntry {
  readonly type: string;
  readonly path: string;
  readonly key: ReadKey;
  readonly id: string;
}

/** A unique value. */
export interface CopiedValue extends CopiedEntry {
  readonly scope: string;
}

/** What is kept beside resources. */
export interface CopiedEntries {
  readonly index: readonly CopiedEntry[];
  readonly unique: readonly CopiedValue[];
}

/** Entries of one inserting statement. */
const INSERT_ENTRIES = 60;

/** Resources of a type whose entries are read. */
export interface EntryOwners {
  readonly tenant: string;
  readonly type: string;
  /** Texts of their bodies, by id. */
  readonly bodies: ReadonlyMap<string, string>;
}

/** The entries of resources of a type. */
export function* readEntries(
  { dialect }: Database,
  { tenant, type, bodies }: EntryOwners,
): Steps<CopiedEntries> {
  const { keys } = dialect;
  const ids = [...bodies.keys()];
  const index: Answer =
    yield sql`SELECT x.path, ${keys.readable(keys.whole)} AS found, x.id FROM attribute_index x
    WHERE x.tenant = ${tenant} AND x.type = ${type} AND x.id IN ${dialect.idList(ids)}`;
  const unique: Answer = yield sql`SELECT x.scope, x.path, ${keys.readable(sql`x.key`)} AS found, x.id
    FROM unique_values x WHERE x.tenant = ${tenant} AND x.type = ${type} AND x.id IN ${dialect.idList(ids)}`;
  const wholeOf = wholeKeys(keys, bodies);
  const entryOf = (row: Row): CopiedEntry => ({
    type,
    path: textOf(row, "path"),
    key: keys.read(row["found"]),
    id: textOf(row, "id"),
  });
  return {
    index: index.rows.map(entryOf),
    unique: unique.rows.map((row) => {
      const { key, ...entry } = entryOf(row);
      return { ...entry, scope: textOf(row, "scope"), key: wholeOf(entry.id, key) };
    }),
  };
}

/** Statements that write entries. */
export function* entryInsertions(
  { dialect: { keys } }: Database,
  tenant: string,
  { index, unique }: CopiedEntries,
): Generator<Sql, void, undefined> {
  for (const rows of chunks(index)) {
    const values = rows.map(
      ({ type, path, key, id }) => sql`(${tenant}, ${type}, ${path}, ${keys.entry(key)}, ${id})`,
    );
    yield sql`INSERT INTO attribute_index (tenant, type, path, ${keys.entryColumns}, id)
      VALUES ${joinSql(values, ", ")}`;
  }
  for (const rows of chunks(unique)) {
    const values = rows.map(
      ({ scope, type, path, key, id }) =>
        sql`(${tenant}, ${scope}, ${path}, ${keys.bounded(key)}, ${type}, ${id})`,
    );
    yield sql`INSERT INTO unique_values (tenant, scope, path, key, type, id) VALUES ${joinSql(values, ", ")}`;
  }
}

function* chunks<Value>(values: readonly Value[]): Generator<readonly Value[], void, undefined> {
  for (let start = 0; start < values.length; start += INSERT_ENTRIES)
    yield values.slice(start, start + INSERT_ENTRIES);
}

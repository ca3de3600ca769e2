/**
 * Makes many resources of one: the rows that the store wrote for it are written again by statements, with other ids
 * and texts. So they are those that the store would have written, in a fraction of the time; events aside.
 * @module
 */
import type { RawDatabase, RawRow } from "./database.ts";

/** What takes the place of the texts of a resource: expressions of `n`, the number of the new one, from 0. */
export interface Cloning {
  readonly type: string;
  /** Of the resource that the store wrote. */
  readonly id: string;
  readonly count: number;
  readonly newId: string;
  /** Expressions by the text that they replace. */
  readonly texts: Readonly<Record<string, string>>;
}

/** A number with leading zeros, so that the order of texts is that of numbers. */
export function padded(expression: string, digits = 6): string {
  const bound = String(10 ** digits);
  return `substr(CAST(${bound} + (${expression}) AS TEXT), 2)`;
}

/** Instants ten milliseconds apart. */
const INSTANT = `('2026-01-01T' || ${padded("n / 360000", 2)} || ':' || ${padded("n / 6000 % 60", 2)} || ':' ||
  ${padded("n / 100 % 60", 2)} || '.' || ${padded("n % 100 * 10", 3)} || 'Z')`;

/** Tables with rows of a resource, and what names it in them. */
const TABLES: readonly (readonly [string, string])[] = [
  ["resources", "id"],
  ["attribute_index", "id"],
  ["unique_values", "id"],
];

/** Writes the rows of the new resources. The one that the store wrote stays. */
export async function cloneResources(database: RawDatabase, cloning: Cloning): Promise<void> {
  for (const [table, column] of TABLES) {
    const rows = await database.query(
      `SELECT * FROM ${table} WHERE tenant = 'default' AND type = '${cloning.type}' AND ${column} = '${cloning.id}'`,
    );
    for (const row of rows) await cloneRow(database, { table, row, ...cloning });
  }
  await database.run(
    `UPDATE resource_counters SET n = n + ${String(cloning.count)} WHERE tenant = 'default'
     AND type = '${cloning.type}' AND shard = (SELECT min(shard) FROM resource_counters
       WHERE tenant = 'default' AND type = '${cloning.type}')`,
  );
}

/** Runs work while the indexes of the tables are away, and makes them anew. */
export async function withoutIndexes(database: RawDatabase, work: () => Promise<void>): Promise<void> {
  const tables = [...TABLES.map(([table]) => table), "reference_values"];
  const indexes: { readonly drop: string; readonly make: string }[] = [];
  for (const table of tables) indexes.push(...(await database.indexes(table)));
  for (const { drop } of indexes) await database.run(drop);
  await work();
  for (const { make } of indexes) await database.run(make);
  await database.analyze();
}

interface RowCloning extends Cloning {
  readonly table: string;
  readonly row: RawRow;
}

async function cloneRow(database: RawDatabase, cloning: RowCloning): Promise<void> {
  const { table, row, count } = cloning;
  const columns = Object.keys(row);
  const values = columns.map((column) => valueOf(database, column, cloning));
  const order = columns.includes("key") ? values[columns.indexOf("key")] : cloning.newId;
  await database.run(`INSERT INTO ${table} (${columns.join(", ")})
    SELECT ${values.join(", ")} FROM ${numbers(count)} ORDER BY ${String(order)}, ${cloning.newId}`);
}

/** The numbers from 0, as a table with the column `n`. */
export function numbers(count: number): string {
  return `(WITH RECURSIVE c (n) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM c WHERE n < ${String(count - 1)})
    SELECT n FROM c) numbers`;
}

function valueOf(database: RawDatabase, column: string, { row, newId, texts }: RowCloning): string {
  const value = row[column];
  if (column === "id") return newId;
  if (column === "created" || column === "last_modified") return INSTANT;
  if (column === "key") return database.key(replaced(database.keyText(value), texts));
  if (value === null) return "NULL";
  return typeof value === "string" ? replaced(value, texts) : String(value);
}

function replaced(text: string, texts: Cloning["texts"]): string {
  return Object.entries(texts)
    .filter(([old]) => text.includes(old))
    .reduce((expression, [old, by]) => `replace(${expression}, '${old}', ${by})`, literal(text));
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Reads and writes rows of tables that are the same in every database.
 * @module
 */
import { joinSql, type Sql, sql, type SqlValue } from "../sql.ts";
import { type Answer, numberOf, type Row, type Steps, textOrNullOf } from "../steps.ts";
import type { Database } from "./databases.ts";
import type { CopiedTable } from "./tables.ts";

/** A row without its tenant: the key, then the other columns. */
export type CopiedRow = readonly SqlValue[];

/** Rows that are read at once, and bytes of their long texts (8 MiB), with one row more. */
const READ_ROWS = 500;
const READ_BYTES = 8_388_608;

/** Parameters of one inserting statement at most. */
const PARAMETERS = 400;

/** Names that come from this package's own list of tables, never from elsewhere. */
function named(text: string): Sql {
  return { text, params: [] };
}

function namesOf(table: CopiedTable): readonly string[] {
  return [...table.key, ...table.columns];
}

/** The rows of a tenant, in the order of the key, some at a time. */
export async function* rowsOf(
  { executor }: Database,
  table: CopiedTable,
  tenant: string,
): AsyncGenerator<readonly CopiedRow[], void, undefined> {
  let after: CopiedRow | null = null;
  for (;;) {
    const { rows, isLast }: ReadPage = await executor.read(readRows(table, { tenant, after }));
    if (rows.length > 0) yield rows;
    if (isLast) return;
    after = rows.at(-1) ?? null;
  }
}

interface ReadPage {
  readonly rows: readonly CopiedRow[];
  readonly isLast: boolean;
}

function* readRows(
  table: CopiedTable,
  { tenant, after }: { readonly tenant: string; readonly after: CopiedRow | null },
): Steps<ReadPage> {
  const key = joinSql(table.key.map(named), ", ");
  const names = joinSql(namesOf(table).map(named), ", ");
  const place =
    after === null
      ? sql``
      : sql` AND (${key}) > (${joinSql(
          after.slice(0, table.key.length).map((value) => sql`${value}`),
          ", ",
        )})`;
  const next = sql`FROM ${named(table.name)}
    WHERE tenant = ${tenant} AND ${named(table.key[0] ?? "")} IS NOT NULL${place} ORDER BY ${key}`;
  const most = table.long.length === 0 ? READ_ROWS : yield* rowsInBytes(table, next);
  if (most === 0) return { rows: [], isLast: true };
  const { rows }: Answer = yield sql`SELECT ${names} ${next} LIMIT ${most}`;
  return { rows: rows.map((row) => copiedRow(table, row)), isLast: rows.length < most };
}

/** How many of the next rows are read at once: 0 behind the last. Lengths are known without reading the texts. */
function* rowsInBytes({ long }: CopiedTable, next: Sql): Steps<number> {
  const size = joinSql(
    long.map((name) => sql`coalesce(octet_length(${named(name)}), 0)`),
    " + ",
  );
  const { rows }: Answer = yield sql`SELECT ${size} AS size ${next} LIMIT ${READ_ROWS}`;
  let [most, bytes] = [0, 0];
  for (const row of rows) {
    if (bytes >= READ_BYTES) break;
    bytes += numberOf(row, "size");
    most += 1;
  }
  return most;
}

function copiedRow(table: CopiedTable, row: Row): CopiedRow {
  return namesOf(table).map((name) =>
    table.numbers.has(name) ? numberOf(row, name) : textOrNullOf(row, name),
  );
}

/** Statements that insert rows of a table. */
export function* insertions(
  table: Pick<CopiedTable, "name" | "key" | "columns">,
  tenant: string,
  rows: readonly CopiedRow[],
): Generator<Sql, void, undefined> {
  const names = joinSql([...table.key, ...table.columns].map(named), ", ");
  const size = Math.max(1, Math.floor(PARAMETERS / (table.key.length + table.columns.length + 1)));
  for (let start = 0; start < rows.length; start += size) {
    const values = rows.slice(start, start + size).map((row) => valuesOf([tenant, ...row]));
    yield sql`INSERT INTO ${named(table.name)} (tenant, ${names}) VALUES ${joinSql(values, ", ")}`;
  }
}

function valuesOf(values: readonly SqlValue[]): Sql {
  return sql`(${joinSql(
    values.map((value) => sql`${value}`),
    ", ",
  )})`;
}

/**
 * The expressions of SQLite.
 * @module
 */
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";

/** The dialect of SQLite 3.45 and later. */
export const sqliteDialect: Dialect = {
  idList: (ids) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
  // As bytes: the text functions of SQLite stop at U+0000. UTF-8 has no suffix that begins inside a character.
  endsWith: (column, text) => {
    const suffix = Buffer.from(text, "utf8");
    return suffix.length === 0
      ? sql`typeof(${column}) = 'text'`
      : sql`substr(CAST(${column} AS BLOB), ${-suffix.length}) = ${suffix}`;
  },
  // As bytes: older drivers cut text at U+0000.
  wholeKey: (column) =>
    sql`CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) ELSE ${column} END`,
  jsonMember: (column, name) => sql`json_extract(${column}, '$."' || ${name} || '"')`,
  // One writer at a time: nothing would queue on the row.
  counterShard: () => 0,
  openTransactions: null,
  heldRow: sql``,
};

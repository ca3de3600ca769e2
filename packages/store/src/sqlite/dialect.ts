/**
 * The expressions of SQLite.
 * @module
 */
import type { ComparisonKey } from "@scim/filter";
import type { Dialect, KeyForm } from "../dialect.ts";
import { keyCondition } from "../query/key-condition.ts";
import { joinSql, type Sql, sql } from "../sql.ts";
import { givesWayAt } from "./give-way.ts";

const KEY: Sql = sql`x.key`;
const KEY_COLUMN: Sql = sql`key`;

/** A key as it is; the path tells booleans and numbers apart. */
function keyValue(key: ComparisonKey): string | number {
  return typeof key === "boolean" ? Number(key) : key;
}

/** A mark of order that begins a text is part of it. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Keys of one list. What JSON says of a number is read as an integer or as its nearest double, and neither need be the number
 * that was written: those of more than 53 bits or with a fraction are bound one by one.
 */
function listed(among: readonly (string | number)[]): Sql {
  return among.every((key) => typeof key === "string" || Number.isSafeInteger(key))
    ? sql`(SELECT value FROM json_each(${JSON.stringify(among)}))`
    : sql`(${joinSql(
        among.map((key) => sql`${key}`),
        ", ",
      )})`;
}

/** Keys as text and numbers: an index takes them at any length. */
const keys: KeyForm = {
  entryColumns: KEY_COLUMN,
  entry: (key) => sql`${keyValue(key)}`,
  bounded: keyValue,
  ordered: (key) => key,
  condition: (operator, key) => keyCondition(KEY, { operator, key: keyValue(key) }, sqliteDialect),
  oneOf: (among) => sql`${KEY} IN ${listed(among.map(keyValue))}`,
  whole: KEY,
  // As bytes: older drivers cut text at U+0000.
  readable: (column) =>
    sql`CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) ELSE ${column} END`,
  read: (value) => {
    const key = value instanceof Uint8Array ? utf8.decode(value) : value;
    if (typeof key === "string" || typeof key === "number") return key;
    throw new TypeError(`A sort key is ${typeof key} where text or a number was expected`);
  },
  cutKeys: () => null,
};

/** The dialect of SQLite 3.45 and later. */
export const sqliteDialect: Dialect = {
  keys,
  idList: (ids) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  pairs: (text) =>
    sql`(SELECT key AS n, json_extract(value, '$[0]') AS value, json_extract(value, '$[1]') AS rest
      FROM json_each(${text}) WHERE ${givesWayAt(sql`key`)})`,
  paced: (row) => sql`AND ${givesWayAt(row)}`,
  among: (column, query) => sql`${column} IN (${query})`,
  // It takes the index with the most columns.
  unindexed: (column) => column,
  // It looks values up, by the index that holds all columns.
  wholeJoins: { begin: [], end: [] },
  ownedRows: ({ table, of }) => sql`${table} m ON ${of}`,
  contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
  // As bytes: the text functions of SQLite stop at U+0000. UTF-8 has no suffix that begins inside a character.
  endsWith: (column, text) => {
    const suffix = Buffer.from(text, "utf8");
    return suffix.length === 0
      ? sql`typeof(${column}) = 'text'`
      : sql`substr(CAST(${column} AS BLOB), ${-suffix.length}) = ${suffix}`;
  },
  rowByRow: sql``,
  jsonMember: (column, name) => sql`(${column} -> ('$."' || ${name} || '"'))`,
  // One writer at a time: nothing would queue on the row.
  counterShards: [0],
  counterShard: () => 0,
  openTransactions: null,
  // A statement that would be taken back alone makes SQLite copy each page before it changes.
  rowOf: (values) => sql`VALUES (${values})`,
  insertMissing: { begin: "INSERT OR IGNORE INTO", end: "" },
  orRollBack: " OR ROLLBACK",
  heldRow: sql``,
  lockedRows: sql``,
  requestLogLock: null,
  keptIdLock: null,
  administratorLock: null,
  missingTables: (names) =>
    sql`SELECT value AS name FROM json_each(${JSON.stringify(names)})
      WHERE value NOT IN (SELECT name FROM sqlite_schema WHERE type = 'table')`,
};

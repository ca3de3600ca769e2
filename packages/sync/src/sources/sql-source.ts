/**
 * Queries of databases as sources.
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { JsonObject, JsonValue } from "@scim/schemas";
import { postgresRows } from "./postgres-rows.ts";
import { SourceError, type Source, type SourceItem } from "./source.ts";
import { failureOf, type Query, refuseTwice, type Rows, takesSince } from "./sql-query.ts";

/** Column by whose greatest value a query that takes `:since` tells how far it is. */
const SINCE_COLUMN = "since";

/** Column that says that a record is gone, in answers to a query that takes `:since`. */
const REMOVED_COLUMN = "removed";

/**
 * A query of an SQLite database as a source; the columns are the fields. Columns of JSON text stay texts.
 *
 * A query that names `:since` tells changes: it is given null at first, and afterwards the greatest value that its
 * column `since` had, as the number or the text that it was; a column `removed` that holds 1 says that the record is gone. Whole
 * numbers that JavaScript has no number for are texts, as those of PostgreSQL are.
 *
 * @example
 * const people = sqliteSource("hr.db", "select id, mail, changed as since from people where :since is null or changed >= :since");
 */
export function sqliteSource(path: string, query: string): Source {
  return {
    asks: query,
    open: (token) => {
      const since = token === null ? null : readTyped(token);
      const rows = sqliteRows({ path, query, given: since });
      return Promise.resolve(readingOf(query, { since, rows, tokenOf: typed }));
    },
  };
}

/** How a PostgreSQL database is read. */
export interface PostgresSourceOptions {
  /** Ends the query, also while it gives nothing: going through the items throws a SourceError then. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A query of a PostgreSQL database as a source: see {@link sqliteSource}. It needs the package `pg`. Rows are fetched
 * by a cursor, so that memory stays flat. A `date` is its text, and a `timestamp` is one without a zone: neither is shifted by the
 * zone of this machine.
 *
 * @example
 * const people = postgresSource("postgres://hr.example/people", "select id, mail from people");
 */
export function postgresSource(
  address: string,
  query: string,
  { signal }: PostgresSourceOptions = {},
): Source {
  return {
    asks: query,
    open: (since) => {
      const rows = postgresRows({ address, query, given: since, signal });
      return Promise.resolve(readingOf(query, { since, rows, tokenOf: String }));
    },
  };
}

/** How far a query is. */
type Reached = string | number | bigint;

interface Reading {
  /** How far the reading before came. */
  readonly since: Reached | null;
  readonly rows: Rows;
  readonly tokenOf: (reached: Reached) => string;
}

function readingOf(query: string, { since, rows, tokenOf }: Reading): Awaited<ReturnType<Source["open"]>> {
  const tellsChanges = takesSince(query);
  let greatest = since;
  async function* items(): AsyncGenerator<SourceItem, void, undefined> {
    let row = 0;
    for await (const columns of rows) {
      row += 1;
      const fields = fieldsOf(columns);
      const reached = reachedAt(columns[SINCE_COLUMN]);
      if (reached !== null && (greatest === null || isLater(reached, greatest))) greatest = reached;
      const removed = tellsChanges && isTrue(fields[REMOVED_COLUMN]);
      yield { kind: "record", fields, place: `row ${row}`, removed };
    }
  }
  return {
    items: items(),
    hasColumns: true,
    changesOnly: tellsChanges && since !== null,
    token: () => (tellsChanges && greatest !== null ? tokenOf(greatest) : null),
  };
}

/** Values of databases that nothing is greater than: behind one, no change would ever be told. */
const ENDS: ReadonlySet<string> = new Set(["infinity", "Infinity", "NaN"]);

function reachedAt(column: unknown): Reached | null {
  if (typeof column === "bigint") return column;
  const at = jsonOf(column);
  return (typeof at === "string" || typeof at === "number") && !ENDS.has(String(at)) ? at : null;
}

/**
 * SQLite takes every number for less than any text: what was a number has to be given as one. A text that reads like a number
 * stands in quotes.
 */
function typed(reached: Reached): string {
  return typeof reached === "string" && isNumber(reached) ? `"${reached}"` : String(reached);
}

function readTyped(token: string): Reached {
  // As a fraction, a whole number would be another text, beside a column of texts.
  if (WHOLE.test(token)) return BigInt(token);
  if (isNumber(token)) return Number(token);
  const quoted = token.slice(1, -1);
  return token === `"${quoted}"` && isNumber(quoted) ? quoted : token;
}

/** Whole numbers of SQLite, which have 64 bits. */
const WHOLE = /^(?:0|-?[1-9]\d{0,18})$/;

function isNumber(text: string): boolean {
  const number = Number(text);
  return WHOLE.test(text) || (Number.isFinite(number) && String(number) === text);
}

/** Numbers are compared as such, all else as text: instants in ISO 8601 sort so. */
function isLater(left: Reached, right: Reached): boolean {
  if (typeof left !== "string" && typeof right !== "string") return left > right;
  const [a, b] = [Number(left), Number(right)];
  return Number.isNaN(a) || Number.isNaN(b) ? String(left) > String(right) : a > b;
}

function isTrue(value: JsonValue | undefined): boolean {
  return value === true || value === 1 || value === "1" || value === "t" || value === "true";
}

function fieldsOf(columns: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]): [string, JsonValue] => [name, jsonOf(value)]),
  );
}

function jsonOf(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(jsonOf);
  return typeof value === "object" ? fieldsOf({ ...value }) : null;
}

async function* sqliteRows({ path, query, given }: Query<Reached> & { readonly path: string }): Rows {
  let database: DatabaseSync | null = null;
  try {
    // Loaded on first use: Node 22 warns whoever loads it.
    const sqlite = await import("node:sqlite");
    database = new sqlite.DatabaseSync(path, { readOnly: true });
    const statement = database.prepare(query);
    refuseMore(query, statement.sourceSQL, path);
    refuseTwice(statement.columns(), path);
    statement.setReadBigInts(true);
    yield* takesSince(query) ? statement.iterate({ since: given }) : statement.iterate();
  } catch (cause) {
    throw failureOf(cause, path);
  } finally {
    database?.close();
  }
}

/** SQLite leaves out what stands behind the first statement. */
function refuseMore(query: string, statement: string, where: string): void {
  const rest = query.slice(query.indexOf(statement) + statement.length);
  if (/^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/.test(rest)) return;
  throw new SourceError(`The query of ${where} is more than one statement: give it one.`);
}

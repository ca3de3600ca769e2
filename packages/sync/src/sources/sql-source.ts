/**
 * Queries of databases as sources.
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type * as Pg from "pg";
import type { JsonObject, JsonValue } from "@scim/schemas";
import { SourceError, type Source, type SourceItem } from "./source.ts";

/** Column by whose greatest value a query that takes `:since` tells how far it is. */
const SINCE_COLUMN = "since";

/** Column that says that a record is gone, in answers to a query that takes `:since`. */
const REMOVED_COLUMN = "removed";

/** Rows that are fetched at once. */
const BATCH = 1000;

/**
 * A query of an SQLite database as a source; the columns are the fields. Columns of JSON text stay texts.
 *
 * A query that names `:since` tells changes: it is given null at first, and afterwards the greatest value that its
 * column `since` had, as the number or the text that it was; a column `removed` that holds 1 says that the record is gone.
 *
 * @example
 * const people = sqliteSource("hr.db", "select id, mail, changed as since from people where :since is null or changed >= :since");
 */
export function sqliteSource(path: string, query: string): Source {
  return {
    asks: query,
    open: (token) => {
      const since = token === null ? null : readTyped(token);
      const rows = sqliteRows({ path, query, given: typeof since === "number" ? asBound(since) : since });
      return Promise.resolve(readingOf(query, { since, rows, tokenOf: typed }));
    },
  };
}

/**
 * A query of a PostgreSQL database as a source: see {@link sqliteSource}. It needs the package `pg`. Rows are fetched
 * by a cursor, so that memory stays flat. A `date` is its text, and a `timestamp` is one without a zone: neither is shifted by the
 * zone of this machine.
 *
 * @example
 * const people = postgresSource("postgres://hr.example/people", "select id, mail from people");
 */
export function postgresSource(address: string, query: string): Source {
  return {
    asks: query,
    open: (since) => {
      const rows = postgresRows({ address, query, given: since });
      return Promise.resolve(readingOf(query, { since, rows, tokenOf: String }));
    },
  };
}

type Rows = AsyncIterable<Readonly<Record<string, unknown>>>;

/** How far a query is. */
type Reached = string | number;

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
      const at = fields[SINCE_COLUMN];
      const reached = typeof at === "string" || typeof at === "number" ? at : null;
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

/**
 * SQLite takes every number for less than any text: what was a number has to be given as one. A text that reads like a number
 * stands in quotes.
 */
function typed(reached: Reached): string {
  return typeof reached === "string" && isNumber(reached) ? `"${reached}"` : String(reached);
}

function readTyped(token: string): Reached {
  if (isNumber(token)) return Number(token);
  const quoted = token.slice(1, -1);
  return token === `"${quoted}"` && isNumber(quoted) ? quoted : token;
}

function isNumber(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text;
}

/** A whole number is bound as one: as a fraction it would be another text, beside a column of texts. */
function asBound(number: number): number | bigint {
  return Number.isInteger(number) ? BigInt(number) : number;
}

/** Numbers are compared as such, all else as text: instants in ISO 8601 sort so. */
function isLater(left: Reached, right: Reached): boolean {
  const [a, b] = [Number(left), Number(right)];
  return Number.isNaN(a) || Number.isNaN(b) ? String(left) > String(right) : a > b;
}

function isTrue(value: JsonValue | undefined): boolean {
  return value === true || value === 1 || value === "1" || value === "t" || value === "true";
}

function takesSince(query: string): boolean {
  return /(?<![:\w]):since\b/.test(query);
}

function fieldsOf(columns: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]): [string, JsonValue] => [name, jsonOf(value)]),
  );
}

function jsonOf(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(jsonOf);
  return typeof value === "object" ? fieldsOf({ ...value }) : null;
}

interface Query<Given> {
  readonly query: string;
  readonly given: Given | null;
}

async function* sqliteRows({
  path,
  query,
  given,
}: Query<string | number | bigint> & { readonly path: string }): Rows {
  let database: DatabaseSync | null = null;
  try {
    // Loaded on first use: Node 22 warns whoever loads it.
    const sqlite = await import("node:sqlite");
    database = new sqlite.DatabaseSync(path, { readOnly: true });
    const statement = database.prepare(query);
    refuseMore(query, statement.sourceSQL, path);
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

async function* postgresRows({ address, query, given }: Query<string> & { readonly address: string }): Rows {
  const shown = URL.canParse(address) ? new URL(address).host : "the database";
  const pg = await driver();
  const client = clientOf(pg, { address, shown });
  // A connection that ends tells the query that is under way, or the next one.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("begin read only");
    await client.query("set local datestyle to iso");
    const statement = query.replaceAll(/(?<![:\w]):since\b/g, "$1").replace(/;\s*$/, "");
    // A statement with a name is refused where it is more than one: another could end what only reads.
    await client.query({
      name: "declare",
      text: `declare records no scroll cursor for ${statement}`,
      values: takesSince(query) ? [given] : [],
    });
    for (;;) {
      const { rows } = await client.query<Record<string, unknown>>(`fetch ${BATCH} from records`);
      if (rows.length === 0) break;
      yield* rows;
    }
  } catch (cause) {
    throw failureOf(cause, shown);
  } finally {
    await client.end();
  }
}

/** The driver reads the address, and files that it names, such as certificates of authorities. */
function clientOf(
  pg: typeof Pg,
  { address, shown }: { readonly address: string; readonly shown: string },
): Pg.Client {
  try {
    return new pg.Client({ connectionString: address, types: ownTypes(pg) });
  } catch (cause) {
    throw failureOf(cause, shown);
  }
}

/** Ids of types in the catalogue of every PostgreSQL. */
const DATE = 1082;
const TIMESTAMP = 1114;
const LISTS = [1115, 1182];
const TEXT_LIST = 1009;

/** The driver would take days and times without a zone for those of this machine's zone; in lists, they are texts too. */
function ownTypes({ TypeOverrides }: typeof Pg): Pg.TypeOverrides {
  const own = new TypeOverrides();
  own.setTypeParser(DATE, (text) => text);
  own.setTypeParser(TIMESTAMP, (text) => text.replace(" ", "T"));
  // The driver's types have parsers take a number; they take the text.
  const texts = own.getTypeParser(TEXT_LIST) as unknown as (text: string) => unknown;
  for (const id of LISTS) own.setTypeParser(id, texts);
  return own;
}

async function driver(): Promise<typeof Pg> {
  try {
    return await import("pg");
  } catch (cause) {
    throw new SourceError("A source in PostgreSQL needs the package pg: npm install pg.", cause);
  }
}

function failureOf(cause: unknown, where: string): unknown {
  if (!(cause instanceof Error) || cause instanceof SourceError) return cause;
  return new SourceError(`The query of ${where} failed: ${cause.message}.`, cause);
}

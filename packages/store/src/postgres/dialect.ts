/**
 * The expressions of PostgreSQL.
 * @module
 */
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import { postgresKeys } from "./keys.ts";

/** Rows that the counter of a type is spread over, so that writers of one tenant seldom wait for each other. */
const COUNTER_SHARDS = 32;

/**
 * What begins characters that JSON writes as numbers. Two kinds of them PostgreSQL reads nowhere in a document: U+0000, and a half
 * of a surrogate pair.
 */
const NUMBERED = String.raw`\u`;

/** Characters of a text, as PostgreSQL counts them. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** An array of texts as PostgreSQL reads it. */
function arrayText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(",")}}`;
}

/** The dialect of PostgreSQL 15 and later. */
export const postgresDialect: Dialect = {
  keys: postgresKeys,
  idList: (ids) => sql`(SELECT value FROM unnest(CAST(${arrayText(ids)} AS text[])) AS list (value))`,
  // Its processes are its own.
  paced: () => sql``,
  pairs: (text) => sql`(SELECT ordinality - 1 AS n, pair ->> 0 AS value, pair ->> 1 AS rest
      FROM json_array_elements(CAST(${text} AS json)) WITH ORDINALITY AS list (pair, ordinality))`,
  among: (column, query) => sql`${column} = ANY (ARRAY(${query}))`,
  unindexed: (column) => sql`(${column} || '')`,
  wholeJoins: {
    begin: [
      // Of Citus, which tells its nodes of such settings then; a name like any other to whoever has none.
      sql`SET LOCAL citus.propagate_set_commands = 'local'`,
      sql`SET LOCAL enable_nestloop = off`,
    ],
    end: [sql`SET LOCAL enable_nestloop TO DEFAULT`],
  },
  ownedRows: ({ table, of, order, most }) =>
    sql`LATERAL (SELECT * FROM ${table} m WHERE ${of} ORDER BY ${order} LIMIT ${most}) m`,
  contains: (column, text) => sql`strpos(${column}, ${text}) > 0`,
  endsWith: (column, text) => sql`right(${column}, ${lengthOf(text)}) = ${text}`,
  rowByRow: sql` OFFSET 0`,
  jsonMember: (column, name) => sql`CASE WHEN strpos(${column}, ${NUMBERED}) > 0 THEN ${column}
      ELSE CAST(CAST(${column} AS json) -> ${name} AS text) END`,
  counterShards: Array.from({ length: COUNTER_SHARDS }, (_, shard) => shard),
  counterShard: () => Math.floor(Math.random() * COUNTER_SHARDS),
  openTransactions: {
    first: sql`CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint)`,
    end: sql`CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint)`,
  },
  rowOf: (values) => sql`SELECT ${values}`,
  insertMissing: { begin: "INSERT INTO", end: " ON CONFLICT DO NOTHING" },
  orRollBack: "",
  heldRow: sql`FOR UPDATE SKIP LOCKED`,
  lockedRows: sql`FOR UPDATE`,
  requestLogLock: {
    // The first number tells these locks from those of others.
    shared: (tenant) => sql`SELECT pg_advisory_xact_lock_shared(1935829358, hashtext(${tenant}))`,
    alone: (tenant) => sql`SELECT pg_advisory_xact_lock(1935829358, hashtext(${tenant}))`,
  },
  keptIdLock: (tenant) => sql`SELECT pg_advisory_xact_lock(1935829359, hashtext(${tenant}))`,
  administratorLock: sql`SELECT pg_advisory_xact_lock(1935829360, hashtext(current_schema()))`,
  missingTables: (names) =>
    sql`SELECT name FROM json_array_elements_text(CAST(${JSON.stringify(names)} AS json)) AS t (name)
      WHERE to_regclass(name) IS NULL`,
};

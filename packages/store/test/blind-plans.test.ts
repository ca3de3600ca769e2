/**
 * What PostgreSQL does where it takes tables for empty that are not: it has looked at none of them yet, or did when they were.
 * No statement that changes many rows may go through some of them for each of the others.
 */
import type { ChainEnd } from "@scim/events";
import type { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { purgeEntries } from "../src/audit/purge-entries.ts";
import { assignPositions } from "../src/events/assign-positions.ts";
import { purgeHeld } from "../src/guard/held-changes.ts";
import { advanceIndex } from "../src/indexes/build.ts";
import { postgresDialect } from "../src/postgres/dialect.ts";
import { purgeRequests } from "../src/requests/purge-requests.ts";
import { sql } from "../src/sql.ts";
import { removeClients } from "../src/tenancy/client-rows.ts";
import { TenantRound } from "../src/tenant-round.ts";
import { createClientStore } from "../src/tenancy/client-store.ts";
import { removeTenantRows } from "../src/tenancy/tenant-rows.ts";
import { type OwnDatabase, ownDatabase } from "./support/own-database.ts";
import { type MeasuringExecutor, measuringExecutor } from "./support/work-of-plans.ts";

/** Rows of each table. */
const ROWS = 1500;

/** Rows that one step of a plan may come by: where it looks at each row for each of the others, it is far more. */
const MOST = 100_000;

let database: OwnDatabase;
let client: Client;

beforeAll(async () => {
  database = await ownDatabase();
  ({ client } = database);
});

afterAll(() => database.drop());

/** Rows of a tenant: what each column holds, as an expression of `n`. */
function rowsOf(table: string, columns: Readonly<Record<string, string>>): string {
  return `INSERT INTO ${table} (tenant, ${Object.keys(columns).join(", ")})
    SELECT 't', ${Object.values(columns).join(", ")} FROM generate_series(1, ${ROWS}) n`;
}

const OLD = "'2020-01-01T00:00:00.000Z'";
const NEW = "'2026-01-01T00:00:00.000Z'";
const BEFORE = "2025-01-01T00:00:00.000Z";
const NOW = "2026-01-01T00:00:00.000Z";
const NAME = "lpad(n::text, 6, '0')";

const RESOURCES = rowsOf("resources", {
  type: "'User'",
  id: NAME,
  connection: "'c'",
  revision: "1",
  version: "'v'",
  created: OLD,
  last_modified: OLD,
  body: "'{}'",
});
const ENTRIES = rowsOf("attribute_index", {
  type: "'User'",
  path: "'title'",
  key: `convert_to(${NAME}, 'UTF8')`,
  id: NAME,
});
const EVENTS = rowsOf("events", {
  transaction_number: "7",
  sequence: "n",
  at: OLD,
  connection: "'c'",
  kind: "'created'",
  type: "'User'",
  id: NAME,
  version: "'v'",
  changed: "'[]'",
});
const ACCESS_TOKENS = rowsOf("access_tokens", {
  hash: NAME,
  key_id: "'k'",
  client: "'c' || n",
  credential: "'s'",
  scopes: "'[]'",
  created: OLD,
  expires: `'2020-' || ${NAME}`,
});
const ASSERTIONS = rowsOf("used_assertions", {
  client: "'c' || n",
  jti: NAME,
  expires: `'2020-' || ${NAME}`,
});
const CLIENTS = rowsOf("oauth_clients", {
  id: "'c' || n",
  connection: "'main'",
  state: "'active'",
  scopes: "'[]'",
  token_lifetime: "60",
  created: OLD,
  revision: "1",
});
const LOG = rowsOf("request_log", {
  id: NAME,
  at: NEW,
  connection: "'c'",
  run: "'r' || n",
  status: "200",
  request: "'q'",
  size: "10",
  entry: "'{}'",
});
const RUNS = rowsOf("request_runs", {
  run: "'r' || n",
  connection: "'c'",
  begun: OLD,
  ended: OLD,
  requests: "1",
  failed: "0",
  skipped: "0",
  size: "10",
});
const HELD = rowsOf("guard_held", {
  connection: "'c'",
  measure: "'deletions'",
  type: "'User'",
  resource: NAME,
  id: NAME,
  first_at: OLD,
  last_at: OLD,
  tries: "1",
  changes: "'[]'",
  removed: "'{}'",
});
const AUDIT = rowsOf("audit_entries", {
  position: "n",
  at: `CASE WHEN n > ${ROWS / 2} THEN ${NEW} ELSE ${OLD} END`,
  type: "'User'",
  id: `lpad((n % ${ROWS / 2})::text, 6, '0')`,
  entry: "'{}'",
  hash: "'h'",
});
const SECRETS = rowsOf("subject_secrets", { id: NAME, type: "'User'", secret: "'s'" });
const HEAD = "INSERT INTO event_heads (tenant, position) VALUES ('t', 0)";
const DROPPED = `INSERT INTO attribute_indexes (tenant, type, path, origin, state, since, fence, progress, built)
  VALUES ('t', 'User', 'title', 'operator', 'dropping', ${OLD}, '0', '', 0)`;

const INDEX = {
  tenant: "t",
  type: "User",
  path: "title",
  origin: "operator",
  since: BEFORE,
  built: 0,
} as const;

const TOKEN = {
  tenant: "t",
  client: "c0",
  credential: "s",
  hash: "new",
  keyId: "k",
  scopes: [],
  created: BEFORE,
  expires: NOW,
};

type Write = (executor: MeasuringExecutor) => Promise<unknown>;

/** What is done, the rows that are there, and what comes of it. */
const WRITES: readonly (readonly [string, readonly string[], Write, unknown])[] = [
  [
    "removing a tenant",
    [ACCESS_TOKENS, ENTRIES, RESOURCES, EVENTS],
    (executor) =>
      repeated(5, () => executor.write(() => removeTenantRows(postgresDialect, { tenant: "t", most: 1000 }))),
    Array(5).fill(1000),
  ],
  [
    "giving positions to events",
    [EVENTS, HEAD],
    async (executor) => {
      const given = await assignPositions({ executor, dialect: postgresDialect }, 1000);
      const { rows } = await client.query(
        "SELECT FROM events WHERE position = sequence AND position <= 1000",
      );
      return [given, rows.length];
    },
    [1000, 1000],
  ],
  [
    "removing an index",
    [ENTRIES, DROPPED],
    (executor) => {
      const holder = { name: "here", now: () => Date.parse(NOW) };
      const source = { entries: () => null, wanted: () => [] };
      const setting = { dialect: postgresDialect, holder, source, grace: 0 };
      return repeated(3, () => executor.write(() => advanceIndex(setting, { ...INDEX, state: "dropping" })));
    },
    Array(3).fill("done"),
  ],
  [
    "giving an access token, where others are over",
    [ACCESS_TOKENS, ASSERTIONS],
    async (executor) => {
      const store = createClientStore(executor, postgresDialect);
      const isGiven = await store.addAccessToken(TOKEN, { jti: "new", expires: NOW });
      return [isGiven, await countOf("access_tokens"), await countOf("used_assertions")];
    },
    [true, ROWS - 99, ROWS - 99],
  ],
  [
    "removing the clients of a connection",
    [CLIENTS, ACCESS_TOKENS, ASSERTIONS],
    (executor) =>
      executor.write(function* () {
        return {
          keep: true,
          result: yield* removeClients("t", sql`connection = ${"main"}`, postgresDialect),
        };
      }),
    ROWS,
  ],
  [
    "forgetting what a guard held",
    [HELD],
    (executor) => repeated(3, () => executor.write(() => purgeHeld("t", BEFORE, 500))),
    Array(3).fill(500),
  ],
  [
    "removing runs of the request log",
    [LOG, RUNS],
    async (executor) => {
      const purge = { before: BEFORE, characters: 1_000_000, limit: 1000 };
      return [
        await purgeRequests({ executor, dialect: postgresDialect }, "t", purge),
        await countOf("request_runs"),
      ];
    },
    [0, ROWS],
  ],
  [
    "removing audit entries",
    [AUDIT, SECRETS, HEAD],
    async (executor) => {
      const sign = (_tenant: string, end: ChainEnd) => ({ ...end, at: NOW, key: "k", signature: "s" });
      const purge = { before: BEFORE, present: NOW, limit: 1000, sign };
      const removed = await purgeEntries(
        { executor, dialect: postgresDialect, round: new TenantRound() },
        purge,
      );
      return [removed, await countOf("subject_secrets")];
    },
    [ROWS / 2, ROWS],
  ],
];

async function repeated<Result>(times: number, run: () => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  while (results.length < times) results.push(await run());
  return results;
}

async function countOf(table: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`);
  return rows[0]?.n ?? 0;
}

/** Tables that are filled. */
const FILLED = `access_tokens, attribute_index, attribute_indexes, audit_checkpoints, audit_entries, event_heads, events, guard_held,
  index_leases, oauth_clients, request_log, request_runs, resources, subject_secrets, used_assertions`;

test.each(WRITES)(
  "%s goes through no rows for each of the others",
  async (_name, statements, write, expected) => {
    for (const seen of ["nothing", "empty tables", "another tenant alone"]) {
      if (seen === "another tenant alone") {
        for (const statement of statements) await client.query(statement.replaceAll("'t'", "'other'"));
        await client.query(`ANALYZE ${FILLED}`);
        for (const table of FILLED.split(",")) await client.query(`DELETE FROM ${table}`);
      }
      for (const statement of statements) await client.query(statement);
      // As a vacuum leaves tables that it found empty, and that keep their pages.
      if (seen === "empty tables")
        await client.query(`UPDATE pg_class SET reltuples = 0, relpages = 100
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')`);
      const executor = measuringExecutor(client, MOST);
      const result = await write(executor);
      await client.query(`TRUNCATE ${FILLED}`);
      expect([executor.heavy, result]).toEqual([[], expected]);
    }
  },
);

/**
 * Moves everything that a store holds to another, whatever databases they are: ids, versions, instants, references
 * with their places, events with their positions, tokens. Clients notice nothing but the pause.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { ALL_CONSTRAINTS, connectionRule } from "@scim/core";
import { StoreError } from "../errors.ts";
import { MOVE_UNDER_WAY } from "../migrations.ts";
import { type Sql, sql } from "../sql.ts";
import {
  type Answer,
  countOf,
  numberOf,
  type Outcome,
  type Row,
  type Steps,
  textOf,
  textOrNullOf,
} from "../steps.ts";
import type { Store } from "../store.ts";
import { type Checksum, checksumsOf } from "./checksums.ts";
import { beneath, type Database } from "./databases.ts";
import { entryInsertions, readEntries } from "./entries.ts";
import { type CopiedRow, insertions, rowsOf } from "./rows.ts";
import { type CopiedTable, EVENTS, MUST_BE_EMPTY, REFERENCES, RESOURCES, SMALL_TABLES } from "./tables.ts";

/** What is told while a copy is under way. */
export interface CopyOptions {
  /** Called now and then with the rows that were written so far. */
  readonly onProgress?: (rows: number) => void;
}

/** What each side holds after a copy. */
export interface CopyResult {
  readonly source: readonly Checksum[];
  readonly target: readonly Checksum[];
  /** Whether they are equal. Where not, the source was written to meanwhile, and the target must not be used. */
  readonly equal: boolean;
}

/**
 * Copies a store into an empty one, and compares what both hold. Nobody may write to either meanwhile. Until both are found
 * to be equal, no program opens the target again.
 *
 * @example
 * const { equal } = await copyStore(sqlite, postgres);
 * @throws StoreError `databaseUnusable` where the target holds something, or writes to the source are under way
 */
export async function copyStore(from: Store, to: Store, options: CopyOptions = {}): Promise<CopyResult> {
  const [source, target] = [beneath(from), beneath(to)];
  await refuseFilled(target);
  await settleEvents(from, source);
  await write(target, [beginMove()]);
  const tenants = await source.executor.read(readTenants());
  let written = 0;
  for (const tenant of tenants) {
    for await (const rows of copyTenant({ source, target }, tenant)) {
      written += rows;
      options.onProgress?.(written);
    }
    await copyRules({ from, to }, tenant.name);
  }
  const names = tenants.map(({ name }) => name);
  const [before, after] = [await allChecksums(source, names), await allChecksums(target, names)];
  const equal = JSON.stringify(before) === JSON.stringify(after);
  if (equal) await write(target, [endMove()]);
  return { source: before, target: after, equal };
}

function beginMove(): Sql {
  const { number, name, checksum, oldestWriter } = MOVE_UNDER_WAY;
  return sql`INSERT INTO migrations (number, name, checksum, oldest_writer, applied)
    VALUES (${number}, ${name}, ${checksum}, ${oldestWriter}, ${new Date().toISOString()})`;
}

function endMove(): Sql {
  return sql`DELETE FROM migrations WHERE number = ${MOVE_UNDER_WAY.number}`;
}

async function allChecksums(database: Database, tenants: readonly string[]): Promise<readonly Checksum[]> {
  const all: Checksum[] = [];
  for (const tenant of tenants) all.push(...(await checksumsOf(database, tenant)));
  return all;
}

async function refuseFilled({ executor }: Database): Promise<void> {
  for (const table of MUST_BE_EMPTY) {
    const rows = await executor.read(countRows(table));
    if (rows > 0)
      throw new StoreError("databaseUnusable", `The database to move to is not empty: ${table} has rows`);
  }
}

function* countRows(table: string): Steps<number> {
  return countOf(
    yield { text: `SELECT count(*) AS n FROM (SELECT 1 AS one FROM ${table} LIMIT 1) t`, params: [] },
    "n",
  );
}

/** How often, and with how many milliseconds between, positions are waited for: five seconds. */
const TRIES = 100;
const PAUSE_MS = 50;

/**
 * Every event has its position: by it alone it is the same in another database. PostgreSQL gives none while an earlier
 * transaction is under way in any database beside it, which is not for long.
 */
async function settleEvents(from: Store, { executor }: Database): Promise<void> {
  for (let tried = 1; tried <= TRIES; tried += 1) {
    while ((await from.events.assign(1000)) > 0);
    if ((await executor.read(countWaiting())) === 0) return;
    await delay(PAUSE_MS);
  }
  throw new StoreError(
    "databaseUnusable",
    "Writes to the database to move are under way: stop every server first",
  );
}

function* countWaiting(): Steps<number> {
  return countOf(yield sql`SELECT count(*) AS n FROM events WHERE position IS NULL`, "n");
}

/** Tables that name a tenant as soon as it holds anything. */
const NAMING = [
  "tenants",
  "connections",
  "tokens",
  "admin_issuers",
  "resource_counters",
  "event_heads",
  "index_revisions",
  "import_runs",
];

interface Tenant {
  readonly name: string;
  /** Null where the tenant was never registered. */
  readonly row: TenantRow | null;
}

interface TenantRow {
  readonly created: string;
  readonly state: string;
  readonly displayName: string | null;
  /** Limits and retention, as JSON. */
  readonly settings: string;
  readonly documents: number;
  readonly revision: number;
}

/**
 * Holds the rules that are held for connections: the values come with their resources. One that somebody has begun and not
 * come to the end of is begun anew by whoever wants it.
 */
async function copyRules(
  { from, to }: { readonly from: Store; readonly to: Store },
  tenant: string,
): Promise<void> {
  for (const { connection } of await from.connections.list(tenant)) {
    for (const constraint of ALL_CONSTRAINTS) {
      const rule = connectionRule(constraint, { tenant, connection });
      const state = await from.resources.rules?.state(rule);
      if (state?.complete !== true) continue;
      await to.resources.rules?.begin(rule, state.token);
      await to.resources.rules?.complete(rule, state.token);
    }
  }
}

function* readTenants(): Steps<readonly Tenant[]> {
  const all = NAMING.map((table) => `SELECT tenant FROM ${table}`).join(" UNION ");
  const { rows }: Answer = yield {
    text: `SELECT a.tenant, t.created, t.state, t.display_name, t.settings, t.documents, t.revision FROM (${all}) a LEFT JOIN tenants t ON t.tenant = a.tenant ORDER BY a.tenant`,
    params: [],
  };
  return rows.map((row) => ({ name: textOf(row, "tenant"), row: tenantRowOf(row) }));
}

function tenantRowOf(row: Row): TenantRow | null {
  const created = textOrNullOf(row, "created");
  if (created === null) return null;
  return {
    created,
    state: textOf(row, "state"),
    displayName: textOrNullOf(row, "display_name"),
    settings: textOf(row, "settings"),
    documents: numberOf(row, "documents"),
    revision: numberOf(row, "revision"),
  };
}

function insertTenant(name: string, row: TenantRow): Sql {
  const { created, state, displayName, settings, documents, revision } = row;
  return sql`INSERT INTO tenants (tenant, created, state, display_name, settings, documents, revision)
    VALUES (${name}, ${created}, ${state}, ${displayName}, ${settings}, ${documents}, ${revision})
    ON CONFLICT (tenant) DO UPDATE SET created = excluded.created, state = excluded.state,
      display_name = excluded.display_name, settings = excluded.settings,
      documents = excluded.documents, revision = excluded.revision`;
}

interface Both {
  readonly source: Database;
  readonly target: Database;
}

/** Copies a tenant; yields how many rows were written. */
async function* copyTenant(both: Both, { name, row }: Tenant): AsyncGenerator<number, void, undefined> {
  if (row !== null) await write(both.target, [insertTenant(name, row)]);
  await write(both.target, [
    sql`DELETE FROM connections WHERE tenant = ${name}`,
    sql`DELETE FROM served_definitions WHERE tenant = ${name}`,
    sql`DELETE FROM index_revisions WHERE tenant = ${name}`,
    sql`DELETE FROM attribute_indexes WHERE tenant = ${name}`,
  ]);
  for (const table of SMALL_TABLES) yield* copyTable(both, table, name);
  yield await copyIndexes(both, name);
  for await (const rows of rowsOf(both.source, RESOURCES, name)) {
    await copyResources(both, name, rows);
    yield rows.length;
  }
  yield* copyTable(both, REFERENCES, name);
  yield* copyEvents(both, name);
  await write(both.target, counters(name));
}

async function* copyTable(
  { source, target }: Both,
  table: CopiedTable,
  tenant: string,
): AsyncGenerator<number> {
  for await (const rows of rowsOf(source, table, tenant)) {
    await write(target, [...insertions(table, tenant, rows)]);
    yield rows.length;
  }
}

async function copyResources(
  { source, target }: Both,
  tenant: string,
  rows: readonly CopiedRow[],
): Promise<void> {
  const statements: Sql[] = [...insertions(RESOURCES, tenant, rows)];
  for (const [type, ofType] of Map.groupBy(rows, ([each]) => String(each))) {
    const ids = ofType.map(([, id]) => String(id));
    const entries = await source.executor.read(readEntries(source, { tenant, type, ids }));
    statements.push(...entryInsertions(target, tenant, entries));
  }
  await write(target, statements);
}

/** A number below all that the database will ever give to a transaction, and each used once. */
async function* copyEvents({ source, target }: Both, tenant: string): AsyncGenerator<number> {
  const table = { ...EVENTS, key: ["transaction_number", "sequence", ...EVENTS.key] };
  for await (const rows of rowsOf(source, EVENTS, tenant)) {
    const placed = rows.map((row) => [-Number(row[0]), 0, ...row]);
    await write(target, [...insertions(table, tenant, placed)]);
    yield rows.length;
  }
  // The last event may be gone already, and its position must not be given again.
  const last = await source.executor.read(readHead(tenant));
  if (last === 0) return;
  await write(target, [sql`INSERT INTO event_heads (tenant, position) VALUES (${tenant}, ${last})`]);
}

function* readHead(tenant: string): Steps<number> {
  return countOf(yield sql`SELECT position FROM event_heads WHERE tenant = ${tenant}`, "position");
}

/** Indexes that are built are built in the copy; work on others begins anew. */
async function copyIndexes({ source, target }: Both, tenant: string): Promise<number> {
  const rows = await source.executor.read(readIndexes(tenant));
  await write(target, rows);
  return rows.length;
}

function* readIndexes(tenant: string): Steps<readonly Sql[]> {
  const { rows }: Answer = yield sql`SELECT type, path, origin, state, since FROM attribute_indexes
    WHERE tenant = ${tenant} ORDER BY type, path`;
  return rows.map((row) => {
    const state = textOf(row, "state") === "building" ? "declared" : textOf(row, "state");
    return sql`INSERT INTO attribute_indexes (tenant, type, path, origin, state, since, fence, progress, built)
      VALUES (${tenant}, ${textOf(row, "type")}, ${textOf(row, "path")}, ${textOf(row, "origin")}, ${state},
        ${textOrNullOf(row, "since")}, NULL, '', 0)`;
  });
}

function counters(tenant: string): readonly Sql[] {
  return [
    sql`DELETE FROM resource_counters WHERE tenant = ${tenant}`,
    sql`INSERT INTO resource_counters (tenant, type, shard, n)
      SELECT r.tenant, r.type, 0, count(*) FROM resources r
      WHERE r.tenant = ${tenant} AND r.deleted IS NULL GROUP BY r.tenant, r.type`,
  ];
}

function write({ executor }: Database, statements: readonly Sql[]): Promise<void> {
  return executor.write(function* run(): Steps<Outcome<void>> {
    for (const statement of statements) yield statement;
    return { keep: true, result: undefined };
  });
}

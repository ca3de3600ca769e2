/**
 * Copies what a store holds of one tenant.
 * @module
 */
import { type Sql, sql } from "../sql.ts";
import { type Answer, countOf, numberOf, type Row, type Steps, textOf, textOrNullOf } from "../steps.ts";
import { type Database, write } from "./databases.ts";
import { entryInsertions, readEntries } from "./entries.ts";
import { type CopiedRow, insertions, rowsOf } from "./rows.ts";
import { type CopiedTable, EVENTS, REFERENCES, RESOURCES, SMALL_TABLES } from "./tables.ts";

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

/** A tenant of the database to copy. */
export interface Tenant {
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
  /** Whether hashes of secrets are kept. */
  readonly secrets: string;
  readonly documents: number;
  readonly revision: number;
}

/** The tenants of a database, registered or not. */
export function* readTenants(): Steps<readonly Tenant[]> {
  const all = NAMING.map((table) => `SELECT tenant FROM ${table}`).join(" UNION ");
  const { rows }: Answer = yield {
    text: `SELECT a.tenant, t.created, t.state, t.display_name, t.settings, t.secrets, t.documents, t.revision FROM (${all}) a LEFT JOIN tenants t ON t.tenant = a.tenant ORDER BY a.tenant`,
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
    secrets: textOf(row, "secrets"),
    documents: numberOf(row, "documents"),
    revision: numberOf(row, "revision"),
  };
}

function insertTenant(name: string, row: TenantRow): Sql {
  const { created, state, displayName, settings, secrets, documents, revision } = row;
  return sql`INSERT INTO tenants (tenant, created, state, display_name, settings, secrets, documents, revision)
    VALUES (${name}, ${created}, ${state}, ${displayName}, ${settings}, ${secrets}, ${documents}, ${revision})
    ON CONFLICT (tenant) DO UPDATE SET created = excluded.created, state = excluded.state,
      display_name = excluded.display_name, settings = excluded.settings, secrets = excluded.secrets,
      documents = excluded.documents, revision = excluded.revision`;
}

/** The database that is copied, and that which it is copied to. */
export interface Both {
  readonly source: Database;
  readonly target: Database;
}

/** Copies a tenant; yields how many rows were written. */
export async function* copyTenant(
  both: Both,
  { name, row }: Tenant,
): AsyncGenerator<number, void, undefined> {
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
  await write(both.target, counters(name, await both.source.executor.read(readCounted(name))));
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

/** Where a row of a resource, which begins with its key, has its id and its body. */
const ID = RESOURCES.key.indexOf("id");
const BODY = RESOURCES.key.length + RESOURCES.columns.indexOf("body");

async function copyResources(
  { source, target }: Both,
  tenant: string,
  rows: readonly CopiedRow[],
): Promise<void> {
  const statements: Sql[] = [...insertions(RESOURCES, tenant, rows)];
  for (const [type, ofType] of Map.groupBy(rows, ([each]) => String(each))) {
    const bodies = new Map(ofType.map((row) => [String(row[ID]), String(row[BODY] ?? "{}")]));
    const entries = await source.executor.read(readEntries(source, { tenant, type, bodies }));
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

/** A type that has been counted: by it erasures find what is left of resources, also where none is live. */
interface CountedType {
  readonly type: string;
  /** By which revision of the tenant's schemas new ones must be made. */
  readonly schemas: number;
}

function* readCounted(tenant: string): Steps<readonly CountedType[]> {
  const { rows }: Answer = yield sql`SELECT type, max(schemas) AS schemas FROM resource_counters
    WHERE tenant = ${tenant} GROUP BY type ORDER BY type`;
  return rows.map((row) => ({ type: textOf(row, "type"), schemas: numberOf(row, "schemas") }));
}

function counters(tenant: string, counted: readonly CountedType[]): readonly Sql[] {
  return [
    sql`DELETE FROM resource_counters WHERE tenant = ${tenant}`,
    ...counted.map(
      ({ type, schemas }) => sql`INSERT INTO resource_counters (tenant, type, shard, n, schemas)
        VALUES (${tenant}, ${type}, 0, 0, ${schemas})`,
    ),
    sql`INSERT INTO resource_counters (tenant, type, shard, n)
      SELECT r.tenant, r.type, 0, count(CASE WHEN r.deleted IS NULL THEN 1 END) FROM resources r
      WHERE r.tenant = ${tenant} GROUP BY r.tenant, r.type
      ON CONFLICT (tenant, type, shard) DO UPDATE SET n = excluded.n`,
  ];
}

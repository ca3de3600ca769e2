/**
 * Removes what belongs to a tenant, some rows at a time.
 * @module
 */
import type { Dialect } from "../dialect.ts";
import { removeFirst } from "../first-rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Outcome, type Steps, textOf } from "../steps.ts";

/** A table that holds rows of tenants, and its primary key behind the tenant, in the order of an index that no other begins like. */
type TenantTable = readonly [table: string, ...key: string[]];

const HASHES: TenantTable = ["secret_hashes", "type", "id", "path"];

/** In this order: what gives access goes first. `tenants` itself is none of them: its row keeps the name. */
const TENANT_TABLES: readonly TenantTable[] = [
  ["tokens", "id"],
  ["access_tokens", "hash"],
  ["client_secrets", "client", "id"],
  ["client_trusts", "client", "id"],
  ["used_assertions", "client", "jti"],
  ["oauth_clients", "id"],
  ["admin_identities", "id"],
  ["admin_issuers", "id"],
  ["connections", "connection"],
  ["attribute_index", "type", "id", "path", "key"],
  ["unique_values", "scope", "path", "key"],
  ["reference_values", "type", "owner", "path", "position"],
  ["staged_references", "stage", "path", "position"],
  ["reference_stages", "stage"],
  HASHES,
  ["resources", "type", "id"],
  ["resource_counters", "type", "shard"],
  ["events", "transaction_number", "sequence"],
  ["event_heads"],
  ["audit_entries", "position"],
  ["audit_checkpoints", "position"],
  ["guard_windows", "connection", "measure", "type"],
  ["guard_held", "connection", "measure", "type", "resource"],
  ["request_log", "id"],
  ["request_runs", "run"],
  ["request_sources", "connection"],
  ["subject_secrets", "id", "type"],
  ["erasures", "subject"],
  ["erased_lately", "id"],
  ["event_deliveries", "receiver", "position"],
  ["event_receivers", "id"],
  ["signing_keys", "id"],
  ["tenant_documents", "name"],
  ["served_definitions"],
  ["import_runs", "run"],
  ["index_leases"],
  ["index_revisions", "type"],
  ["attribute_indexes", "type", "path"],
];

/** The tables of a database that hold rows of tenants. */
export function tenantTables({ openTransactions }: Dialect): readonly TenantTable[] {
  // Where the database does not number transactions by itself, the last number is a row.
  return openTransactions === null ? [...TENANT_TABLES, ["outbox_heads"]] : TENANT_TABLES;
}

/**
 * Removes hashes of secrets of a tenant in one transaction, unless it keeps them by now. Resolves to how many. Its row is held
 * meanwhile: of what is hashed once the tenant says so again, nothing is there before.
 */
export function* removeTenantHashes(removal: Removal, { lockedRows }: Dialect): Steps<Outcome<number>> {
  const { rows }: Answer =
    yield sql`SELECT secrets FROM tenants WHERE tenant = ${removal.tenant} ${lockedRows}`;
  if (rows.some((row) => textOf(row, "secrets") !== "drop")) return { keep: true, result: 0 };
  return { keep: true, result: yield* removeFrom(HASHES, removal) };
}

/** Rows of a tenant that are to be removed. */
interface Removal {
  readonly tenant: string;
  /** So many at most. */
  readonly most: number;
}

/** Removes rows of a tenant in one transaction. Resolves to how many. */
export function* removeTenantRows(dialect: Dialect, { tenant, most }: Removal): Steps<Outcome<number>> {
  let removed = 0;
  for (const table of tenantTables(dialect)) {
    if (removed >= most) break;
    removed += yield* removeFrom(table, { tenant, most: most - removed });
  }
  return { keep: true, result: removed };
}

function removeFrom([name, ...key]: TenantTable, { tenant, most }: Removal): Steps<number> {
  const of = sql`tenant = ${tenant}`;
  const order = key.length === 0 ? [sql`tenant`] : key.map(named);
  return removeFirst({ table: named(name), of, order }, most);
}

/** Names that come from the list above, never from elsewhere. */
function named(text: string): Sql {
  return { text, params: [] };
}

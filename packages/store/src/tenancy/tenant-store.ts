/**
 * Tenants in SQL.
 * @module
 */
import {
  type FirstConnection,
  SECRET_HANDLINGS,
  type KeyPage,
  type SecretHandling,
  type Tenant,
  type TenantState,
  type TenantStore,
} from "@scim/tenancy";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import {
  type Executor,
  numberOf,
  type Outcome,
  type Row,
  type Steps,
  textOf,
  textOrNullOf,
} from "../steps.ts";
import { type Telling, toldWith } from "./admin-acts.ts";
import { insertConnection } from "./connection-store.ts";
import { removeTenantHashes, removeTenantRows } from "./tenant-rows.ts";
import { settingsOf, settingsText } from "./tenant-settings.ts";
import { transactionsOver } from "./transactions-over.ts";

/** Makes the store of tenants of a database. */
export function createTenantStore(executor: Pick<Executor, "read" | "write">, dialect: Dialect): TenantStore {
  return {
    find: (tenant) => executor.read(find(tenant)),
    list: (page) => executor.read(list(page)),
    add: (tenant, act, first) => executor.write((transaction) => insert(tenant, first, { transaction, act })),
    replace: (tenant, before, act) =>
      executor.write((transaction) => update(tenant, before, { transaction, act })),
    removeRows: async (tenant, most) => {
      const remove = (): Promise<number> => executor.write(() => removeTenantRows(dialect, { tenant, most }));
      const removed = await remove();
      if (removed > 0) return removed;
      // A write that was allowed before the tenant was deleted may not have come to its end: only then it is seen.
      await transactionsOver(executor, dialect, tenant);
      return remove();
    },
    removeHashes: (tenant, most) => executor.write(() => removeTenantHashes({ tenant, most }, dialect)),
  };
}

const COLUMNS: Sql = sql`tenant, created, state, display_name, settings, secrets, documents, revision`;

function* find(tenant: string): Steps<Tenant | null> {
  const { rows } = yield sql`SELECT ${COLUMNS} FROM tenants WHERE tenant = ${tenant}`;
  const [row] = rows;
  return row === undefined ? null : tenantOf(row);
}

function* list({ after, count }: KeyPage): Steps<readonly Tenant[]> {
  const { rows } = yield sql`SELECT ${COLUMNS} FROM tenants
    WHERE tenant > ${after ?? ""} ORDER BY tenant LIMIT ${count}`;
  return rows.map(tenantOf);
}

function* insert(
  tenant: Tenant,
  first: FirstConnection | undefined,
  telling: Telling,
): Steps<Outcome<boolean>> {
  const { changes } = yield sql`INSERT INTO tenants (${COLUMNS})
    VALUES (${tenant.tenant}, ${tenant.created}, ${tenant.state}, ${tenant.displayName},
      ${settingsText(tenant)}, ${tenant.secrets}, ${tenant.documents}, ${tenant.revision})
    ON CONFLICT DO NOTHING`;
  const added = yield* toldWith(telling, changes > 0);
  if (added.keep && first !== undefined)
    yield* insertConnection(first.connection, { ...telling, act: first.act });
  return added;
}

function* update(tenant: Tenant, before: number, telling: Telling): Steps<Outcome<boolean>> {
  return yield* toldWith(telling, yield* updateTenant(tenant, before));
}

/** Writes a tenant with its new revision. Answers whether the stored one has the revision `before`. */
export function* updateTenant(tenant: Tenant, before: number): Steps<boolean> {
  const { changes } = yield sql`UPDATE tenants
    SET state = ${tenant.state}, display_name = ${tenant.displayName}, settings = ${settingsText(tenant)},
      secrets = ${tenant.secrets}, documents = ${tenant.documents}, revision = ${tenant.revision}
    WHERE tenant = ${tenant.tenant} AND revision = ${before}`;
  return changes > 0;
}

const STATES: readonly TenantState[] = ["active", "suspended", "deleted"];

/** A state that a later release gives, this one does not know: such a tenant is served by no request. */
function stateOf(text: string): TenantState {
  return STATES.find((state) => state === text) ?? "suspended";
}

/** What a later release does with secrets, this one does not know: it keeps none. */
function secretsOf(text: string): SecretHandling {
  return SECRET_HANDLINGS.find((each) => each === text) ?? "drop";
}

function tenantOf(row: Row): Tenant {
  return {
    tenant: textOf(row, "tenant"),
    displayName: textOrNullOf(row, "display_name"),
    state: stateOf(textOf(row, "state")),
    ...settingsOf(textOf(row, "settings")),
    secrets: secretsOf(textOf(row, "secrets")),
    documents: numberOf(row, "documents"),
    created: textOf(row, "created"),
    revision: numberOf(row, "revision"),
  };
}

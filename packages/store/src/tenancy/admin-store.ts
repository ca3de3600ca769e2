/**
 * Administrators who sign in by an issuer, and those issuers, in SQL: rows of the tenant `admin`.
 * @module
 */
import {
  ADMIN_TENANT,
  type AdminAct,
  type AdminIdentity,
  type AdminIssuer,
  type AdminStore,
  type AdminSubject,
  type Revised,
  scopeOfRole,
} from "@scim/tenancy";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import type { Executor, Outcome, Steps } from "../steps.ts";
import { type Telling, toldWith } from "./admin-acts.ts";
import { groupsText, identityOf, issuerOf } from "./admin-of-row.ts";
import { isFull, NOT_ADDED } from "./room.ts";

/** Makes the store of administrators of a database. */
export function createAdminStore(
  executor: Pick<Executor, "read" | "write">,
  { administratorLock }: Dialect,
): AdminStore {
  // What counts rows, or goes by rows of the other table, is done one after another.
  const inTurn = (
    act: AdminAct | undefined,
    write: (telling: Telling) => Steps<Outcome<boolean>>,
  ): Promise<boolean> =>
    executor.write(function* (transaction) {
      if (administratorLock !== null) yield administratorLock;
      return yield* write({ transaction, act });
    });
  return {
    listIssuers: () => executor.read(selectIssuers(sql`1 = 1`)),
    findIssuers: (issuer) => executor.read(selectIssuers(sql`issuer = ${issuer}`)),
    addIssuer: (row, act, most) => inTurn(act, (telling) => insertIssuer(row, most, telling)),
    replaceIssuer: (row, before, act) =>
      executor.write((transaction) => updateIssuer(row, before, { transaction, act })),
    removeIssuer: (row, act) => inTurn(act, (telling) => deleteIssuer(row, telling)),
    listIdentities: () => executor.read(selectIdentities(sql`1 = 1`)),
    findIdentity: async (subject) => (await executor.read(selectIdentities(isSubject(subject))))[0] ?? null,
    addIdentity: (row, act, most) => inTurn(act, (telling) => insertIdentity(row, most, telling)),
    replaceIdentity: (row, before, act) =>
      executor.write((transaction) => updateIdentity(row, before, { transaction, act })),
    noteUse: (id, use) => executor.write(() => noteUse(id, use)),
    removeIdentity: (row, act) => executor.write((transaction) => deleteIdentity(row, { transaction, act })),
    hasOwner: (at) => executor.read(findOwner(at)),
  };
}

function* selectIssuers(which: Sql): Steps<readonly AdminIssuer[]> {
  const { rows } = yield sql`SELECT id, issuer, jwks_uri, audience, claim, algorithms, group_roles, state,
      created, created_by, revision FROM admin_issuers
    WHERE tenant = ${ADMIN_TENANT} AND ${which} ORDER BY created, id`;
  return rows.map(issuerOf);
}

function* insertIssuer(
  row: AdminIssuer,
  most: number | undefined,
  telling: Telling,
): Steps<Outcome<boolean>> {
  if (yield* isFull(sql`admin_issuers WHERE tenant = ${ADMIN_TENANT}`, most)) return NOT_ADDED;
  const { changes } = yield sql`INSERT INTO admin_issuers (tenant, id, issuer, jwks_uri, audience, claim,
      algorithms, group_roles, state, created, created_by, revision)
    VALUES (${ADMIN_TENANT}, ${row.id}, ${row.issuer}, ${row.jwksUri}, ${row.audience}, ${row.claim},
      ${JSON.stringify(row.algorithms)}, ${groupsText(row.groups)}, ${row.state}, ${row.created}, ${row.createdBy}, ${row.revision})
    ON CONFLICT DO NOTHING`;
  return yield* toldWith(telling, changes > 0);
}

function* updateIssuer(row: AdminIssuer, before: number, telling: Telling): Steps<Outcome<boolean>> {
  const { changes } = yield sql`UPDATE admin_issuers SET jwks_uri = ${row.jwksUri},
      algorithms = ${JSON.stringify(row.algorithms)}, group_roles = ${groupsText(row.groups)}, state = ${row.state}, revision = ${row.revision}
    WHERE tenant = ${ADMIN_TENANT} AND id = ${row.id} AND revision = ${before}`;
  return yield* toldWith(telling, changes > 0);
}

function* deleteIssuer({ id, revision }: Revised, telling: Telling): Steps<Outcome<boolean>> {
  const { changes } = yield sql`DELETE FROM admin_issuers
    WHERE tenant = ${ADMIN_TENANT} AND id = ${id} AND revision = ${revision}
      AND NOT EXISTS (SELECT 1 FROM admin_identities WHERE tenant = ${ADMIN_TENANT} AND issuer = ${id})`;
  return yield* toldWith(telling, changes > 0);
}

function* selectIdentities(which: Sql): Steps<readonly AdminIdentity[]> {
  const { rows } = yield sql`SELECT id, issuer, subject, name, scope, expires, created, created_by, revision,
      last_used FROM admin_identities WHERE tenant = ${ADMIN_TENANT} AND ${which} ORDER BY created, id`;
  return rows.map(identityOf);
}

function isSubject({ issuer, subject }: AdminSubject): Sql {
  return sql`issuer = ${issuer} AND subject = ${subject}`;
}

function* insertIdentity(
  row: AdminIdentity,
  most: number | undefined,
  telling: Telling,
): Steps<Outcome<boolean>> {
  const issuers = yield* selectIssuers(sql`id = ${row.issuer}`);
  const isFullOfThem = yield* isFull(sql`admin_identities WHERE tenant = ${ADMIN_TENANT}`, most);
  if (issuers.length === 0 || isFullOfThem) return NOT_ADDED;
  const { changes } = yield sql`INSERT INTO admin_identities (tenant, id, issuer, subject, name, scope,
      expires, created, created_by, revision)
    VALUES (${ADMIN_TENANT}, ${row.id}, ${row.issuer}, ${row.subject}, ${row.name},
      ${scopeOfRole(row.role, row.tenant)}, ${row.expires}, ${row.created}, ${row.createdBy}, ${row.revision})
    ON CONFLICT DO NOTHING`;
  return yield* toldWith(telling, changes > 0);
}

function* updateIdentity(row: AdminIdentity, before: number, telling: Telling): Steps<Outcome<boolean>> {
  const { changes } = yield sql`UPDATE admin_identities SET name = ${row.name},
      scope = ${scopeOfRole(row.role, row.tenant)}, expires = ${row.expires}, revision = ${row.revision}
    WHERE tenant = ${ADMIN_TENANT} AND id = ${row.id} AND revision = ${before}`;
  return yield* toldWith(telling, changes > 0);
}

function* noteUse(
  id: string,
  { at, before }: { readonly at: string; readonly before: string },
): Steps<Outcome<void>> {
  yield sql`UPDATE admin_identities SET last_used = ${at}
    WHERE tenant = ${ADMIN_TENANT} AND id = ${id} AND (last_used IS NULL OR last_used < ${before})`;
  return { keep: true, result: undefined };
}

function* deleteIdentity({ id, revision }: Revised, telling: Telling): Steps<Outcome<boolean>> {
  const { changes } = yield sql`DELETE FROM admin_identities
    WHERE tenant = ${ADMIN_TENANT} AND id = ${id} AND revision = ${revision}`;
  return yield* toldWith(telling, changes > 0);
}

function* findOwner(at: string): Steps<boolean> {
  const { rows } = yield sql`SELECT a.id FROM admin_identities a
    JOIN admin_issuers i ON i.tenant = a.tenant AND i.id = a.issuer
    WHERE a.tenant = ${ADMIN_TENANT} AND a.scope = ${scopeOfRole("owner", null)} AND i.state = 'active'
      AND (a.expires IS NULL OR a.expires > ${at}) LIMIT 1`;
  return rows.length > 0;
}

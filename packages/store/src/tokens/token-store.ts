/**
 * Tokens in SQL: each row is found by tenant first.
 * @module
 */
import type { StoredToken, TokenStore } from "@scim/tenancy";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import { type Executor, type Outcome, type Row, type Steps, textOf, textOrNullOf } from "../steps.ts";

/** Makes the store of tokens of a database. */
export function createTokenStore(executor: Executor, dialect: Dialect): TokenStore {
  return {
    findTokens: (tenant, hashes) =>
      executor.read(
        select(sql`${dialect.idList(hashes)} l CROSS JOIN tokens t
          WHERE t.tenant = ${tenant} AND t.hash = l.value`),
      ),
    listTokens: (tenant) => executor.read(select(sql`tokens t WHERE t.tenant = ${tenant}`)),
    addToken: (token) => executor.write(() => insert(token)),
    removeToken: (tenant, id) => executor.write(() => remove(tenant, id)),
  };
}

/** Reads tokens from a table `t` with its condition. */
function* select(source: Sql): Steps<readonly StoredToken[]> {
  const { rows } =
    yield sql`SELECT t.id, t.tenant, t.connection, t.hash, t.key_id, t.scopes, t.subject, t.expires,
    t.created FROM ${source} ORDER BY t.created, t.id`;
  return rows.map(tokenOf);
}

function* insert(token: StoredToken): Steps<Outcome<void>> {
  const { changes } =
    yield sql`INSERT INTO tokens (tenant, id, connection, hash, key_id, scopes, subject, expires, created)
    VALUES (${token.tenant}, ${token.id}, ${token.connection}, ${token.hash}, ${token.keyId},
      ${JSON.stringify(token.scopes)}, ${token.subject}, ${token.expires}, ${token.created})
    ON CONFLICT DO NOTHING`;
  if (changes === 0) throw new TypeError(`Tenant ${token.tenant} has a token of this id or hash already`);
  return { keep: true, result: undefined };
}

function* remove(tenant: string, id: string): Steps<Outcome<boolean>> {
  const { changes } = yield sql`DELETE FROM tokens WHERE tenant = ${tenant} AND id = ${id}`;
  return { keep: true, result: changes > 0 };
}

function tokenOf(row: Row): StoredToken {
  const scopes: unknown = JSON.parse(textOf(row, "scopes"));
  return {
    id: textOf(row, "id"),
    tenant: textOf(row, "tenant"),
    connection: textOf(row, "connection"),
    hash: textOf(row, "hash"),
    keyId: textOf(row, "key_id"),
    scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : [],
    subject: textOrNullOf(row, "subject"),
    expires: textOrNullOf(row, "expires"),
    created: textOf(row, "created"),
  };
}

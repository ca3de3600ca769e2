/**
 * Tokens in SQL: each row is found by tenant first.
 * @module
 */
import type { KeyedHash, StoredToken, TokenName, TokenScheme, TokenStore } from "@scim/tenancy";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import { type Executor, type Outcome, type Row, type Steps, textOf, textOrNullOf } from "../steps.ts";
import { type Telling, toldWith } from "./admin-acts.ts";
import { whileThere } from "./connection-rows.ts";
import { onPage } from "./on-page.ts";
import { purgeTokens } from "./purge-credentials.ts";
import { isFull, NOT_ADDED } from "./room.ts";

/** Makes the store of tokens of a database. */
export function createTokenStore(executor: Pick<Executor, "read" | "write">, dialect: Dialect): TokenStore {
  return {
    findTokens: (tenant, hashes) =>
      executor.read(
        select(sql`${dialect.idList(hashes)} l CROSS JOIN tokens t
          WHERE t.tenant = ${tenant} AND t.hash = l.value AND t.revoked IS NULL`),
      ),
    // As the index tokens_foreign has it: anybody may have this asked by a text that is no token.
    findForeignTokens: (tenant, at) =>
      executor.read(
        select(sql`tokens t WHERE t.tenant = ${tenant}
          AND t.scheme <> 'keyed' AND t.scheme <> 'sha256' AND t.revoked IS NULL
          AND (t.expires IS NULL OR t.expires > ${at})`),
      ),
    listTokens: (tenant, { connection = null, id, page } = {}) => {
      const of = connection === null ? sql`` : sql` AND t.connection = ${connection}`;
      const one = id === undefined ? sql`` : sql` AND t.id = ${id}`;
      const { behind, most } = onPage(sql`t.id`, page);
      return executor.read(
        select(sql`tokens t WHERE t.tenant = ${tenant}${of}${one}${behind}`, sql`ORDER BY t.id${most}`),
      );
    },
    addToken: (token, act, of) =>
      executor.write((transaction) =>
        whileThere(of, dialect, function* () {
          if (of?.most !== undefined && (yield* isFullOfAlike(token, of.most, dialect))) return NOT_ADDED;
          return yield* insert(token, { transaction, act });
        }),
      ),
    revokeToken: (name, at, act) =>
      executor.write((transaction) => revoke({ ...name, at }, { transaction, act })),
    removeToken: (tenant, id) => executor.write(() => remove(tenant, id)),
    purgeTokens: (tenant, before, limit) => purgeTokens(executor, { tenant, before, limit }),
    rehashToken: (name, hash, at) => executor.write(() => rehash(name, hash, at)),
    noteUse: (name, use) => executor.write(() => noteUse(name, use)),
  };
}

/** Reads tokens from a table `t` with its condition. */
function* select(source: Sql, order: Sql = sql`ORDER BY t.created, t.id`): Steps<readonly StoredToken[]> {
  const { rows } =
    yield sql`SELECT t.id, t.tenant, t.connection, t.hash, t.key_id, t.scopes, t.subject, t.expires,
    t.created, t.name, t.created_by, t.last_used, t.revoked, t.scheme, t.sealed_key
    FROM ${source} ${order}`;
  return rows.map(tokenOf);
}

/** Whether a tenant has as many tokens of a scheme as it may have over all connections, and holds it, so that none comes meanwhile. */
function* isFullOfAlike(
  { tenant, scheme, created }: StoredToken,
  most: number,
  { lockedRows }: Dialect,
): Steps<boolean> {
  yield sql`SELECT tenant FROM tenants WHERE tenant = ${tenant} ${lockedRows}`;
  const alike = sql`tokens WHERE tenant = ${tenant} AND scheme = ${scheme} AND revoked IS NULL
    AND (expires IS NULL OR expires > ${created})`;
  return yield* isFull(alike, most);
}

function* insert(token: StoredToken, telling: Telling): Steps<Outcome<boolean>> {
  const { changes } =
    yield sql`INSERT INTO tokens (tenant, id, connection, hash, key_id, scopes, subject, expires, created,
      name, created_by, last_used, revoked, scheme, sealed_key)
    VALUES (${token.tenant}, ${token.id}, ${token.connection}, ${token.hash}, ${token.keyId},
      ${JSON.stringify(token.scopes)}, ${token.subject}, ${token.expires}, ${token.created},
      ${token.name}, ${token.createdBy}, ${token.lastUsed}, ${token.revoked}, ${token.scheme}, ${token.sealedKey})
    ON CONFLICT DO NOTHING`;
  if (changes === 0) throw new TypeError(`Tenant ${token.tenant} has a token of this id or hash already`);
  return yield* toldWith(telling, true);
}

/** The hash goes as well: a program of an earlier release, which knows of no revocation, finds the token no more. */
function* revoke(
  { tenant, id, at }: TokenName & { readonly at: string },
  telling: Telling,
): Steps<Outcome<boolean>> {
  const { changes } =
    yield sql`UPDATE tokens SET revoked = ${at}, hash = ${`revoked ${id}`}, sealed_key = NULL
    WHERE tenant = ${tenant} AND id = ${id} AND revoked IS NULL`;
  return yield* toldWith(telling, changes > 0);
}

function* remove(tenant: string, id: string): Steps<Outcome<boolean>> {
  const { changes } = yield sql`DELETE FROM tokens WHERE tenant = ${tenant} AND id = ${id}`;
  return { keep: true, result: changes > 0 };
}

function* rehash({ tenant, id }: TokenName, { hash, keyId }: KeyedHash, at: string): Steps<Outcome<void>> {
  yield sql`UPDATE tokens SET hash = 'ended ' || id
    WHERE tenant = ${tenant} AND hash = ${hash} AND id <> ${id} AND expires <= ${at}`;
  yield sql`UPDATE tokens SET hash = ${hash}, key_id = ${keyId}, scheme = 'keyed', sealed_key = NULL
    WHERE tenant = ${tenant} AND id = ${id} AND scheme <> 'keyed' AND revoked IS NULL
      AND NOT EXISTS (SELECT 1 FROM tokens o WHERE o.tenant = ${tenant} AND o.hash = ${hash})`;
  return { keep: true, result: undefined };
}

function* noteUse(
  { tenant, id }: TokenName,
  { at, before }: { readonly at: string; readonly before: string },
): Steps<Outcome<void>> {
  yield sql`UPDATE tokens SET last_used = ${at}
    WHERE tenant = ${tenant} AND id = ${id} AND (last_used IS NULL OR last_used < ${before})`;
  return { keep: true, result: undefined };
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
    name: textOrNullOf(row, "name"),
    createdBy: textOrNullOf(row, "created_by"),
    lastUsed: textOrNullOf(row, "last_used"),
    revoked: textOrNullOf(row, "revoked"),
    scheme: schemeOf(textOf(row, "scheme")),
    sealedKey: textOrNullOf(row, "sealed_key"),
  };
}

const SCHEMES: readonly TokenScheme[] = ["keyed", "sha256", "hmac-sha256", "bcrypt"];

function schemeOf(text: string): TokenScheme {
  const scheme = SCHEMES.find((known) => known === text);
  if (scheme === undefined) throw new TypeError(`There is no scheme '${text}' of token hashes`);
  return scheme;
}

/**
 * OAuth clients, their credentials and access tokens in SQL: each row is found by tenant first.
 * @module
 */
import {
  type AccessToken,
  type ClientCredentialName,
  type ClientName,
  type ClientSecret,
  type ClientStore,
  type ClientTrust,
  isSameTrust,
  type OAuthClient,
  type TrustQuery,
  type UsedAssertion,
  type WithClient,
} from "@scim/tenancy";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import type { Answer, Executor, Outcome, Steps } from "../steps.ts";
import { type Telling, toldWith } from "./admin-acts.ts";
import { removeClients, removeLeftTrusts, whileClientThere } from "./client-rows.ts";
import { whileThere } from "./connection-rows.ts";
import { onPage } from "./on-page.ts";
import { purgeExpired, purgeSecrets } from "./purge-credentials.ts";
import { isFull, NOT_ADDED } from "./room.ts";
import { accessTokenOf, clientOf, secretOf, trustOf } from "./client-of-row.ts";

/** Expired rows that go with each new access token: more than come. */
const MOST_EXPIRED = 100;

/** The columns of a trust. */
const TRUST_COLUMNS = sql`t.tenant, t.client, t.id, t.purpose, t.issuer, t.jwks_uri, t.audience, t.claim, t.subject,
      t.require_jti, t.created, t.created_by`;

/** Makes the store of OAuth clients of a database. */
export function createClientStore(executor: Pick<Executor, "read" | "write">, dialect: Dialect): ClientStore {
  return {
    findClient: async (name) =>
      (await executor.read(selectClients(name.tenant, sql`c.id = ${name.id}`)))[0] ?? null,
    listClients: (tenant, connection, page) => {
      const of = connection === null ? sql`1 = 1` : sql`c.connection = ${connection}`;
      const { behind, most } = onPage(sql`c.id`, page);
      return executor.read(selectClients(tenant, sql`${of}${behind}`, most));
    },
    addClient: (client, act, of) =>
      executor.write((transaction) =>
        whileThere(of, dialect, () => insertClient(client, of?.most, { transaction, act })),
      ),
    replaceClient: (client, before, act) =>
      executor.write((transaction) => updateClient(client, before, { transaction, act })),
    removeClient: (client, act) =>
      executor.write((transaction) => removeClient(client, dialect, { transaction, act })),
    listSecrets: (client) => executor.read(selectSecrets(client)),
    addSecret: (secret, act, most) =>
      executor.write((transaction) =>
        whileClientThere(ownerOf(secret), dialect, () => insertSecret(secret, most, { transaction, act })),
      ),
    removeSecret: (name, act) =>
      executor.write((transaction) => removeCredential(sql`client_secrets`, name, { transaction, act })),
    purgeSecrets: (tenant, before, limit) => purgeSecrets(executor, { tenant, before, limit }),
    listTrusts: (client) => executor.read(selectTrusts(client)),
    findAccessTrusts: (tenant, query) => executor.read(findAccessTrusts(tenant, query, dialect)),
    addTrust: (trust, act, most) =>
      executor.write((transaction) =>
        whileClientThere(ownerOf(trust), dialect, () => insertTrust(trust, most, { transaction, act })),
      ),
    removeTrust: (name, act) =>
      executor.write((transaction) => removeCredential(sql`client_trusts`, name, { transaction, act })),
    addAccessToken: (token, used) => executor.write(() => insertAccessToken(token, used)),
    purgeExpired: (tenant, at, limit) => purgeExpired(executor, { tenant, before: at, limit }),
    findAccessTokens: (tenant, hashes) => executor.read(findAccessTokens(tenant, hashes, dialect)),
  };
}

function* selectClients(tenant: string, which: Sql, most: Sql = sql``): Steps<readonly OAuthClient[]> {
  const { rows } = yield sql`SELECT c.tenant, c.id, c.connection, c.name, c.state, c.scopes,
      c.token_lifetime, c.created, c.created_by, c.revision FROM oauth_clients c
    WHERE c.tenant = ${tenant} AND ${which} ORDER BY c.id${most}`;
  return rows.map(clientOf);
}

/** The client that a secret or a trust is of. */
function ownerOf({ tenant, client }: Pick<ClientCredentialName, "tenant" | "client">): ClientName {
  return { tenant, id: client };
}

function* insertClient(
  row: OAuthClient,
  most: number | undefined,
  telling: Telling,
): Steps<Outcome<boolean>> {
  const beside = sql`oauth_clients WHERE tenant = ${row.tenant} AND connection = ${row.connection}`;
  if (yield* isFull(beside, most)) return NOT_ADDED;
  const { changes } = yield sql`INSERT INTO oauth_clients (tenant, id, connection, name, state, scopes,
      token_lifetime, created, created_by, revision)
    VALUES (${row.tenant}, ${row.id}, ${row.connection}, ${row.name}, ${row.state}, ${JSON.stringify(row.scopes)},
      ${row.tokenLifetime}, ${row.created}, ${row.createdBy}, ${row.revision})
    ON CONFLICT DO NOTHING`;
  if (changes === 0) throw new TypeError(`Tenant ${row.tenant} has a client ${row.id} already`);
  return yield* toldWith(telling, true);
}

function* updateClient(row: OAuthClient, before: number, telling: Telling): Steps<Outcome<boolean>> {
  const { changes } = yield sql`UPDATE oauth_clients SET name = ${row.name}, state = ${row.state},
      scopes = ${JSON.stringify(row.scopes)}, token_lifetime = ${row.tokenLifetime}, revision = ${row.revision}
    WHERE tenant = ${row.tenant} AND id = ${row.id} AND revision = ${before}`;
  return yield* toldWith(telling, changes > 0);
}

function* removeClient(
  { tenant, id, revision }: ClientName & Pick<OAuthClient, "revision">,
  dialect: Dialect,
  telling: Telling,
): Steps<Outcome<boolean>> {
  const removed = yield* removeClients(tenant, sql`id = ${id} AND revision = ${revision}`, dialect);
  return yield* toldWith(telling, removed > 0);
}

function* selectSecrets({ tenant, id }: ClientName): Steps<readonly ClientSecret[]> {
  const { rows } =
    yield sql`SELECT tenant, client, id, hash, key_id, created, created_by, expires, last_used FROM client_secrets
    WHERE tenant = ${tenant} AND client = ${id} ORDER BY created, id`;
  return rows.map(secretOf);
}

function* insertSecret(
  row: ClientSecret,
  most: number | undefined,
  telling: Telling,
): Steps<Outcome<boolean>> {
  const good = sql`client_secrets WHERE tenant = ${row.tenant} AND client = ${row.client} AND expires > ${row.created}`;
  if (yield* isFull(good, most)) return NOT_ADDED;
  const { changes } = yield sql`INSERT INTO client_secrets (tenant, client, id, hash, key_id, created,
      created_by, expires, last_used)
    VALUES (${row.tenant}, ${row.client}, ${row.id}, ${row.hash}, ${row.keyId}, ${row.created}, ${row.createdBy},
      ${row.expires}, ${row.lastUsed})
    ON CONFLICT DO NOTHING`;
  if (changes === 0) throw new TypeError(`Client ${row.client} has a secret ${row.id} already`);
  return yield* toldWith(telling, true);
}

/** @param table `client_secrets` or `client_trusts` */
function* removeCredential(
  table: Sql,
  { tenant, client, id }: ClientCredentialName,
  telling: Telling,
): Steps<Outcome<boolean>> {
  yield sql`DELETE FROM access_tokens
    WHERE tenant = ${tenant} AND client = ${client} AND credential = ${id}`;
  const { changes } = yield sql`DELETE FROM ${table}
    WHERE tenant = ${tenant} AND client = ${client} AND id = ${id}`;
  return yield* toldWith(telling, changes > 0);
}

function* selectTrusts({ tenant, id }: ClientName): Steps<readonly ClientTrust[]> {
  const { rows } = yield sql`SELECT ${TRUST_COLUMNS} FROM client_trusts t
    WHERE t.tenant = ${tenant} AND t.client = ${id} ORDER BY t.created, t.id`;
  return rows.map(trustOf);
}

function* findAccessTrusts(
  tenant: string,
  { issuer, subjects }: TrustQuery,
  dialect: Dialect,
): Steps<readonly WithClient<"trust", ClientTrust>[]> {
  const { rows } = yield sql`SELECT ${TRUST_COLUMNS} FROM client_trusts t
    WHERE t.tenant = ${tenant} AND t.purpose = 'access-token' AND t.issuer = ${issuer}
      AND t.subject IN ${dialect.idList(subjects)} ORDER BY t.created, t.id`;
  const trusts = rows.map(trustOf);
  const clients = yield* clientsOf(tenant, trusts, dialect);
  return trusts.flatMap((trust) => {
    const client = clients.get(trust.client);
    return client === undefined ? [] : [{ trust, client }];
  });
}

function* clientsOf(
  tenant: string,
  rows: readonly { readonly client: string }[],
  dialect: Dialect,
): Steps<ReadonlyMap<string, OAuthClient>> {
  if (rows.length === 0) return new Map();
  const ids = [...new Set(rows.map(({ client }) => client))];
  const clients = yield* selectClients(tenant, sql`c.id IN ${dialect.idList(ids)}`);
  return new Map(clients.map((client) => [client.id, client]));
}

function* insertTrust(row: ClientTrust, most: number | undefined, telling: Telling): Steps<Outcome<boolean>> {
  const own = yield* selectTrusts(ownerOf(row));
  const isFullOfThem = most !== undefined && own.length >= most;
  if (isFullOfThem || own.some((other) => isSameTrust(other, row))) return NOT_ADDED;
  if (row.purpose === "access-token") yield* removeLeftTrusts(row);
  const { changes } = yield sql`INSERT INTO client_trusts (tenant, client, id, purpose, issuer, jwks_uri,
      audience, claim, subject, require_jti, created, created_by)
    VALUES (${row.tenant}, ${row.client}, ${row.id}, ${row.purpose}, ${row.issuer}, ${row.jwksUri},
      ${row.audience}, ${row.claim}, ${row.subject}, ${row.requireJti ? 1 : 0}, ${row.created}, ${row.createdBy})
    ON CONFLICT DO NOTHING`;
  return yield* toldWith(telling, changes > 0);
}

function* insertAccessToken(row: AccessToken, used: UsedAssertion | null): Steps<Outcome<boolean>> {
  const { tenant, client, created } = row;
  yield expired(sql`access_tokens`, row);
  if (used !== null) {
    yield expired(sql`used_assertions`, row);
    const { changes }: Answer = yield sql`INSERT INTO used_assertions (tenant, client, jti, expires)
      VALUES (${tenant}, ${client}, ${used.jti}, ${used.expires}) ON CONFLICT DO NOTHING`;
    if (changes === 0) return { keep: false, result: false };
  }
  yield sql`INSERT INTO access_tokens (tenant, hash, key_id, client, credential, scopes, created, expires)
    VALUES (${tenant}, ${row.hash}, ${row.keyId}, ${client}, ${row.credential}, ${JSON.stringify(row.scopes)},
      ${created}, ${row.expires})`;
  yield sql`UPDATE client_secrets SET last_used = ${created}
    WHERE tenant = ${tenant} AND client = ${client} AND id = ${row.credential}`;
  return { keep: true, result: true };
}

/** The statement that removes rows that were over before an access token came: the first, and those that end at the same instant as their last. */
function expired(table: Sql, { tenant, created }: AccessToken): Sql {
  const over = sql`tenant = ${tenant} AND expires < ${created}`;
  return sql`DELETE FROM ${table} WHERE ${over} AND expires <= coalesce((SELECT expires FROM ${table}
    WHERE ${over} ORDER BY expires LIMIT 1 OFFSET ${MOST_EXPIRED - 1}), ${created})`;
}

/**
 * Whether a table has the credential that an access token `t` was given for: one that was on its way when its secret or
 * trust went is stored behind that.
 */
function credentialOf(tenant: string, table: Sql): Sql {
  return sql`EXISTS (SELECT 1 FROM ${table} c
        WHERE c.tenant = ${tenant} AND c.client = t.client AND c.id = t.credential)`;
}

function* findAccessTokens(
  tenant: string,
  hashes: readonly string[],
  dialect: Dialect,
): Steps<readonly WithClient<"token", AccessToken>[]> {
  const { rows } = yield sql`SELECT t.tenant, t.client, t.credential, t.hash, t.key_id, t.scopes, t.created,
      t.expires
    FROM ${dialect.idList(hashes)} l CROSS JOIN access_tokens t
    WHERE t.tenant = ${tenant} AND t.hash = l.value
      AND (${credentialOf(tenant, sql`client_secrets`)} OR ${credentialOf(tenant, sql`client_trusts`)})`;
  const tokens = rows.map(accessTokenOf);
  const clients = yield* clientsOf(tenant, tokens, dialect);
  return tokens.flatMap((token) => {
    const client = clients.get(token.client);
    return client === undefined ? [] : [{ token, client }];
  });
}

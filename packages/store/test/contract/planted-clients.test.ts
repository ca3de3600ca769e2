import { ADMIN_STORE_CONTRACT, CLIENT_STORE_CONTRACT, TENANCY_STORE_CONTRACT } from "@scim/tenancy/testing";
import { expect, test } from "vitest";
import { ANYWHERE, type Planted, violations } from "../support/planted-statements.ts";

/** Bugs of stores of OAuth clients and of administrators. */
const PLANTED: Planted = [
  [
    "client/remove-whole",
    "leaves the secrets of a tenant",
    ["DELETE FROM client_secrets WHERE tenant = ? AND (client, id)", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "client/remove-whole",
    "leaves the trusts of a tenant",
    ["DELETE FROM client_trusts WHERE tenant = ? AND (client, id)", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "client/remove-whole",
    "leaves the used assertions of a tenant",
    ["DELETE FROM used_assertions WHERE tenant = ? AND (client, jti)", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "client/remove-whole",
    "leaves the documents of a tenant",
    ["DELETE FROM tenant_documents WHERE tenant = ? AND (name)", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "client/remove-whole",
    "leaves what a tenant was served by",
    ["DELETE FROM served_definitions", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "client/remove-whole",
    "removes more rows of a tenant than it may",
    ["SELECT id FROM tokens WHERE tenant = ? ORDER BY id LIMIT 1 OFFSET", "OFFSET ?", "OFFSET ? + 9"],
  ],
  [
    "client/remove-whole",
    "removes as many rows of each kind as it may of all",
    [
      "SELECT connection FROM connections WHERE tenant = ? ORDER BY connection LIMIT 1 OFFSET",
      "OFFSET ?",
      "OFFSET ? + 9",
    ],
  ],
  [
    "tenant/neighbours",
    "purges access tokens of every tenant",
    ["DELETE FROM access_tokens WHERE tenant = ? AND expires < ? AND (expires", "tenant = ?", ANYWHERE],
  ],
  [
    "client/purge-secrets",
    "removes secrets of every tenant",
    ["DELETE FROM client_secrets WHERE tenant = ? AND expires < ?", "tenant = ?", ANYWHERE],
  ],
  [
    "client/purge",
    "keeps notes of assertions",
    ["DELETE FROM used_assertions WHERE tenant = ? AND expires", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "tenant/neighbours",
    "lists the clients of connections of a name",
    ["SELECT c.tenant, c.id", "c.tenant = ? AND c.connection", "? <> '' AND c.connection"],
  ],
  [
    "tenant/neighbours",
    "finds a client of another tenant by an access token",
    ["SELECT c.tenant, c.id", "c.tenant = ? AND c.id IN", "? <> '' AND c.id IN"],
  ],
  [
    "tenant/neighbours",
    "replaces a client in every tenant",
    ["UPDATE oauth_clients", "WHERE tenant = ?", "WHERE ? <> ''"],
  ],
  [
    "tenant/neighbours",
    "replaces every client of a tenant",
    ["UPDATE oauth_clients", "AND id = ?", "AND ? <> ''"],
  ],
  [
    "client/replace",
    "keeps the scopes of a client that is replaced",
    ["UPDATE oauth_clients", "scopes = ?", "scopes = COALESCE(scopes, ?)"],
  ],
  [
    "client/remove-whole",
    "leaves the secrets of a client",
    [
      "DELETE FROM client_secrets WHERE tenant = ? AND client IN (SELECT id FROM oauth_clients WHERE tenant = ? AND id",
      "tenant = ?",
      "1 = 0 AND tenant = ?",
    ],
  ],
  [
    "client/remove-whole",
    "leaves the trusts of a client",
    [
      "DELETE FROM client_trusts WHERE tenant = ? AND client IN (SELECT id FROM oauth_clients WHERE tenant = ? AND id",
      "tenant = ?",
      "1 = 0 AND tenant = ?",
    ],
  ],
  [
    "tenant/neighbours",
    "removes trusts of a client in every tenant",
    [
      "DELETE FROM client_trusts WHERE tenant = ? AND client IN (SELECT id FROM oauth_clients WHERE tenant = ? AND id",
      "tenant = ?",
      ANYWHERE,
    ],
  ],
  [
    "client/remove-whole",
    "leaves the access tokens of a client",
    [
      "DELETE FROM access_tokens WHERE tenant = ? AND client IN (SELECT id FROM oauth_clients WHERE tenant = ? AND id",
      "tenant = ?",
      "1 = 0 AND tenant = ?",
    ],
  ],
  [
    "client/remove-whole",
    "leaves the used assertions of a client",
    [
      "DELETE FROM used_assertions WHERE tenant = ? AND client IN (SELECT id FROM oauth_clients WHERE tenant = ? AND id",
      "tenant = ?",
      "1 = 0 AND tenant = ?",
    ],
  ],
  [
    "tenant/neighbours",
    "removes a secret in every tenant",
    ["DELETE FROM client_secrets WHERE tenant = ? AND client = ?", "tenant = ?", ANYWHERE],
  ],
  [
    "tenant/neighbours",
    "ends access tokens of other clients with a secret",
    ["DELETE FROM access_tokens WHERE tenant = ? AND client = ? AND credential", "client = ?", ANYWHERE],
  ],
  [
    "tenant/neighbours",
    "ends access tokens of other tenants with a secret",
    ["DELETE FROM access_tokens WHERE tenant = ? AND client = ? AND credential", "tenant = ?", ANYWHERE],
  ],
  [
    "client/secrets",
    "ends access tokens of other secrets with one",
    ["DELETE FROM access_tokens WHERE tenant = ? AND client = ? AND credential", "credential = ?", ANYWHERE],
  ],
  [
    "tenant/neighbours",
    "lists trusts of every tenant",
    [
      "SELECT t.tenant, t.client, t.id, t.purpose, t.issuer, t.jwks_uri, t.audience, t.claim, t.subject, t.require_jti, t.created, t.created_by FROM client_trusts t WHERE t.tenant = ? AND t.client",
      "t.tenant = ?",
      ANYWHERE,
    ],
  ],
  [
    "tenant/neighbours",
    "removes a trust of every client",
    ["DELETE FROM client_trusts WHERE tenant = ? AND client = ?", "client = ?", ANYWHERE],
  ],
  [
    "tenant/neighbours",
    "believes the trusts of every tenant",
    [
      "SELECT t.tenant, t.client, t.id, t.purpose, t.issuer, t.jwks_uri, t.audience, t.claim, t.subject, t.require_jti, t.created, t.created_by FROM client_trusts t WHERE t.tenant = ? AND t.purpose",
      "t.tenant = ?",
      ANYWHERE,
    ],
  ],
  [
    "tenant/neighbours",
    "finds access tokens of every tenant",
    ["SELECT t.tenant, t.client, t.credential", "WHERE t.tenant = ? AND t.hash", "WHERE ? <> '' AND t.hash"],
  ],
  [
    "client/secrets",
    "finds access tokens of a secret that went",
    ["SELECT t.tenant, t.client, t.credential", /AND \(EXISTS.*$/, "AND (? <> '' OR ? <> '')"],
  ],
  [
    "client/secrets",
    "finds an access token by another client's secret",
    ["SELECT t.tenant, t.client, t.credential", "c.client = t.client AND", ""],
  ],
  [
    "client/assertion-once",
    "forgets assertions before their end",
    [
      "DELETE FROM used_assertions WHERE tenant = ? AND expires",
      /expires <=? .*$/,
      "(expires, ?, ?, ?, ?, ?) <> ('', '', '', '', '', '')",
    ],
  ],
  [
    "tenant/neighbours",
    "notes the use of secrets of all clients",
    ["UPDATE client_secrets", "AND client = ?", "AND ? <> ''"],
  ],
  [
    "tenant/neighbours",
    "notes the use of secrets in every tenant",
    ["UPDATE client_secrets", "WHERE tenant = ?", "WHERE ? <> ''"],
  ],
  [
    "admin/issuers",
    "finds an issuer by the beginning of its name",
    ["SELECT id, issuer, jwks_uri", "AND issuer = ?", "AND issuer LIKE ? || '%'"],
  ],
  [
    "admin/last-use",
    "forgets the last use of an administrator who is changed",
    ["UPDATE admin_identities SET name", "expires = ?", "last_used = NULL, expires = ?"],
  ],
  [
    "admin/last-use",
    "notes the use of every administrator",
    ["UPDATE admin_identities SET last_used", "AND id = ?", "AND ? <> ''"],
  ],
  [
    "admin/room",
    "counts no issuers",
    ["SELECT count(*) AS n FROM admin_issuers", "tenant = ?", "tenant = ? || '-'"],
  ],
  [
    "admin/room",
    "counts no administrators",
    ["SELECT count(*) AS n FROM admin_identities", "tenant = ?", "tenant = ? || '-'"],
  ],
  ["admin/issuers", "replaces every issuer", ["UPDATE admin_issuers", "AND id = ?", "AND ? <> ''"]],
  [
    "admin/identities",
    "removes an issuer that administrators sign in by",
    ["DELETE FROM admin_issuers WHERE tenant = ? AND id = ?", /AND NOT EXISTS.*$/, "AND ? <> ? || '-'"],
  ],
  ["admin/owner", "counts an owner who has just ended", ["SELECT a.id", "a.expires > ?", "a.expires >= ?"]],
  [
    "admin/owner",
    "counts an owner by another issuer that is active",
    ["SELECT a.id", "AND i.id = a.issuer", ""],
  ],
  [
    "client/assertion-once",
    "gives a token for an assertion that was used",
    ({ clients }) => ({
      clients: {
        ...clients,
        addAccessToken: async (token, used) =>
          (await clients.addAccessToken(token, used)) || clients.addAccessToken(token, null),
      },
    }),
  ],
];

test.each(PLANTED)("%s finds out a store that %s", async (rule, _, plant) => {
  expect(
    await violations(
      [...TENANCY_STORE_CONTRACT, ...CLIENT_STORE_CONTRACT, ...ADMIN_STORE_CONTRACT],
      rule,
      plant,
    ),
  ).toContain("broken");
});

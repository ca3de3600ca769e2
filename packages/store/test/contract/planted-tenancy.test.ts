import { CLIENT_STORE_CONTRACT, TENANCY_STORE_CONTRACT, TOKEN_STORE_CONTRACT } from "@scim/tenancy/testing";
import type { ContractRule } from "@scim/core/testing";
import type { Store } from "../../src/store.ts";
import { expect, test } from "vitest";
import { ANYWHERE, type Planted, violations } from "../support/planted-statements.ts";

const CONTRACT: readonly ContractRule<Store>[] = [
  ...TENANCY_STORE_CONTRACT,
  ...CLIENT_STORE_CONTRACT,
  ...TOKEN_STORE_CONTRACT.map(({ run, ...rule }) => ({
    ...rule,
    run: (open: () => Promise<Store>) => run(async () => (await open()).tokens),
  })),
];

const PURGE = "DELETE FROM tokens WHERE tenant = ? AND created_by";

/** Bugs of stores of tenants, connections and tokens. */
const PLANTED: Planted = [
  [
    "tenant/names",
    "finds a tenant however its name is spelt",
    ["SELECT tenant, created, state, display_name", "WHERE tenant = ?", "WHERE lower(tenant) = lower(?)"],
  ],
  ["tenant/neighbours", "replaces every tenant", ["UPDATE tenants", "WHERE tenant = ?", "WHERE ? <> ''"]],
  [
    "tenant/names",
    "finds a connection however its name is spelt",
    ["SELECT tenant, connection, created", "AND connection = ?", "AND lower(connection) = lower(?)"],
  ],
  [
    "tenant/neighbours",
    "pages through the connections of every tenant",
    [
      "SELECT tenant, connection, created, state, profile, switches, limits, revision FROM connections WHERE tenant = ? AND connection >",
      "tenant = ?",
      ANYWHERE,
    ],
  ],
  [
    "tenant/neighbours",
    "replaces a connection in every tenant",
    ["UPDATE connections", "WHERE tenant = ?", "WHERE ? <> ''"],
  ],
  [
    "tenant/neighbours",
    "replaces every connection of a tenant",
    ["UPDATE connections", "AND connection = ?", "AND ? <> ''"],
  ],
  [
    "tenant/neighbours",
    "removes a connection in every tenant",
    ["DELETE FROM connections WHERE tenant = ? AND connection = ? AND revision", "tenant = ?", ANYWHERE],
  ],
  [
    "token/list",
    "lists every token where one is asked for",
    ["SELECT t.id, t.tenant, t.connection, t.hash", "AND t.id = ?", "AND ? <> ''"],
  ],
  [
    "token/revoke",
    "finds a revoked token",
    ["UPDATE tokens SET revoked", "hash = ?", "hash = CASE WHEN ? = '' THEN '' ELSE hash END"],
  ],
  [
    "tenant/neighbours",
    "revokes a token in every tenant",
    ["UPDATE tokens SET revoked", "WHERE tenant = ?", "WHERE ? <> ''"],
  ],
  [
    "tenant/neighbours",
    "removes every token of a tenant",
    ["DELETE FROM tokens WHERE tenant = ? AND id = ?", "AND id = ?", "AND ? <> ''"],
  ],
  [
    "tenant/neighbours",
    "puts a hash in place in every tenant",
    ["UPDATE tokens SET hash", "WHERE tenant = ?", "WHERE ? <> ''"],
  ],
  [
    "token/foreign",
    "puts a hash in place of a revoked one",
    ["UPDATE tokens SET hash", "AND revoked IS NULL", ""],
  ],
  [
    "tenant/neighbours",
    "notes the use of a token in every tenant",
    ["UPDATE tokens SET last_used", "WHERE tenant = ?", "WHERE ? <> ''"],
  ],
  [
    "tenant/neighbours",
    "notes the use of every token",
    ["UPDATE tokens SET last_used", "AND id = ?", "AND ? <> ''"],
  ],
  ["token/foreign", "finds one that has ended", ["SELECT t.id, t.tenant", "t.expires > ?", "t.expires >= ?"]],
  ["token/purge", "purges in every tenant", [PURGE, "tenant = ?", ANYWHERE]],
  ["token/purge", "purges what ends at the instant", [PURGE, /expires < \?/, "expires <= ?"]],
  [
    "token/purge",
    "purges those of a start",
    [PURGE, "created_by <> ?", "created_by IS NOT NULL AND ? <> ''"],
  ],
  ["token/purge", "purges the last that was made", [PURGE, "id <> ?", ANYWHERE]],
  [
    "token/room",
    "counts those that have ended",
    ["SELECT count(*) AS n FROM tokens", "expires > ?", "expires >= ?"],
  ],
  [
    "token/last-use",
    "notes a use though one is noted at the instant",
    ["UPDATE tokens SET last_used", "last_used < ?", "last_used <= ?"],
  ],
  [
    "tenant/neighbours",
    "lists the tokens of connections of a name",
    [
      "SELECT t.id, t.tenant, t.connection, t.hash, t.key_id, t.scopes, t.subject, t.expires, t.created, t.name, t.created_by, t.last_used, t.revoked, t.scheme, t.sealed_key FROM tokens t WHERE t.tenant = ? AND t.connection",
      "t.tenant = ?",
      ANYWHERE,
    ],
  ],
  [
    "document/change",
    "lists documents of every tenant",
    ["SELECT name, kind, document", "tenant = ?", ANYWHERE],
  ],
  [
    "tenant/neighbours",
    "removes documents in every tenant",
    ["DELETE FROM tenant_documents WHERE tenant = ? AND name", "tenant = ?", ANYWHERE],
  ],
  [
    "tenant/neighbours",
    "records what is served in every tenant",
    ["UPDATE served_definitions", "WHERE tenant = ?", "WHERE ? <> ''"],
  ],
  [
    "connection/credentials",
    "adds a token to a connection of another tenant",
    ["SELECT connection FROM connections WHERE tenant = ? AND connection = ?", "tenant = ?", ANYWHERE],
  ],
  [
    "connection/remove",
    "removes the tokens of a connection that stays",
    ({ connections, tokens }) => ({
      connections: {
        ...connections,
        remove: async (connection, act) => {
          const { tenant, connection: name } = connection;
          for (const { id } of await tokens.listTokens(tenant, { connection: name }))
            await tokens.removeToken(tenant, id);
          return connections.remove(connection, act);
        },
      },
    }),
  ],
];

test.each(PLANTED)("%s finds out a store that %s", async (rule, _, plant) => {
  expect(await violations(CONTRACT, rule, plant)).toContain("broken");
});

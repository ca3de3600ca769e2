/**
 * Tokens as commands administer them: on the database, or on a running server.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import {
  ADMIN_TENANT,
  createToken,
  DEFAULT_NAME,
  findToken,
  type ImportedToken,
  importToken,
  type NewToken,
  revokeToken,
  roleOfScopes,
  type StoredToken,
  type TokenName,
} from "@scim/tenancy";
import { CommandFailure, EXIT } from "../failure.ts";
import { allOf } from "../remote/admin-pages.ts";
import { type AdminClient, at } from "../remote/admin-requests.ts";
import type { Administered } from "./administer.ts";
import { requireKnownConnection, requireKnownTenant } from "./known-tenant.ts";
import { connectionPath, requireConnectionAt } from "./connections.ts";
import { shownToken } from "./shown.ts";
import { shownAdmin } from "./shown-admins.ts";

/** What commands do to tokens; each is given as it is shown. The tenant `admin` has those of administrators. */
export interface TokenAdministration {
  /** Gives the token with its text as `token`. */
  create(wanted: NewToken): Promise<JsonObject>;
  import(wanted: ImportedToken): Promise<JsonObject>;
  /** @param connection null for those of all */
  list(tenant: string, connection: string | null): Promise<readonly JsonObject[]>;
  revoke(name: TokenName): Promise<JsonObject>;
}

/** Tokens, on the database or on a server. */
export const TOKENS: Administered<TokenAdministration> = {
  database: (ports) => {
    const found = async (name: TokenName): Promise<JsonObject> => shown(await findToken(ports, name));
    return {
      create: async (wanted) => {
        const { id, text } = await createToken(ports, wanted);
        return { ...(await found({ tenant: wanted.tenant, id })), token: text };
      },
      import: async (wanted) => found({ tenant: wanted.tenant, id: await importToken(ports, wanted) }),
      list: async (tenant, connection) => {
        await requireKnownTenant(ports, tenant);
        if (connection !== null) await requireKnownConnection(ports, { tenant, connection });
        return (await ports.tokens.listTokens(tenant, { connection })).map(shown);
      },
      revoke: async (name) => {
        await requireKnownTenant(ports, name.tenant);
        await revokeToken(ports, name);
        return found(name);
      },
    };
  },
  server: (admin) => ({
    create: (wanted) =>
      wanted.tenant === ADMIN_TENANT ? ofAdministrator(admin, wanted) : ofConnection(admin, wanted),
    import: ({ scheme, hash, key, ...wanted }) =>
      ofConnection(admin, wanted, { scheme, hash, key: key ?? null }),
    list: async (tenant, connection) => listed(admin, tenant, connection),
    revoke: async (name) => {
      const path = await pathOf(admin, name);
      await admin.change({ method: "DELETE", path });
      return admin.send({ method: "GET", path, answers: ["id"] });
    },
  }),
};

function shown(token: StoredToken): JsonObject {
  return token.tenant === ADMIN_TENANT ? shownAdmin(token) : shownToken(token);
}

/** What a server answers where it made a token. */
const MADE = ["id", "token"] as const;

function ofAdministrator(admin: AdminClient, { name, scopes, expires }: NewToken): Promise<JsonObject> {
  const { role, tenant } = roleOfScopes(scopes ?? ["admin"]) ?? { role: null, tenant: null };
  const body = { name, role, tenant, expires };
  return admin.send({ method: "POST", path: "/admins", body, answers: MADE });
}

function ofConnection(
  admin: AdminClient,
  { tenant, connection = DEFAULT_NAME, name, scopes, subject, expires }: NewToken,
  imported?: Pick<ImportedToken, "scheme" | "hash" | "key">,
): Promise<JsonObject> {
  const path = `${connectionPath({ tenant, connection })}/tokens`;
  const body = { name, scopes, subject, expires, imported };
  return admin.send({ method: "POST", path, body, answers: imported === undefined ? MADE : ["id"] });
}

async function listed(
  admin: AdminClient,
  tenant: string,
  connection: string | null,
): Promise<readonly JsonObject[]> {
  if (connection !== null) await requireConnectionAt(admin, { tenant, connection });
  if (tenant !== ADMIN_TENANT) {
    const path = at`/tenants/${tenant}/tokens`;
    return allOf(admin, { path, name: "tokens", query: { connection } });
  }
  const all = await allOf(admin, { path: "/admins", name: "admins" });
  return all.filter(({ kind }) => kind !== "identity");
}

/** The address of a token, which lies below its connection. */
async function pathOf(admin: AdminClient, { tenant, id }: TokenName): Promise<string> {
  if (tenant === ADMIN_TENANT) return at`/admins/${id}`;
  const found = (await listed(admin, tenant, null)).find((token) => token["id"] === id);
  const connection = found?.["connection"];
  if (typeof connection === "string") return `${connectionPath({ tenant, connection })}${at`/tokens/${id}`}`;
  throw new CommandFailure(EXIT.failed, `Tenant '${tenant}' has no token '${id}'.`);
}

/**
 * `/admin/v1/tenants/{tenant}/connections/{connection}/tokens`: tokens listed, made, imported and revoked; those of
 * all connections are listed at `/admin/v1/tenants/{tenant}/tokens`. A token is never changed, so that it has no version.
 * @module
 */
import { isJsonObject, type JsonObject } from "@scim/schemas";
import {
  createToken,
  findConnection,
  findTenant,
  findToken,
  importToken,
  revokeToken,
  TenancyError,
} from "@scim/tenancy";
import type { ImportedToken, StoredToken, TokenName } from "@scim/tenancy";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { shownToken } from "../administration/shown.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { pathName, portsOf } from "./acting.ts";
import { bodyOf, instant, oneOf, orNull, type ReadMember, scopes, text } from "./body.ts";
import { namedIn } from "./connections.ts";
import { KEY_PAGE, keyPageOf, type ReadKeyPage } from "./key-page.ts";
import { parameterOf, taking, tenantOf } from "./parameters.ts";
import { administratorOfRequest, asks, asksAndTells } from "./rights.ts";

const scheme = oneOf(["sha256", "hmac-sha256", "bcrypt"] as const);

/** The hash of a token that was made elsewhere. */
const imported: ReadMember<Pick<ImportedToken, "scheme" | "hash" | "key">> = (value) => {
  if (!isJsonObject(value)) throw new TypeError('it must be {"scheme": …, "hash": …}');
  const { scheme: by, hash, key = null, ...others } = value;
  if (by === undefined || hash === undefined || Object.keys(others).length > 0)
    throw new TypeError("it has a scheme, a hash and, for hmac-sha256, a key");
  return { scheme: scheme(by), hash: text(hash), key: orNull(text)(key) };
};

const NEW = {
  name: orNull(text),
  scopes,
  subject: orNull(text),
  expires: orNull(instant),
  imported,
};

const ALL = "/tenants/:tenant/connections/:connection/tokens";
const ONE = `${ALL}/:id`;

/** The routes of tokens. */
export function tokenRoutes(opened: OpenedStore): FastifyPluginAsync {
  const { tenants, connections, tokens } = opened.store;

  /** The token that an address names; those of other connections are not there. */
  async function named(request: FastifyRequest): Promise<StoredToken> {
    const name: TokenName = { tenant: tenantOf(request), id: pathName(request, "id") };
    const found = await findToken({ tokens }, name);
    if (found.connection === pathName(request, "connection")) return found;
    throw new TenancyError("notFound", `The connection has no token '${name.id}'.`);
  }

  /** A page of the tokens of a tenant, or of one of its connections. */
  async function listed(
    request: FastifyRequest,
    { tenant, connection }: { readonly tenant: string; readonly connection: string | null },
  ): Promise<{ readonly tokens: readonly JsonObject[]; readonly next: string | null }> {
    const read: ReadKeyPage<StoredToken> = (page) => tokens.listTokens(tenant, { connection, page });
    const { rows, next } = await keyPageOf(request, read, ({ id }) => id);
    return { tokens: rows.map(shownToken), next };
  }

  return async (instance) => {
    instance.get(
      "/tenants/:tenant/tokens",
      taking(asks("read"), "connection", ...KEY_PAGE),
      async (request) => {
        const { tenant } = await findTenant({ tenants }, tenantOf(request));
        return listed(request, { tenant, connection: parameterOf(request, "connection") });
      },
    );

    instance.get(ALL, taking(asks("read"), ...KEY_PAGE), async (request) => {
      return listed(request, await findConnection({ connections }, namedIn(request)));
    });

    instance.post(ALL, asksAndTells("change"), async (request, reply) => {
      const { imported: hashed, ...of } = bodyOf(request, NEW);
      const wanted = { ...of, ...namedIn(request), createdBy: administratorOfRequest(request).name };
      const ports = portsOf(opened, request);
      const { id, text: token } =
        hashed === undefined
          ? await createToken(ports, wanted)
          : { id: await importToken(ports, { ...wanted, ...hashed }), text: null };
      const made = await findToken(ports, { tenant: wanted.tenant, id });
      reply.code(201).header("location", `tokens/${id}`);
      return token === null ? shownToken(made) : { ...shownToken(made), token };
    });

    instance.get(ONE, asks("read"), async (request) => shownToken(await named(request)));

    instance.delete(ONE, asksAndTells("change"), async (request, reply) => {
      await revokeToken(portsOf(opened, request), await named(request));
      return reply.code(204).send();
    });
  };
}

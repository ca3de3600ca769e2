/**
 * `/admin/v1/tenants/{tenant}/connections/{connection}/tokens`: tokens listed, made, imported and revoked; those of
 * all connections are listed at `/admin/v1/tenants/{tenant}/tokens`. A token is never changed, so that it has no version.
 * @module
 */
import { isJsonObject } from "@scim/schemas";
import { createToken, findToken, importToken, revokeToken, TenancyError } from "@scim/tenancy";
import type { ImportedToken, StoredToken, TokenName } from "@scim/tenancy";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { shownToken } from "../administration/shown.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { pathName, portsOf } from "./acting.ts";
import { bodyOf, instant, oneOf, orNull, type ReadMember, scopes, text } from "./body.ts";
import { type ConnectionList, connectionLists } from "./connection-lists.ts";
import { namedIn } from "./connections.ts";
import { tenantOf } from "./parameters.ts";
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
  const { tokens } = opened.store;

  /** The token that an address names; those of other connections are not there. */
  async function named(request: FastifyRequest): Promise<StoredToken> {
    const name: TokenName = { tenant: tenantOf(request), id: pathName(request, "id") };
    const found = await findToken({ tokens }, name);
    if (found.connection === pathName(request, "connection")) return found;
    throw new TenancyError("notFound", `The connection has no token '${name.id}'.`);
  }

  const list: ConnectionList<StoredToken> = {
    name: "tokens",
    read: (tenant, connection, page) => tokens.listTokens(tenant, { connection, page }),
    shown: shownToken,
  };

  return async (instance) => {
    await instance.register(connectionLists(opened, list));

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

/**
 * `/admin/v1/tenants/{tenant}/connections/{connection}/clients`: OAuth clients listed, made, changed and deleted, with
 * their secrets and the issuers that are trusted for them; those of all connections are listed at
 * `/admin/v1/tenants/{tenant}/clients`.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import {
  addClientSecret,
  addClientTrust,
  changeClient,
  type ClientTarget,
  createClient,
  deleteClient,
  findClient,
  findConnection,
  findTenant,
  type OAuthClient,
  removeClientTrust,
  revokeClientSecret,
  SUBJECT_CLAIMS,
  TRUST_PURPOSES,
} from "@scim/tenancy";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { clientDetails, shownClient, shownSecret, shownTrust } from "../administration/shown-clients.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { pathName, portsOf } from "./acting.ts";
import { bodyOf, flag, instant, oneOf, orNull, required, scopes, text, wholeNumber } from "./body.ts";
import { namedIn } from "./connections.ts";
import { KEY_PAGE, keyPageOf, type ReadKeyPage } from "./key-page.ts";
import { parameterOf, taking, tenantOf } from "./parameters.ts";
import { answerRevised, expectedRevision } from "./revision.ts";
import { administratorOfRequest, asks, asksAndTells } from "./rights.ts";

const NEW = { name: orNull(text), scopes, tokenLifetime: wholeNumber };
const CHANGE = { ...NEW, state: oneOf(["active", "suspended"] as const) };
const NEW_SECRET = { expires: instant };
const NEW_TRUST = {
  purpose: oneOf(TRUST_PURPOSES),
  issuer: text,
  jwksUri: text,
  audience: text,
  claim: oneOf(SUBJECT_CLAIMS),
  subject: text,
  requireJti: flag,
};

const ALL = "/tenants/:tenant/connections/:connection/clients";
const ONE = `${ALL}/:client`;

/** The routes of OAuth clients. */
export function clientRoutes(opened: OpenedStore): FastifyPluginAsync {
  const { tenants, clients, connections } = opened.store;
  /** A page of the clients of a tenant, or of one of its connections. */
  async function listed(
    request: FastifyRequest,
    { tenant, connection }: { readonly tenant: string; readonly connection: string | null },
  ): Promise<{ readonly clients: readonly JsonObject[]; readonly next: string | null }> {
    const read: ReadKeyPage<OAuthClient> = (page) => clients.listClients(tenant, connection, page);
    const { rows, next } = await keyPageOf(request, read, ({ id }) => id);
    return { clients: rows.map(shownClient), next };
  }

  return async (instance) => {
    instance.get(
      "/tenants/:tenant/clients",
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
      const wanted = { ...bodyOf(request, NEW), ...namedIn(request), createdBy: nameOf(request) };
      const made = await createClient(portsOf(opened, request), wanted);
      reply.code(201).header("location", `clients/${made.id}`);
      return answerRevised(request, reply, { revision: made.revision, body: shownClient(made) });
    });

    instance.get(ONE, asks("read"), async (request, reply) => {
      const { revision } = await findClient({ clients }, clientIn(request));
      // Secrets and trusts come and go without a revision of the client: nothing is said to be as it was.
      return reply
        .header("etag", `W/"${revision}"`)
        .send(await clientDetails({ clients }, clientIn(request)));
    });

    instance.patch(ONE, asksAndTells("change"), async (request, reply) => {
      const change = bodyOf(request, CHANGE);
      const before = await findClient({ clients }, clientIn(request));
      const target = { ...clientIn(request), expected: expectedRevision(request, before) };
      const after = await changeClient(portsOf(opened, request), target, change);
      return answerRevised(request, reply, { revision: after.revision, body: shownClient(after) });
    });

    instance.delete(ONE, asksAndTells("change"), async (request, reply) => {
      const before = await findClient({ clients }, clientIn(request));
      const target = { ...clientIn(request), expected: expectedRevision(request, before) };
      await deleteClient(portsOf(opened, request), target);
      return reply.code(204).send();
    });
    await instance.register(credentialRoutes(opened));
  };
}

function credentialRoutes(opened: OpenedStore): FastifyPluginAsync {
  return async (instance) => {
    instance.post(`${ONE}/secrets`, asksAndTells("change"), async (request, reply) => {
      const wanted = { ...bodyOf(request, NEW_SECRET), createdBy: nameOf(request) };
      const { text: made, secret } = await addClientSecret(
        portsOf(opened, request),
        clientIn(request),
        wanted,
      );
      reply.code(201).header("location", `secrets/${secret.id}`);
      return { ...shownSecret(secret), secret: made };
    });

    instance.delete(`${ONE}/secrets/:id`, asksAndTells("change"), async (request, reply) => {
      await revokeClientSecret(portsOf(opened, request), credentialIn(request));
      return reply.code(204).send();
    });

    instance.post(`${ONE}/trusts`, asksAndTells("change"), async (request, reply) => {
      const { purpose = "assertion", issuer, jwksUri, audience, subject, ...of } = bodyOf(request, NEW_TRUST);
      const trust = await addClientTrust(portsOf(opened, request), clientIn(request), {
        ...of,
        purpose,
        issuer: required("issuer", issuer),
        jwksUri: required("jwksUri", jwksUri),
        audience: required("audience", audience),
        subject: required("subject", subject),
        createdBy: nameOf(request),
      });
      reply.code(201).header("location", `trusts/${trust.id}`);
      return shownTrust(trust);
    });

    instance.delete(`${ONE}/trusts/:id`, asksAndTells("change"), async (request, reply) => {
      await removeClientTrust(portsOf(opened, request), credentialIn(request));
      return reply.code(204).send();
    });
  };
}

/** The client that an address names; those of other connections are not there. */
function clientIn(request: FastifyRequest): ClientTarget {
  return { ...namedIn(request), id: pathName(request, "client") };
}

function credentialIn(request: FastifyRequest): ReturnType<typeof namedIn> & {
  readonly client: string;
  readonly id: string;
} {
  return { ...namedIn(request), client: pathName(request, "client"), id: pathName(request, "id") };
}

function nameOf(request: FastifyRequest): string {
  return administratorOfRequest(request).name;
}

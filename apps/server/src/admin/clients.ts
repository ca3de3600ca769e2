/**
 * `/admin/v1/tenants/{tenant}/connections/{connection}/clients`: OAuth clients listed, made, changed and deleted, with
 * their secrets and the issuers that are trusted for them; those of all connections are listed at
 * `/admin/v1/tenants/{tenant}/clients`.
 * @module
 */
import {
  addClientSecret,
  addClientTrust,
  changeClient,
  type ClientTarget,
  createClient,
  deleteClient,
  findClient,
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
import { type ConnectionList, connectionLists } from "./connection-lists.ts";
import { namedIn } from "./connections.ts";
import { answerRevised, etagOf, expectedRevision } from "./revision.ts";
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
  const { clients } = opened.store;
  const list: ConnectionList<OAuthClient> = {
    name: "clients",
    read: (tenant, connection, page) => clients.listClients(tenant, connection, page),
    shown: shownClient,
  };

  return async (instance) => {
    await instance.register(connectionLists(opened, list));

    instance.post(ALL, asksAndTells("change"), async (request, reply) => {
      const wanted = { ...bodyOf(request, NEW), ...namedIn(request), createdBy: nameOf(request) };
      const made = await createClient(portsOf(opened, request), wanted);
      reply.code(201).header("location", `clients/${made.id}`);
      return answerRevised(request, reply, { revision: made.revision, body: shownClient(made) });
    });

    instance.get(ONE, asks("read"), async (request, reply) => {
      const { revision } = await findClient({ clients }, clientIn(request));
      // Secrets and trusts come and go without a revision of the client: nothing is said to be as it was.
      return reply.header("etag", etagOf(revision)).send(await clientDetails({ clients }, clientIn(request)));
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

/**
 * `/admin/v1/tenants/{tenant}/connections`: connections listed, made, changed, suspended and deleted.
 * @module
 */
import {
  changeConnection,
  createConnection,
  deleteConnection,
  findConnection,
  findTenant,
  hasRight,
  type Connection,
  type ConnectionChange,
  type TenancyPorts,
} from "@scim/tenancy";
import type { JsonObject } from "@scim/schemas";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { changedConnection, redactedConnection, shownConnection } from "../administration/shown.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { pathName, portsOf } from "./acting.ts";
import { bodyOf, guard, number, oneOf, orNull, profile, rate, required, switches, text } from "./body.ts";
import { KEY_PAGE, keyPageOf, type ReadKeyPage } from "./key-page.ts";
import { taking, tenantOf } from "./parameters.ts";
import { answerRevised, expectedRevision } from "./revision.ts";
import { administratorOfRequest, asks, asksAndTells, requireFurtherRight } from "./rights.ts";

const CHANGE = {
  state: oneOf(["active", "suspended"] as const),
  profile: orNull(profile),
  switches,
  rate: orNull(rate),
  guard: orNull(guard),
  silentAfter: orNull(number),
};
const NEW = { connection: text, ...CHANGE };

const ALL = "/tenants/:tenant/connections";
const ONE = `${ALL}/:connection`;

/** The routes of connections. */
export function connectionRoutes(opened: OpenedStore): FastifyPluginAsync {
  const { tenants, connections } = opened.store;
  return async (instance) => {
    instance.get(ALL, taking(asks("read"), ...KEY_PAGE), async (request) => {
      const { tenant } = await findTenant({ tenants }, tenantOf(request));
      const read: ReadKeyPage<Connection> = (page) => connections.list(tenant, page);
      const { rows, next } = await keyPageOf(request, read, ({ connection }) => connection);
      return { connections: rows.map((row) => shownTo(request, row)), next };
    });

    instance.post(ALL, asksAndTells("change"), async (request, reply) => {
      const { connection, ...of } = bodyOf(request, NEW);
      requireForRate(request, of);
      const target = { tenant: tenantOf(request), connection: required("connection", connection) };
      const ports = portsOf(opened, request);
      const made = await createConnection(ports, target, of);
      reply.code(201).header("location", `connections/${made.connection}`);
      return answerRevised(request, reply, {
        revision: made.revision,
        body: await changedConnection(mayFind(request, ports), made, of),
      });
    });

    instance.get(ONE, asks("read"), async (request, reply) => {
      const found = await findConnection({ connections }, namedIn(request));
      return answerRevised(request, reply, { revision: found.revision, body: shownTo(request, found) });
    });

    instance.patch(ONE, asksAndTells("change"), async (request, reply) => {
      const change = bodyOf(request, CHANGE);
      requireForRate(request, change);
      const ports = portsOf(opened, request);
      const before = await findConnection(ports, namedIn(request));
      const target = { ...namedIn(request), expected: expectedRevision(request, before) };
      const after = await changeConnection(ports, target, change);
      return answerRevised(request, reply, {
        revision: after.revision,
        body: await changedConnection(mayFind(request, ports), after, change),
      });
    });

    instance.delete(ONE, asksAndTells("change"), async (request, reply) => {
      const ports = portsOf(opened, request);
      const before = await findConnection(ports, namedIn(request));
      // Made anew it would have the rate of the server.
      if (before.rate !== null) requireForRate(request, before);
      const target = { ...namedIn(request), expected: expectedRevision(request, before) };
      await deleteConnection(ports, target);
      return reply.code(204).send();
    });
  };
}

/** A connection, as the administrator of a request may see it. */
function shownTo(request: FastifyRequest, connection: Connection): JsonObject {
  const seesPersons = hasRight(administratorOfRequest(request), "readPersons", connection.tenant);
  return seesPersons ? shownConnection(connection) : redactedConnection(connection);
}

/** Whether somebody is there is for those alone who may see persons. */
function mayFind(request: FastifyRequest, ports: TenancyPorts): Pick<TenancyPorts, "namesOfNobody"> {
  return hasRight(administratorOfRequest(request), "readPersons", tenantOf(request)) ? ports : {};
}

/** The connection that an address names. */
export function namedIn(request: FastifyRequest): { readonly tenant: string; readonly connection: string } {
  return { tenant: tenantOf(request), connection: pathName(request, "connection") };
}

/** Rates are what keeps the tenants of one server from each other: none gives itself more. */
function requireForRate(request: FastifyRequest, { rate: wanted }: Pick<ConnectionChange, "rate">): void {
  if (wanted === undefined) return;
  requireFurtherRight(administratorOfRequest(request), "operate", tenantOf(request));
}

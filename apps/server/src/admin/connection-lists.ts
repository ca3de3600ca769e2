/**
 * Lists of what connections have: those of one connection, and those of all connections of a tenant at once.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { findConnection, findTenant, type KeyPage } from "@scim/tenancy";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { OpenedStore } from "../store/open-store.ts";
import { namedIn } from "./connections.ts";
import { KEY_PAGE, keyPageOf } from "./key-page.ts";
import { parameterOf, taking, tenantOf } from "./parameters.ts";
import { asks } from "./rights.ts";

/** What is listed. */
export interface ConnectionList<Row extends { readonly id: string }> {
  /** Such as `tokens`: the end of both addresses, and the member of the answer that holds a page. */
  readonly name: string;
  /** Reads a page, in the order of ids; of all connections of the tenant where `connection` is null. */
  readonly read: (tenant: string, connection: string | null, page: KeyPage) => Promise<readonly Row[]>;
  readonly shown: (row: Row) => JsonObject;
}

/**
 * The routes of a list: `/tenants/{tenant}/connections/{connection}/<name>`, and `/tenants/{tenant}/<name>`, whose
 * parameter `connection` leaves one connection.
 */
export function connectionLists<Row extends { readonly id: string }>(
  { store: { tenants, connections } }: OpenedStore,
  { name, read, shown }: ConnectionList<Row>,
): FastifyPluginAsync {
  async function listed(
    request: FastifyRequest,
    { tenant, connection }: { readonly tenant: string; readonly connection: string | null },
  ): Promise<Readonly<Record<string, unknown>>> {
    const { rows, next } = await keyPageOf(
      request,
      (page) => read(tenant, connection, page),
      ({ id }) => id,
    );
    return { [name]: rows.map(shown), next };
  }

  return async (instance) => {
    instance.get(
      `/tenants/:tenant/${name}`,
      taking(asks("read"), "connection", ...KEY_PAGE),
      async (request) => {
        const { tenant } = await findTenant({ tenants }, tenantOf(request));
        const connection = parameterOf(request, "connection");
        if (connection !== null) await findConnection({ connections }, { tenant, connection });
        return listed(request, { tenant, connection });
      },
    );

    instance.get(
      `/tenants/:tenant/connections/:connection/${name}`,
      taking(asks("read"), ...KEY_PAGE),
      async (request) => listed(request, await findConnection({ connections }, namedIn(request))),
    );
  };
}

/**
 * Connections as commands administer them: on the database, or on a running server.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import {
  changeConnection,
  createConnection,
  deleteConnection,
  findConnection,
  findTenant,
  writeSwitchFlips,
  type ConnectionChange,
} from "@scim/tenancy";
import { allOf } from "../remote/admin-pages.ts";
import { type AdminClient, at, typedOf } from "../remote/admin-requests.ts";
import type { Administered } from "./administer.ts";
import type { ShownSwitches } from "./shown-profiles.ts";
import { changedConnection, shownConnection } from "./shown.ts";

/** Which connection is meant. */
export interface ConnectionName {
  readonly tenant: string;
  readonly connection: string;
}

/** What commands do to connections; each is given as it is shown. */
export interface ConnectionAdministration {
  create(name: ConnectionName, of: ConnectionChange): Promise<JsonObject>;
  find(name: ConnectionName): Promise<JsonObject>;
  change(name: ConnectionName, change: ConnectionChange): Promise<JsonObject>;
  list(tenant: string): Promise<readonly JsonObject[]>;
  remove(name: ConnectionName): Promise<void>;
}

/** Milliseconds that the server may go through the resources of a rule that is turned on (fifteen minutes). */
const LONG_MS = 900_000;

/** What a server tells of a connection at least. */
const SHOWN = ["connection", "state"] as const;

/** Connections, on the database or on a server. */
export const CONNECTIONS: Administered<ConnectionAdministration> = {
  database: (ports) => ({
    create: async (name, of) => changedConnection(ports, await createConnection(ports, name, of), of),
    find: async (name) => shownConnection(await findConnection(ports, name)),
    change: async (name, change) =>
      changedConnection(ports, await changeConnection(ports, { ...name, expected: null }, change), change),
    list: async (name) => {
      const { tenant } = await findTenant(ports, name);
      return (await ports.connections.list(tenant)).map(shownConnection);
    },
    remove: (name) => deleteConnection(ports, { ...name, expected: null }),
  }),
  server: (admin) => ({
    create: ({ tenant, connection }, of) =>
      admin.send({
        method: "POST",
        path: at`/tenants/${tenant}/connections`,
        body: { connection, ...bodyOf(of) },
        answers: SHOWN,
        timeout: LONG_MS,
      }),
    find: (name) => admin.send({ method: "GET", path: connectionPath(name), answers: SHOWN }),
    change: (name, change) =>
      admin.change({
        method: "PATCH",
        path: connectionPath(name),
        body: bodyOf(change),
        answers: SHOWN,
        timeout: LONG_MS,
      }),
    list: (tenant) => allOf(admin, { path: at`/tenants/${tenant}/connections`, name: "connections" }),
    remove: async (name) => void (await admin.change({ method: "DELETE", path: connectionPath(name) })),
  }),
};

/** The address of a connection. */
export function connectionPath({ tenant, connection }: ConnectionName): string {
  return at`/tenants/${tenant}/connections/${connection}`;
}

/**
 * Requires that a server has a connection.
 * @throws CommandFailure
 */
export async function requireConnectionAt(admin: AdminClient, name: ConnectionName): Promise<void> {
  await admin.send({ method: "GET", path: connectionPath(name), answers: SHOWN });
}

/** The switches that a connection of a server has on. */
export async function switchesAt(admin: AdminClient, name: ConnectionName): Promise<ShownSwitches> {
  const answer = await admin.send({ method: "GET", path: `${connectionPath(name)}/switches` });
  return typedOf<ShownSwitches>(answer, ["profile", "switches"]);
}

/** Switches go as they are written. */
function bodyOf({ switches, ...others }: ConnectionChange): Readonly<Record<string, unknown>> {
  return { ...others, switches: switches === undefined ? undefined : writeSwitchFlips(switches) };
}

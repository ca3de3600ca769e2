/**
 * OAuth clients as commands administer them: on the database, or on a running server.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import {
  addClientSecret,
  addClientTrust,
  changeClient,
  type ClientChange,
  type ClientTarget,
  createClient,
  DEFAULT_NAME,
  deleteClient,
  type NewClient,
  type NewTrust,
  removeClientTrust,
  revokeClientSecret,
} from "@scim/tenancy";
import { CommandFailure, EXIT } from "../failure.ts";
import { allOf } from "../remote/admin-pages.ts";
import { type AdminClient, at } from "../remote/admin-requests.ts";
import type { Administered } from "./administer.ts";
import { requireKnownConnection, requireKnownTenant } from "./known-tenant.ts";
import { connectionPath, requireConnectionAt } from "./connections.ts";
import { clientDetails, shownClient, shownSecret, shownTrust } from "./shown-clients.ts";

/** What a client is known by. */
export type CredentialKind = "secret" | "trust";

/** What commands do to clients; each is given as it is shown. */
export interface ClientAdministration {
  create(wanted: Wanted<NewClient>): Promise<JsonObject>;
  /** @param connection null for those of all */
  list(tenant: string, connection: string | null): Promise<readonly JsonObject[]>;
  /** A client with its secrets and trusts. */
  find(target: ClientTarget): Promise<JsonObject>;
  change(target: ClientTarget, change: ClientChange): Promise<JsonObject>;
  remove(target: ClientTarget): Promise<void>;
  /** Gives the secret with its text as `secret`. */
  addSecret(target: ClientTarget, expires: string | undefined): Promise<JsonObject>;
  addTrust(target: ClientTarget, wanted: Wanted<NewTrust>): Promise<JsonObject>;
  /** Takes a secret or a trust back. */
  revoke(target: ClientTarget, kind: CredentialKind, id: string): Promise<void>;
}

type Wanted<Made> = Omit<Made, "createdBy">;

const CREATED_BY = "command line";

/** What a server tells of a client at least. */
const SHOWN = ["clientId", "state"] as const;

/** Clients, on the database or on a server. */
export const CLIENTS: Administered<ClientAdministration> = {
  database: (ports) => ({
    create: async (wanted) => shownClient(await createClient(ports, { ...wanted, createdBy: CREATED_BY })),
    list: async (tenant, connection) => {
      await requireKnownTenant(ports, tenant);
      if (connection !== null) await requireKnownConnection(ports, { tenant, connection });
      return (await ports.clients.listClients(tenant, connection)).map(shownClient);
    },
    find: (target) => clientDetails(ports, target),
    change: async (target, change) =>
      shownClient(await changeClient(ports, { ...target, expected: null }, change)),
    remove: (target) => deleteClient(ports, { ...target, expected: null }),
    addSecret: async (target, expires) => {
      const { text, secret } = await addClientSecret(ports, target, { expires, createdBy: CREATED_BY });
      return { ...shownSecret(secret), secret: text };
    },
    addTrust: async (target, wanted) =>
      shownTrust(await addClientTrust(ports, target, { ...wanted, createdBy: CREATED_BY })),
    revoke: ({ tenant, id: client, connection }, kind, id) =>
      (kind === "secret" ? revokeClientSecret : removeClientTrust)(ports, { tenant, client, id, connection }),
  }),
  server: (admin) => ({
    create: ({ tenant, connection = DEFAULT_NAME, ...wanted }) =>
      admin.send({
        method: "POST",
        path: `${connectionPath({ tenant, connection })}/clients`,
        body: { ...wanted },
        answers: SHOWN,
      }),
    list: (tenant, connection) => listed(admin, tenant, connection),
    find: async (target) => admin.send({ method: "GET", path: await pathOf(admin, target), answers: SHOWN }),
    change: async (target, change) =>
      admin.change({
        method: "PATCH",
        path: await pathOf(admin, target),
        body: { ...change },
        answers: SHOWN,
      }),
    remove: async (target) =>
      void (await admin.change({ method: "DELETE", path: await pathOf(admin, target) })),
    addSecret: async (target, expires) =>
      admin.send({
        method: "POST",
        path: `${await pathOf(admin, target)}/secrets`,
        body: { expires },
        answers: ["id", "secret"],
      }),
    addTrust: async (target, wanted) =>
      admin.send({
        method: "POST",
        path: `${await pathOf(admin, target)}/trusts`,
        body: { ...wanted },
        answers: ["id"],
      }),
    revoke: async (target, kind, id) => {
      const path = `${await pathOf(admin, target)}/${kind}s${at`/${id}`}`;
      await admin.send({ method: "DELETE", path });
    },
  }),
};

async function listed(
  admin: AdminClient,
  tenant: string,
  connection: string | null,
): Promise<readonly JsonObject[]> {
  if (connection !== null) await requireConnectionAt(admin, { tenant, connection });
  return allOf(admin, { path: at`/tenants/${tenant}/clients`, name: "clients", query: { connection } });
}

/** The address of a client, which lies below its connection. */
async function pathOf(admin: AdminClient, { tenant, id, connection }: ClientTarget): Promise<string> {
  const path = (name: string): string =>
    `${connectionPath({ tenant, connection: name })}${at`/clients/${id}`}`;
  if (connection !== undefined) return path(connection);
  const found = (await listed(admin, tenant, null)).find((client) => client["id"] === id);
  if (typeof found?.["connection"] === "string") return path(found["connection"]);
  throw new CommandFailure(EXIT.failed, `Tenant '${tenant}' has no client '${id}'.`);
}

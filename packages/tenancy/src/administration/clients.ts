/**
 * OAuth clients made, changed and deleted.
 * @module
 */
import { isAdminScope, nextRevision, type Scope } from "@scim/core";
import { type Acting, actOf, type AdminAct, type RowChange, toldChange } from "../acts/admin-act.ts";
import { DEFAULT_NAME } from "../credentials/token-text.ts";
import type { ClientName, ClientState, OAuthClient } from "../oauth/client.ts";
import { findConnection } from "./connections.ts";
import { checkedNameOrNull } from "./checked-name.ts";
import { MOST_SCOPES, requireKnownTypes } from "./known-types.ts";
import type { ClientPorts } from "./ports.ts";
import { noSuchConnection, TenancyError } from "./tenancy-error.ts";
import { changeRevised, removeRevised, type RevisedRow } from "./change-revised.ts";
import { requireTenant } from "./tenants.ts";
import { toldClient } from "./told-states.ts";

/** A client to make. */
export interface NewClient {
  readonly tenant: string;
  /** Default `default`. */
  readonly connection?: string | undefined;
  /** What people call it. */
  readonly name?: string | null | undefined;
  /** What its access tokens may be used for. Default `scim`. */
  readonly scopes?: readonly Scope[] | undefined;
  /** How long its access tokens are good for, in seconds: 600 to 21600. Default 3600. */
  readonly tokenLifetime?: number | undefined;
  readonly createdBy: string;
}

/** What changes of a client; what is left out stays. */
export interface ClientChange {
  readonly state?: ClientState | undefined;
  readonly name?: string | null | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly tokenLifetime?: number | undefined;
}

/** A client by its id, and where it is named, the connection that it must be of. */
export interface ClientTarget extends ClientName {
  readonly connection?: string | undefined;
}

/** A client that is changed or deleted. */
export interface ExpectedClient extends ClientTarget {
  /** The revision that it is meant for; null for whichever it has. */
  readonly expected: number | null;
}

const DEFAULT_LIFETIME = 3600;
/** Access tokens are good for so many seconds at least (ten minutes). */
const SHORTEST_LIFETIME = 600;
/** And for so many at most (six hours). */
export const LONGEST_LIFETIME = 21_600;
const NAME = "The name of a client";
/** Clients of a connection at most. */
const MOST_CLIENTS = 20;

/**
 * Makes a client of a connection. It can authenticate once it has a secret or a trust.
 * @throws TenancyError `notFound`, `invalid`, `refused`
 */
export async function createClient(ports: ClientPorts, wanted: NewClient): Promise<OAuthClient> {
  const { tenant, connection = DEFAULT_NAME, name = null, createdBy } = wanted;
  await requireTenant(ports, tenant);
  await findConnection(ports, { tenant, connection });
  const client: OAuthClient = {
    tenant,
    id: ports.newId(),
    connection,
    name: checkedNameOrNull(NAME, name),
    state: "active",
    scopes: await checkedScopes(ports, tenant, wanted.scopes ?? ["scim"]),
    tokenLifetime: checkedLifetime(wanted.tokenLifetime ?? DEFAULT_LIFETIME),
    created: ports.now(),
    createdBy,
    revision: nextRevision(0, ports.random()),
  };
  const room = { tenant, connection, most: MOST_CLIENTS };
  if (await ports.clients.addClient(client, told(ports, [null, client]), room)) return client;
  const beside = await ports.clients.listClients(tenant, connection);
  if (beside.length < MOST_CLIENTS) throw noSuchConnection(room);
  throw new TenancyError("refused", `A connection has at most ${MOST_CLIENTS} clients; delete one.`);
}

/**
 * The client of an id, of one connection where that is named.
 * @throws TenancyError `notFound`
 */
export async function findClient(
  { clients }: Pick<ClientPorts, "clients">,
  name: ClientTarget,
): Promise<OAuthClient> {
  const found = await clients.findClient(name);
  if (found !== null && found.connection === (name.connection ?? found.connection)) return found;
  throw noSuchClient(name);
}

/**
 * Changes a client. Where it is suspended, servers refuse it and its access tokens within one second.
 * @throws TenancyError `notFound`, `changed`, `invalid`
 */
export async function changeClient(
  ports: Pick<ClientPorts, "clients" | "resourceTypes" | "moreTypes"> & Acting,
  target: ExpectedClient,
  change: ClientChange,
): Promise<OAuthClient> {
  const scopes =
    change.scopes === undefined ? null : await checkedScopes(ports, target.tenant, change.scopes);
  return changeRevised({
    ...revised(ports, target),
    random: ports.random,
    change: (before) => ({
      ...before,
      state: change.state ?? before.state,
      name: change.name === undefined ? before.name : checkedNameOrNull(NAME, change.name),
      scopes: scopes ?? before.scopes,
      tokenLifetime: checkedLifetime(change.tokenLifetime ?? before.tokenLifetime),
    }),
    replace: (after, before) =>
      ports.clients.replaceClient(after, before.revision, told(ports, [before, after])),
  });
}

/**
 * Deletes a client with its secrets, trusts and access tokens: servers refuse them within one second.
 * @throws TenancyError `notFound`, `changed`
 */
export async function deleteClient(
  ports: Pick<ClientPorts, "clients"> & Acting,
  target: ExpectedClient,
): Promise<void> {
  await removeRevised({
    ...revised(ports, target),
    remove: (client) => ports.clients.removeClient(client, told(ports, [client, null])),
  });
}

function revised(
  ports: Pick<ClientPorts, "clients">,
  { expected, ...name }: ExpectedClient,
): RevisedRow<OAuthClient> {
  return { what: `Client '${name.id}'`, expected, find: () => findClient(ports, name) };
}

function told(acting: Acting, change: RowChange<OAuthClient>): AdminAct {
  const [before, after] = change;
  const { tenant, id } = before ?? after;
  return actOf(acting, { type: "Client", id: `${tenant}/${id}`, ...toldChange(change, toldClient) });
}

/** The refusal of what is meant for a client that is not there. */
export function noSuchClient({ tenant, id, connection }: ClientTarget): TenancyError {
  const of =
    connection === undefined ? `Tenant '${tenant}'` : `Connection '${connection}' of tenant '${tenant}'`;
  return new TenancyError("notFound", `${of} has no client '${id}'.`);
}

async function checkedScopes(
  ports: Pick<ClientPorts, "resourceTypes" | "moreTypes">,
  tenant: string,
  scopes: readonly Scope[],
): Promise<readonly Scope[]> {
  const isGood = scopes.length > 0 && scopes.length <= MOST_SCOPES && !scopes.some(isAdminScope);
  if (!isGood)
    throw new TenancyError(
      "invalid",
      `A client has 1 to ${MOST_SCOPES} scopes, such as scim or scim:read, and none of administrators.`,
    );
  await requireKnownTypes(ports, tenant, scopes);
  return [...new Set(scopes)];
}

function checkedLifetime(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= SHORTEST_LIFETIME && seconds <= LONGEST_LIFETIME)
    return seconds;
  throw new TenancyError(
    "invalid",
    `Access tokens are good for ${SHORTEST_LIFETIME} to ${LONGEST_LIFETIME} seconds (10 minutes to 6 hours).`,
  );
}

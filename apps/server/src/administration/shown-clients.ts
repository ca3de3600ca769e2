/**
 * OAuth clients as they are shown: the same JSON on the command line and below `/admin/v1`. Nothing of it is secret.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import {
  clientIdOf,
  type ClientPorts,
  type ClientSecret,
  type ClientTarget,
  type ClientTrust,
  findClient,
  type OAuthClient,
} from "@scim/tenancy";

/** A client, with the `client_id` that it gets tokens by. */
export function shownClient(client: OAuthClient): JsonObject {
  const { tenant, id, connection, name, state, scopes, tokenLifetime, created, createdBy, revision } = client;
  return {
    clientId: clientIdOf(client),
    id,
    tenant,
    connection,
    name,
    state,
    scopes: [...scopes],
    tokenLifetime,
    created,
    createdBy,
    revision,
  };
}

/** A secret: neither its text nor its hash. */
export function shownSecret({ id, created, createdBy, expires, lastUsed }: ClientSecret): JsonObject {
  return { id, expires, lastUsed, created, createdBy };
}

/** A trust. */
export function shownTrust(trust: ClientTrust): JsonObject {
  const { id, purpose, issuer, jwksUri, audience, claim, subject, requireJti, created, createdBy } = trust;
  return { id, purpose, issuer, jwksUri, audience, claim, subject, requireJti, created, createdBy };
}

/**
 * A client with what it has.
 * @throws TenancyError `notFound`
 */
export async function clientDetails(
  { clients }: Pick<ClientPorts, "clients">,
  target: ClientTarget,
): Promise<JsonObject> {
  const client = await findClient({ clients }, target);
  const [secrets, trusts] = await Promise.all([clients.listSecrets(client), clients.listTrusts(client)]);
  return { ...shownClient(client), secrets: secrets.map(shownSecret), trusts: trusts.map(shownTrust) };
}

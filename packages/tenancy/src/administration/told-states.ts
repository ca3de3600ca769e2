/**
 * What acts tell of tenants, connections, tokens and clients.
 * @module
 */
import type { ToldState } from "../acts/admin-act.ts";
import type { Connection } from "../connections/connection.ts";
import { writeSwitchFlips } from "../connections/connection-profile.ts";
import type { StoredToken } from "../credentials/port.ts";
import type { ClientSecret, ClientTrust, OAuthClient } from "../oauth/client.ts";
import type { Tenant } from "../tenants/tenant.ts";

/** What is told of a tenant. */
export function toldTenant(tenant: Tenant): ToldState {
  const { displayName, state, limits, retention, discovery, secrets } = tenant;
  return {
    state,
    ...(displayName === null ? {} : { displayName }),
    ...(Object.keys(limits).length === 0 ? {} : { limits: { ...limits } }),
    ...(Object.keys(retention).length === 0 ? {} : { retention: { ...retention } }),
    ...(discovery === "token" ? {} : { discovery }),
    ...(secrets === "drop" ? {} : { secrets }),
  };
}

/** What is told of a connection. */
export function toldConnection(connection: Connection): ToldState {
  const { tenant, state, profile, rate, switches, guard, silentAfter } = connection;
  return {
    tenant,
    state,
    ...(profile === null ? {} : { profile }),
    ...(switches.length === 0 ? {} : { switches: writeSwitchFlips(switches) }),
    ...(rate === null ? {} : { rate: { ...rate } }),
    // The names of persons stay out: how many there are is told.
    ...(guard === null ? {} : { guard: { ...guard, named: guard.named.length } }),
    ...(silentAfter === null ? {} : { silentAfter }),
  };
}

/** What is told of a token: neither its hash nor its key. */
export function toldToken(token: Omit<StoredToken, "hash" | "keyId" | "sealedKey" | "lastUsed">): ToldState {
  const { tenant, connection, name, scopes, subject, expires, scheme, revoked } = token;
  return {
    tenant,
    connection,
    scopes: [...scopes],
    ...(name === null ? {} : { name }),
    ...(subject === null ? {} : { subject }),
    ...(expires === null ? {} : { expires }),
    ...(scheme === "keyed" ? {} : { importedAs: scheme }),
    ...(revoked === null ? {} : { revoked }),
  };
}

/** What is told of an OAuth client. */
export function toldClient({
  tenant,
  connection,
  name,
  state,
  scopes,
  tokenLifetime,
}: OAuthClient): ToldState {
  return {
    tenant,
    connection,
    state,
    scopes: [...scopes],
    tokenLifetime,
    ...(name === null ? {} : { name }),
  };
}

/** What is told of a secret of a client: not its hash. */
export function toldSecret({ tenant, client, expires }: ClientSecret): ToldState {
  return { tenant, client, expires };
}

/** What is told of a trust. */
export function toldTrust(trust: ClientTrust): ToldState {
  const { tenant, client, purpose, issuer, jwksUri, audience, claim, subject, requireJti } = trust;
  return { tenant, client, purpose, issuer, jwksUri, audience, claim, subject, requireJti };
}

/**
 * The authenticator: from the text of a token to who sent it, through the states of its tenant and connection.
 * @module
 */
import type { Authenticator, Principal, Profile } from "@scim/core";
import type { Connection, ConnectionStore } from "../connections/connection.ts";
import type { TenantStore } from "../tenants/tenant.ts";
import type { CredentialGrant, CredentialSource } from "./credential-grant.ts";
import type { StoredToken } from "./port.ts";
import { ADMIN_TENANT, tenantOfToken } from "./token-text.ts";
import { isExpired, type TokenVerification, verifyToken } from "./verify-token.ts";

/** A connection as far as its profile goes; one without a row of its own has the names alone. */
export type ProfiledConnection = Pick<Connection, "tenant" | "connection" | "profile" | "switches">;

/** What an authenticator needs. */
export interface AuthenticatorOptions extends TokenVerification {
  readonly tenants: Pick<TenantStore, "find">;
  readonly connections: Pick<ConnectionStore, "find">;
  /** The profile of a connection. Equal connections should have the same object: what is compiled is kept by it. */
  readonly profileOf: (connection: ProfiledConnection) => Profile;
  /**
   * Asked of each valid token of the store when it is looked up, for what no row of it says: what it throws is the
   * answer. Default: each is taken.
   */
  readonly admit?: ((token: StoredToken) => Promise<void>) | undefined;
  /** Where a text is looked for that is no token of ours, one source after another. */
  readonly others?: readonly CredentialSource[] | undefined;
  /** Called for each request with a valid token of the store, at once: it must neither throw nor take time. */
  readonly onUse?: (token: Pick<StoredToken, "tenant" | "id">) => void;
  /** Told of each request whether its token was verified a moment ago, for metrics: it must neither throw nor take time. */
  readonly onLookUp?: (known: boolean) => void;
  /** For how long a verified token is not looked up again, in milliseconds. Default 500, at most 1000. */
  readonly cacheMs?: number;
}

/** What is revoked or suspended must be refused within this time. */
const LONGEST_CACHE_MS = 1000;

interface Verified {
  /** The token of the store; null for other credentials. */
  readonly token: StoredToken | null;
  readonly expires: string | null;
  readonly principal: Principal;
}

/**
 * Makes an authenticator over stores of tokens, tenants and connections. Verified tokens are remembered for half a
 * second, so that a client's burst costs one look-up, and what was revoked or suspended is refused within one second;
 * refused ones are not remembered. The token of a tenant or connection that has no row is good: earlier releases
 * wrote none.
 *
 * @example
 * const authenticate = createAuthenticator({
 *   store, hasher, tenants, connections, now: Date.now, profileOf: () => PROFILES.tolerant,
 * });
 * const principal = await authenticate("scim_default_…", null);
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { now, onUse, onLookUp } = options;
  const lifetime = Math.min(options.cacheMs ?? LONGEST_CACHE_MS / 2, LONGEST_CACHE_MS);
  // All entries go together: the texts of tokens that fell out of use leave memory with the next request.
  let verified = new Map<string, Verified>();
  let since = Number.NEGATIVE_INFINITY;

  const verifiedAt = (instant: number): Map<string, Verified> => {
    if (instant - since >= lifetime || instant < since) {
      verified = new Map();
      since = instant;
    }
    return verified;
  };

  return async (text, tenant, request) => {
    const instant = now();
    const entries = verifiedAt(instant);
    const key = `${tenant ?? ""} ${text}`;
    const known = entries.get(key);
    onLookUp?.(known !== undefined);
    if (known !== undefined && isExpired(known, instant)) return null;
    const found =
      known ??
      (await verify(
        { text, tenant, requestId: request?.id ?? null, address: request?.address ?? null },
        options,
      ));
    if (found === null) return null;
    if (known === undefined) entries.set(key, found);
    if (found.token !== null) onUse?.(found.token);
    return found.principal;
  };
}

/** A text, where to, where from and in which request it was sent. */
interface Sent {
  readonly text: string;
  readonly tenant: string | null;
  readonly requestId: string | null;
  readonly address: string | null;
}

async function verify(sent: Sent, options: AuthenticatorOptions): Promise<Verified | null> {
  const { grant, token } = await lookUp(sent, options);
  if (token !== null) await options.admit?.(token);
  const principal = grant === null ? null : await principalOf(grant, options);
  return grant === null || principal === null ? null : { token, expires: grant.expires, principal };
}

/** What a text stands for, and the token of the store where it is one. */
interface LookedUp {
  readonly grant: CredentialGrant | null;
  readonly token: StoredToken | null;
}

async function lookUp(sent: Sent, options: AuthenticatorOptions): Promise<LookedUp> {
  const { text } = sent;
  // A text that has not our form may be a token that was made elsewhere: that is asked last, since it costs most.
  const isOurs = tenantOfToken(text) !== null;
  const first = isOurs ? await verifyToken(text, options, sent) : null;
  if (first !== null) return { grant: first, token: first };
  const other = await findElsewhere(sent, options);
  if (other !== null || isOurs) return { grant: other, token: null };
  const token = await verifyToken(text, options, sent);
  return { grant: token, token };
}

async function findElsewhere(
  { text, tenant, requestId }: Sent,
  { others = [], now }: AuthenticatorOptions,
): Promise<CredentialGrant | null> {
  for (const find of others) {
    const grant = await find(text, tenant, requestId);
    if (grant !== null) return isExpired(grant, now()) ? null : grant;
  }
  return null;
}

/** The principal of a credential; null where its tenant or connection is suspended or deleted. */
async function principalOf(grant: CredentialGrant, options: AuthenticatorOptions): Promise<Principal | null> {
  const { tenant, connection } = grant;
  const [row, of] =
    tenant === ADMIN_TENANT
      ? [null, null]
      : await Promise.all([options.tenants.find(tenant), options.connections.find(tenant, connection)]);
  if (row !== null && row.state !== "active") return null;
  if (of !== null && of.state !== "active") return null;
  return {
    tenant,
    connection,
    credential: grant.id,
    name: grant.name,
    scopes: new Set(grant.scopes),
    subject: grant.subject,
    profile: options.profileOf(of ?? { tenant, connection, profile: null, switches: [] }),
    rate: of?.rate ?? null,
  };
}

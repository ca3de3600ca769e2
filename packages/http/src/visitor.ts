/**
 * Reading what a service tells of itself without a token (RFC 7644 §4): `authenticationSchemes` is of use to those above all
 * who have none yet (RFC 7643 §5).
 * @module
 */
import type { Principal, Profile, RequestLimiter } from "@scim/core";
import { headerOf, type HttpRequest } from "./message.ts";
import { tooManyRequests } from "./rate-limit.ts";

/** The profile under which everybody may read the discovery of a tenant; null where a token of it is needed. */
export type OpenDiscovery = (tenant: string) => Promise<Profile | null>;

/** Who lets visitors read, and who counts them. */
export interface VisitorRules {
  readonly openDiscovery?: OpenDiscovery | undefined;
  readonly limiter?: RequestLimiter | undefined;
}

/** No name of a connection: those who read without a token share one rate for each tenant. */
const NO_CONNECTION = "";
const NO_SCOPES: ReadonlySet<string> = new Set();

/**
 * Who reads the discovery of the tenant that an address names, and sends no token; null where that tenant asks for one.
 * @throws ScimError `tooManyRequests`
 */
export async function visitorOf(
  request: Pick<HttpRequest, "headers" | "tenant">,
  { openDiscovery, limiter }: VisitorRules,
): Promise<Principal | null> {
  const { tenant } = request;
  if (openDiscovery === undefined || tenant === null || headerOf(request, "authorization") !== undefined)
    return null;
  const profile = await openDiscovery(tenant);
  if (profile === null) return null;
  const visitor = { tenant, connection: NO_CONNECTION, scopes: NO_SCOPES, subject: null, profile };
  const early = limiter?.admit(visitor) ?? null;
  if (early !== null) throw tooManyRequests(early);
  return visitor;
}

/** Whether a caller came without a token. */
export function isVisitor({ connection }: Pick<Principal, "connection">): boolean {
  return connection === NO_CONNECTION;
}

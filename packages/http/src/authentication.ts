/**
 * Authentication by bearer token (RFC 6750).
 * @module
 */
import type { Authenticator, Principal, RequestLimiter } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { headerOf, type HttpRequest } from "./message.ts";
import { tooManyRequests } from "./rate-limit.ts";
import { noSuchAddress } from "./routes.ts";

/** A token as it was sent. */
interface SentToken {
  readonly text: string;
  /** Whether it came without the scheme `Bearer`. */
  readonly bare: boolean;
}

/** Who verifies tokens, and who counts those that are refused. */
export interface Verification {
  readonly authenticate: Authenticator;
  readonly limiter?: RequestLimiter | undefined;
  /** Address of the metadata of the protected resource (RFC 9728) for a base address; null where there are none. */
  readonly resourceMetadata?: ((baseUrl: string) => string | null) | undefined;
}

/** Who is told on the way. */
export interface AuthenticationListeners {
  /** Called as soon as it is known whose the token is, also where the request is refused then. */
  readonly onCaller?: ((principal: Principal) => void) | undefined;
  /** Called where the token came without a scheme and the profile lets it pass. */
  readonly onBareToken?: (() => void) | undefined;
}

/**
 * The caller. A token of another tenant or connection than the address is for leads to a 404, as if nothing were there.
 * @throws ScimError `unauthorized`, `notFound`, and `tooManyRequests` in the place of the first where an address sends
 *   many tokens that are not valid, or a connection too many requests; TypeError where the authenticator answers no caller
 */
export async function authenticate(
  request: Pick<HttpRequest, "headers" | "tenant" | "connection" | "address" | "baseUrl" | "id">,
  { authenticate: authenticator, limiter, resourceMetadata }: Verification,
  { onCaller, onBareToken }: AuthenticationListeners = {},
): Promise<Principal> {
  const sent = sentToken(headerOf(request, "authorization"));
  const unauthorized = (detail: string): ScimError =>
    refusal(detail, resourceMetadata?.(request.baseUrl) ?? null);
  if (sent === null) throw unauthorized(NO_TOKEN);
  // A Map answers undefined for a token that it does not have.
  const principal =
    sent.text === "" ? null : ((await authenticator(sent.text, request.tenant, request)) ?? null);
  if (principal === null) {
    const early = limiter?.refused(request.address ?? "", sent.text) ?? null;
    throw early === null ? unauthorized(BAD_TOKEN) : tooManyRequests(early);
  }
  requirePrincipal(principal);
  onCaller?.(principal);
  // What it asks for in vain counts as well.
  requireRate(principal, limiter);
  if (sent.bare) {
    if (!principal.profile.switches.has("bare-token")) throw unauthorized(BARE_TOKEN);
    onBareToken?.();
  }
  requireAddressee(request, principal);
  return principal;
}

/**
 * Looks at what code without types may answer: callers without a tenant would have one in common.
 * @throws TypeError
 */
function requirePrincipal(principal: Principal): void {
  // What is no object has no tenant either.
  const { tenant, connection, scopes, profile }: Partial<Principal> = principal;
  const lacks = (name: string): TypeError =>
    new TypeError(
      `The authenticator answered a caller without '${name}': it has 'tenant', 'connection', 'subject', 'scopes' and 'profile'`,
    );
  if (typeof tenant !== "string" || tenant === "") throw lacks("tenant");
  if (typeof connection !== "string") throw lacks("connection");
  if (typeof scopes?.has !== "function") throw lacks("scopes");
  if (typeof profile?.switches?.has !== "function") throw lacks("profile");
}

/** @throws ScimError `tooManyRequests` */
function requireRate(principal: Principal, limiter: RequestLimiter | undefined): void {
  const early = limiter?.admit(principal) ?? null;
  if (early !== null) throw tooManyRequests(early);
}

/** An address for one tenant, or for one connection of it, is none for the others. */
function requireAddressee(
  { tenant, connection = null }: Pick<HttpRequest, "tenant" | "connection">,
  principal: Principal,
): void {
  if (tenant !== null && tenant !== principal.tenant) throw noSuchAddress();
  if (connection !== null && connection !== principal.connection) throw noSuchAddress();
}

/** `Bearer x` in any letter case, or `x` alone; null where there is no header. Other schemes carry no token of ours. */
function sentToken(header: string | undefined): SentToken | null {
  const value = header?.trim() ?? "";
  if (value === "") return null;
  const space = value.indexOf(" ");
  if (space === -1) return { text: value, bare: true };
  return {
    text: value.slice(0, space).toLowerCase() === "bearer" ? value.slice(space + 1).trim() : "",
    bare: false,
  };
}

/** What may stand between quotes in a header; an address that holds anything else is not told. */
const QUOTABLE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const NO_TOKEN = "A token is required. Send 'Authorization: Bearer <token>'.";
const BAD_TOKEN =
  "The token is not valid: it is unknown, expired, revoked or malformed, or its tenant or connection is suspended. Send 'Authorization: Bearer <token>'.";
const BARE_TOKEN =
  "The token came without the word Bearer before it, which the profile of its connection asks for. Send that too, or let an administrator turn the switch 'bare-token' on.";

/** RFC 6750 §3.1: no error code where no credentials came at all. RFC 9728 §5.1: where to read how to get some. */
function refusal(detail: string, metadata: string | null): ScimError {
  const challenge = [
    'Bearer realm="scim"',
    ...(detail === NO_TOKEN ? [] : ['error="invalid_token"']),
    ...(metadata !== null && QUOTABLE.test(metadata) ? [`resource_metadata="${metadata}"`] : []),
  ].join(", ");
  return new ScimError("unauthorized", detail, { headers: { "www-authenticate": challenge } });
}

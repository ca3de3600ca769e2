/**
 * The token endpoint (RFC 6749 §4.4): access tokens for clients that authenticate. It knows no framework.
 * @module
 */
import { rateLimitHeaders, type RequestLimiter, type TooManyRequests } from "@scim/core";
import { isScimError } from "@scim/schemas";
import { unknownType } from "../administration/known-types.ts";
import { newTokenText } from "../credentials/token-text.ts";
import {
  type AuthenticatedClient,
  authenticateClient,
  type ClientAuthentication,
} from "./authenticate-client.ts";
import type { OAuthClient } from "./client.ts";
import { clientIdOf, clientOfId } from "./client-text.ts";
import { grantedScopes } from "./granted-scopes.ts";
import { OAuthError, type OAuthErrorCode } from "./oauth-error.ts";
import { claimedClientId, readTokenRequest, type TokenRequest } from "./token-request.ts";

/** What a token endpoint is made of. */
export interface TokenEndpointOptions extends ClientAuthentication {
  /** Unpredictable bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
  /**
   * Names of the resource types of a tenant: a scope for one that it does not have is refused. Default: nobody looks.
   */
  readonly resourceTypes?: ((tenant: string) => Promise<readonly string[]>) | undefined;
  /**
   * Counts refused clients, by address and `client_id`, and tokens that are given, at the rate of the connection.
   * Default: nothing is counted.
   */
  readonly limiter?: RequestLimiter | undefined;
  /** Called for each request when its answer is ready. */
  readonly onRequestDone?: ((record: TokenRequestRecord) => void) | undefined;
}

/** A request as logs show it: nothing of it is secret. */
export interface TokenRequestRecord {
  readonly requestId: string;
  readonly status: number;
  /** The client that authenticated, or null. */
  readonly client: Pick<OAuthClient, "tenant" | "connection" | "id"> | null;
  /** The `client_id` that was sent, where it has the form of ours: nobody proved it. */
  readonly claimed: string | null;
  /** Code of the refusal, and what was wrong; or null. */
  readonly error: { readonly code: OAuthErrorCode; readonly reason: string } | null;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /** What failed where the answer is 500 or 503. */
  readonly failure: unknown;
}

/** An answer: JSON, never kept by caches. */
export interface TokenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers requests of the token endpoint; never rejects. */
export type TokenEndpoint = (request: TokenRequest) => Promise<TokenAnswer>;

/**
 * Makes a token endpoint. Access tokens are opaque, and have the form of every token of the service.
 *
 * @example
 * const answer = createTokenEndpoint({ clients, tenants, connections, hasher, checkJwt, randomBytes, now: Date.now });
 * await answer({ id: requestId, contentType, authorization, body: "grant_type=client_credentials&…", address });
 */
export function createTokenEndpoint(options: TokenEndpointOptions): TokenEndpoint {
  return async (request) => {
    const began = options.now();
    let client: OAuthClient | null = null;
    try {
      const { proof, scopes } = readTokenRequest(request);
      const authenticated = await authenticateClient(proof, options);
      client = authenticated.client;
      const early = admit(authenticated, options);
      if (early !== null) return done(options, { request, began, client, answer: early });
      const granted = grantedScopes(client.scopes, scopes);
      await requireTypes(client, granted, options);
      return done(options, { request, began, client, answer: await issue(authenticated, granted, options) });
    } catch (thrown) {
      const error = thrown instanceof OAuthError ? thrown : failed(thrown);
      const early = error.code === "invalid_client" ? refusedTooOften(request, options) : null;
      return done(options, { request, began, client, answer: early ?? refusal(error), error });
    }
  };
}

/** A mistyped type would open nothing. What the client holds itself stays: a type that goes takes no scope away. */
async function requireTypes(
  { tenant, scopes }: OAuthClient,
  granted: readonly string[],
  { resourceTypes }: TokenEndpointOptions,
): Promise<void> {
  if (resourceTypes === undefined) return;
  const narrowed = granted.filter((scope) => !scopes.includes(scope));
  const unknown = await unknownType(narrowed, () => resourceTypes(tenant));
  if (unknown === null) return;
  throw new OAuthError(
    "invalid_scope",
    `A scope names a resource type that there is not; there are: ${unknown.types.join(", ")}.`,
  );
}

async function issue(
  { client, credential, used }: AuthenticatedClient,
  scopes: readonly string[],
  { clients, hasher, randomBytes, now }: TokenEndpointOptions,
): Promise<TokenAnswer> {
  const text = newTokenText(client.tenant, randomBytes);
  const instant = now();
  const token = {
    ...hasher.sign(text),
    tenant: client.tenant,
    client: client.id,
    credential,
    scopes,
    created: new Date(instant).toISOString(),
    expires: new Date(instant + client.tokenLifetime * 1000).toISOString(),
  };
  if (!(await clients.addAccessToken(token, used))) {
    throw new OAuthError("invalid_client", "The assertion is refused. It was used before.");
  }
  return answer(200, {
    access_token: text,
    token_type: "Bearer",
    expires_in: client.tokenLifetime,
    scope: scopes.join(" "),
  });
}

/** Tokens are counted apart from requests: a connection that sends too many must still get the next token. */
function admit(
  { client, connection }: AuthenticatedClient,
  { limiter }: TokenEndpointOptions,
): TokenAnswer | null {
  const { tenant } = client;
  const asked = { tenant, connection: clientIdOf(client), rate: connection.rate };
  const early = limiter?.admit(asked) ?? null;
  return early === null ? null : tooMany(early, "invalid_request", "The client asks for too many tokens.");
}

function refusedTooOften(request: TokenRequest, { limiter }: TokenEndpointOptions): TokenAnswer | null {
  const early = limiter?.refused(request.address, claimedClientId(request)) ?? null;
  return early === null ? null : tooMany(early, "invalid_client", "Authentication failed too often.");
}

function tooMany(early: TooManyRequests, error: OAuthErrorCode, description: string): TokenAnswer {
  const body = {
    error,
    error_description: `${description} Send the request again in ${early.retryAfter} s.`,
  };
  return answer(429, body, rateLimitHeaders(early));
}

/** What failed in the store, or the service, is told to the log alone. */
function failed(cause: unknown): OAuthError {
  return isScimError(cause) && cause.status === 503
    ? new OAuthError(
        "temporarily_unavailable",
        "The service cannot answer at the moment; send the request again.",
        { cause },
      )
    : new OAuthError("server_error", "The service failed to answer; its log tells more.", { cause });
}

const RETRY_SECONDS = "5";

function refusal({ code, status, message }: OAuthError): TokenAnswer {
  const more: Record<string, string> = {};
  // RFC 6749 §5.2: the scheme that a client may authenticate with.
  if (status === 401) more["www-authenticate"] = 'Basic realm="scim"';
  if (status === 503) more["retry-after"] = RETRY_SECONDS;
  return answer(status, { error: code, error_description: message }, more);
}

/** RFC 6749 §5.1: no cache keeps it. */
function answer(
  status: number,
  body: Readonly<Record<string, string | number>>,
  more: Readonly<Record<string, string>> = {},
): TokenAnswer {
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    pragma: "no-cache",
    ...more,
  };
  return { status, headers, body: JSON.stringify(body) };
}

interface Done {
  readonly request: TokenRequest;
  readonly began: number;
  readonly client: OAuthClient | null;
  readonly answer: TokenAnswer;
  readonly error?: OAuthError;
}

function done({ onRequestDone, now }: TokenEndpointOptions, of: Done): TokenAnswer {
  const { request, began, client, answer: given, error } = of;
  const claimed = claimedClientId(request);
  onRequestDone?.({
    requestId: request.id,
    durationMs: Math.max(0, now() - began),
    status: given.status,
    client,
    claimed: clientOfId(claimed) === null ? null : claimed,
    error: error === undefined ? null : { code: error.code, reason: error.reason },
    failure: error?.cause,
  });
  return given;
}

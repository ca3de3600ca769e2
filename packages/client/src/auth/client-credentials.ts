/**
 * The OAuth client credentials grant (RFC 6749 §4.4).
 * @module
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { CredentialsError } from "../errors/credentials-error.ts";
import { pause } from "../clock.ts";
import { retryAfter } from "../exchange/retry-policy.ts";
import { TransportFailure, type Transport, type TransportAnswer } from "../transport/port.ts";
import { base64, type Credentials, type CredentialsContext } from "./credentials.ts";
import { refreshingToken, type FreshToken } from "./refreshing-token.ts";

/** A client of an authorization server. */
export interface ClientCredentialsOptions {
  /** Address of the token endpoint: `https://id.example/oauth2/token`. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes to ask for, separated by spaces. Default: what the authorization server gives. */
  readonly scope?: string;
  /** Audience or resource that some servers ask for, sent as further parameters. Default none. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** How the secret is sent: in the header (RFC 6749 §2.3.1) or in the body. Default `header`. */
  readonly secretIn?: "header" | "body";
  /** What carries the request. Default: the client's own; where that calls a service in this process, give another. */
  readonly transport?: Transport;
}

const MOST_BYTES = 65_536;

/** How often a token is asked for where the server does not answer, or says that it cannot now. */
const ATTEMPTS = 3;
/** Milliseconds before the second attempt; twice that before the third. */
const WAIT_MS = 500;
/** Longest wait that a server may ask for: requests wait as long. */
const LONGEST_WAIT_MS = 5000;
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Credentials that get their token from an authorization server, and again before it expires or when it is refused. One that
 * is away for a moment is asked up to three times.
 *
 * @example
 * const auth = clientCredentials({ tokenUrl, clientId: "hr", clientSecret, scope: "scim:read scim:write" });
 * @throws {@link TypeError} where the address cannot be read
 */
export function clientCredentials(options: ClientCredentialsOptions): Credentials {
  const { origin, pathname, search } = new URL(options.tokenUrl);
  const token = refreshingToken(async (context) => {
    const transport = options.transport ?? context.transport;
    const request = { ...requestOf(options), origin, path: pathname + search };
    return tokenOf(await persistently(context, () => ask(transport, request, context)));
  });
  return { ...token, tokenEndpoint: { address: origin, transport: options.transport } };
}

interface TokenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly origin: string;
  readonly path: string;
}

/** Asks, and again where that may help: the answer of another attempt is another token, and nothing more. */
async function persistently(
  { clock, signal }: CredentialsContext,
  send: () => Promise<TransportAnswer>,
): Promise<TransportAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === ATTEMPTS || signal.aborted;
    let asked: number | null = null;
    try {
      const answer = await send();
      asked = retryAfter(answer.headers, clock.now());
      if (isLast || !PASSING.has(answer.status) || (asked ?? 0) > LONGEST_WAIT_MS) return answer;
    } catch (error) {
      if (isLast || !isUnanswered(error)) throw error;
    }
    await pause(clock, asked ?? WAIT_MS * attempt, signal);
  }
}

function isUnanswered(error: unknown): boolean {
  const cause = error instanceof CredentialsError ? error.cause : null;
  return cause instanceof TransportFailure && ["unsent", "broken", "cutOff"].includes(cause.kind);
}

async function ask(
  transport: Transport,
  request: TokenRequest,
  { signal }: CredentialsContext,
): Promise<TransportAnswer> {
  try {
    return await transport.send({
      ...request,
      method: "POST",
      basePath: "",
      signal,
      maxAnswerBytes: MOST_BYTES,
    });
  } catch (error) {
    throw new CredentialsError("The token endpoint does not answer.", { cause: error });
  }
}

function requestOf(options: ClientCredentialsOptions): Pick<TokenRequest, "headers" | "body"> {
  const { clientId, clientSecret, scope, parameters = {}, secretIn = "header" } = options;
  const form = new URLSearchParams({
    ...parameters,
    grant_type: "client_credentials",
    ...(scope === undefined ? {} : { scope }),
    ...(secretIn === "body" ? { client_id: clientId, client_secret: clientSecret } : {}),
  });
  const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
  if (secretIn === "body") return { headers, body: form.toString() };
  const pair = base64(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
  return { headers: { ...headers, authorization: `Basic ${pair}` }, body: form.toString() };
}

/** @throws {@link CredentialsError} */
function tokenOf({ status, body }: TransportAnswer): FreshToken {
  const message = jsonOf(body);
  if (status !== 200) {
    const code = message["error"];
    const oauthError = typeof code === "string" && /^[a-z_]{1,64}$/.test(code) ? code : null;
    throw new CredentialsError(
      `The token endpoint answered ${status}${oauthError === null ? "" : `, ${oauthError}`}.`,
      { status, oauthError },
    );
  }
  const token = message["access_token"];
  if (typeof token !== "string") throw new CredentialsError("The token endpoint gave no token.", { status });
  const seconds = Number(message["expires_in"]);
  return seconds > 0 ? { token, expiresIn: seconds } : { token };
}

function jsonOf(text: string): JsonObject {
  try {
    // JSON text is a JSON value.
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

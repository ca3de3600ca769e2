/**
 * What a client is made of, with every default.
 * @module
 */
import { bearerToken, type Credentials } from "./auth/credentials.ts";
import { watchPlainHttp, type PlainHttp } from "./auth/plain-http.ts";
import { SYSTEM_CLOCK, type Clock } from "./clock.ts";
import { UsageError } from "./errors/usage-error.ts";
import type { EngineParts } from "./exchange/engine-parts.ts";
import type { ClientEvent } from "./exchange/events.ts";
import type { ClientTracer } from "./exchange/tracing.ts";
import { Gate } from "./exchange/gate.ts";
import { givenHeaders } from "./exchange/header-text.ts";
import { retryPolicy, type RetryOptions } from "./exchange/retry-policy.ts";
import type { Transport } from "./transport/port.ts";
import type { CacheLimits } from "./versions/resource-cache.ts";

/** What a client is made of. */
export interface ClientOptions {
  /** Address of the service, with everything before `/Users`: `https://id.example/scim/v2`. */
  readonly baseUrl: string | URL;
  /** A bearer token, or credentials such as {@link clientCredentials} makes. Default: none are sent. */
  readonly auth?: string | Credentials | null;
  /**
   * What is done where credentials would go over plain HTTP to another machine: `warn` on the console, once for each
   * origin; `allow`; or `refuse` by a UsageError `plainHttp`. Default `warn`.
   */
  readonly plainHttp?: PlainHttp;
  /** What carries the requests; it is not closed with the client. Default: one of the platform. */
  readonly transport?: Transport;
  readonly limits?: ClientLimits;
  readonly retries?: RetryOptions;
  /** Bounds of the cache behind `get`, or false for none. */
  readonly cache?: CacheLimits | false;
  /** Sent with every request. A `content-type` stands in the place of SCIM's, where there is a body. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Told of each request, answer and retry: for logs, metrics and traces. Must not throw. */
  readonly onEvent?: (event: ClientEvent) => void;
  /**
   * Gets a span of each attempt, whose trace the service continues: a tracer of `@opentelemetry/api`. Default: none.
   */
  readonly tracer?: ClientTracer;
  /** Default: the platform's. */
  readonly clock?: Clock;
  /** A number from 0 to below 1, for waits. Default: the platform's. */
  readonly random?: () => number;
}

/** What a client allows itself and the service. */
export interface ClientLimits {
  /** Milliseconds for each attempt, from sending to the end of the answer: 1 or more. Default 30,000. */
  readonly timeout?: number;
  /** Greatest number of requests under way at once: 1 or more. Default 32. */
  readonly concurrency?: number;
  /** Greatest number of requests that begin in a second. Default: no limit. */
  readonly requestsPerSecond?: number;
  /** Greatest size of an answer, in bytes, after decompression. Default 67,108,864. */
  readonly maxAnswerBytes?: number;
}

/** @throws {@link UsageError} `invalidOption`, `plainHttp` */
export function engineParts(options: ClientOptions, transport: Transport): EngineParts {
  const { auth = null, limits = {}, headers = {}, clock = SYSTEM_CLOCK, random = Math.random } = options;
  const { timeout = 30_000, concurrency = 32, requestsPerSecond = Number.POSITIVE_INFINITY } = limits;
  const { maxAnswerBytes = 67_108_864 } = limits;
  const retries = retryPolicy(options.retries);
  const { attempts, baseDelay, maxDelay, maxRetryAfter } = retries;
  requireAtLeast(1, { timeout, concurrency, maxAnswerBytes, "retries.attempts": attempts });
  requireAtLeast(0, {
    "retries.baseDelay": baseDelay,
    "retries.maxDelay": maxDelay,
    "retries.maxRetryAfter": maxRetryAfter,
  });
  if (!(requestsPerSecond > 0)) throw new UsageError("invalidOption", "'requestsPerSecond' is above 0.");
  const address = baseAddress(options.baseUrl);
  watchPlainHttp(address.origin, options, transport);
  return {
    ...address,
    transport,
    credentials: typeof auth === "string" ? givenToken(auth) : auth,
    headers: givenHeaders(headers),
    gate: new Gate(clock, { concurrency, requestsPerSecond }),
    clock,
    random,
    retries,
    timeout,
    maxAnswerBytes,
    onEvent: options.onEvent,
    tracer: options.tracer,
  };
}

function givenToken(text: string): Credentials {
  try {
    return bearerToken(text);
  } catch (cause) {
    throw new UsageError("invalidOption", `'auth': ${cause instanceof Error ? cause.message : ""}`, {
      cause,
    });
  }
}

function requireAtLeast(least: number, numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers))
    if (!(value >= least)) throw new UsageError("invalidOption", `'${name}' is a number from ${least}.`);
}

function baseAddress(baseUrl: string | URL): Pick<EngineParts, "origin" | "basePath"> {
  const text = String(baseUrl);
  if (!URL.canParse(text)) throw new UsageError("invalidOption", "'baseUrl' is an absolute address.");
  const { protocol, origin, pathname, username, password, search, hash } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") {
    throw new UsageError("invalidOption", "'baseUrl' begins with https:// or http://.");
  }
  if (username !== "" || password !== "" || search !== "" || hash !== "") {
    throw new UsageError(
      "invalidOption",
      "'baseUrl' has no credentials, no query and no fragment: give credentials as 'auth'.",
    );
  }
  return { origin, basePath: pathname.replace(/\/+$/, "") };
}

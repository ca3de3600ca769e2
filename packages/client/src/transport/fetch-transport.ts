/**
 * The transport of browsers, edge platforms, Deno and Bun: `fetch`.
 * @module
 */
import { AnswerBytes, decodeText } from "./answer-bytes.ts";
import { TransportFailure, type Transport, type TransportRequest } from "./port.ts";

/** What is asked of a `fetch`: that of any platform or library has it, whatever else its types name. */
export type FetchFunction = (address: string, init: FetchRequest) => Promise<FetchAnswer>;

/** What a {@link FetchFunction} is given beside the address. */
export interface FetchRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
  readonly redirect: "manual";
  /** Where the platform has cookies. */
  readonly credentials?: "omit" | "same-origin" | "include";
  /** Where the platform has a cache. */
  readonly cache?: "no-store";
}

/** What is read of the `Response` of a {@link FetchFunction}. */
export interface FetchAnswer {
  readonly status: number;
  readonly type: string;
  readonly headers: Iterable<readonly [string, string]>;
  readonly body: {
    getReader(): {
      read(): Promise<
        { readonly done: false; readonly value: unknown } | { readonly done: true; readonly value?: unknown }
      >;
      cancel(): Promise<unknown>;
    };
  } | null;
}

/** Whose `fetch` is called. */
export interface FetchTransportOptions {
  /**
   * Default: the one of the platform. That of undici takes a dispatcher along:
   * `(address, init) => fetch(address, { ...init, dispatcher })`.
   */
  readonly fetch?: FetchFunction;
  /** Whether a browser sends its cookies along, as a console on the origin of the service wants it. Default `omit`. */
  readonly cookies?: "omit" | "same-origin" | "include";
}

/**
 * Makes a transport on `fetch`. The platform undoes content codings itself; the bound on the answer's size holds for
 * what comes out.
 */
export function createFetchTransport(options: FetchTransportOptions = {}): Transport {
  const { cookies = "omit" } = options;
  return {
    send: async (request) => {
      // Looked up at each call: tests and platforms put another in its place.
      const call: FetchFunction = options.fetch ?? globalThis.fetch;
      const response = await connect(call, request, cookies);
      if (response.type === "opaqueredirect") {
        throw new TransportFailure("redirected", "The service redirects to another address.");
      }
      return {
        status: response.status,
        headers: flat(response.headers),
        body: await textOf(response, request),
      };
    },
    close: async () => undefined,
  };
}

/** Cookies and cache, where the platform has them: Cloudflare Workers refuse requests that name a cache which they lack. */
function ofBrowsers(
  cookies: "omit" | "same-origin" | "include",
): Pick<FetchRequest, "credentials" | "cache"> {
  const { Request: request } = globalThis;
  const has = (name: string): boolean => request === undefined || name in request.prototype;
  return {
    ...(has("credentials") ? { credentials: cookies } : {}),
    ...(has("cache") ? { cache: "no-store" } : {}),
  };
}

async function connect(
  call: FetchFunction,
  request: TransportRequest,
  cookies: "omit" | "same-origin" | "include",
): Promise<FetchAnswer> {
  try {
    return await call(request.origin + request.path, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      signal: request.signal,
      redirect: "manual",
      ...ofBrowsers(cookies),
    });
  } catch (error) {
    // `fetch` does not tell whether the request was sent.
    throw new TransportFailure("broken", "There was no answer.", error);
  }
}

async function textOf(response: FetchAnswer, { maxAnswerBytes }: TransportRequest): Promise<string> {
  if (response.body === null) return "";
  const bytes = new AnswerBytes(maxAnswerBytes);
  const reader = response.body.getReader();
  try {
    for (;;) {
      const piece = await reader.read();
      if (piece.done) return decodeText(bytes.whole(), response.status);
      // The stream of a response is one of bytes.
      bytes.add(piece.value as Uint8Array);
    }
  } catch (error) {
    if (error instanceof TransportFailure) {
      await reader.cancel().catch(() => undefined);
      throw error;
    }
    throw new TransportFailure("cutOff", "The connection ended within the answer.", error);
  }
}

function flat(headers: FetchAnswer["headers"]): Readonly<Record<string, string>> {
  return Object.fromEntries(headers);
}

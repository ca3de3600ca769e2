/**
 * The transport of browsers, edge platforms, Deno and Bun: `fetch`.
 * @module
 */
import { AnswerBytes, decodeText } from "./answer-bytes.ts";
import { TransportFailure, type Transport, type TransportRequest } from "./port.ts";

/** Whose `fetch` is called. */
export interface FetchTransportOptions {
  /** Default: the one of the platform. */
  readonly fetch?: typeof globalThis.fetch;
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
      const call = options.fetch ?? globalThis.fetch;
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

/** Browsers alone have a cache: the types of older releases of Node.js do not know the member. */
const UNKEPT = { cache: "no-store" } as const;

async function connect(
  call: typeof globalThis.fetch,
  request: TransportRequest,
  cookies: "omit" | "same-origin" | "include",
): Promise<Response> {
  try {
    return await call(request.origin + request.path, {
      method: request.method,
      headers: request.headers,
      body: request.body,
      signal: request.signal,
      redirect: "manual",
      credentials: cookies,
      ...UNKEPT,
    });
  } catch (error) {
    // `fetch` does not tell whether the request was sent.
    throw new TransportFailure("broken", "There was no answer.", error);
  }
}

async function textOf(response: Response, { maxAnswerBytes }: TransportRequest): Promise<string> {
  if (response.body === null) return "";
  const bytes = new AnswerBytes(maxAnswerBytes);
  // The stream of a response is one of bytes.
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  try {
    for (;;) {
      const piece = await reader.read();
      if (piece.done) return decodeText(bytes.whole(), response.status);
      bytes.add(piece.value);
    }
  } catch (error) {
    if (error instanceof TransportFailure) {
      await reader.cancel().catch(() => undefined);
      throw error;
    }
    throw new TransportFailure("cutOff", "The connection ended within the answer.", error);
  }
}

function flat(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries(headers);
}

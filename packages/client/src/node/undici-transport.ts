/**
 * The transport of Node.js: a pool of connections of undici.
 * @module
 */
import { Agent, EnvHttpProxyAgent, ProxyAgent, type Dispatcher } from "undici";
import { UsageError } from "../errors/usage-error.ts";
import { AnswerBytes, decodeText, isSuccess } from "../transport/answer-bytes.ts";
import {
  TransportFailure,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from "../transport/port.ts";
import { uncompressed } from "./content-coding.ts";

/** How connections are made and kept. Times are in milliseconds. */
export interface UndiciTransportOptions {
  /** Greatest number of connections to one origin: 1 or more. Default 32. */
  readonly connections?: number;
  /**
   * Requests that may wait for their answers on one connection. With more than 1, undici puts GET and HEAD behind each
   * other, and never a request that changes something. Default 1: one slow answer holds up no other.
   */
  readonly pipelining?: number;
  /** How long a connection may take to be made. Default 10,000. */
  readonly connectTimeout?: number;
  /** How long an idle connection is kept, unless the service says less. Default 4,000. */
  readonly keepAliveTimeout?: number;
  /**
   * Address of an HTTP proxy, or `"environment"` for what `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` say. Default: none.
   */
  readonly proxy?: string;
  /** Whether to ask for compressed answers. Default false. One that comes all the same is read, within the bound. */
  readonly compression?: boolean;
  /** A dispatcher of one's own, such as a `MockAgent`, or one with client certificates or HTTP/2. It is not closed by the client. */
  readonly dispatcher?: Dispatcher;
}

/**
 * Makes a transport on undici.
 *
 * @example
 * const client = createScimClient({
 *   baseUrl: "https://id.example/scim/v2",
 *   auth: token,
 *   transport: createUndiciTransport({ connections: 8, proxy: "environment" }),
 * });
 * @throws {@link UsageError} `invalidOption`
 */
export function createUndiciTransport(options: UndiciTransportOptions = {}): Transport {
  const { dispatcher = createDispatcher(options) } = options;
  // Bun puts classes without a method in the place of those of the package.
  if (typeof dispatcher.dispatch !== "function")
    throw new UsageError(
      "invalidOption",
      options.dispatcher === undefined
        ? "This runtime, as Bun does, puts something else in the place of the package undici: make the client by 'createScimClient' of '@scim/client/fetch'."
        : "'dispatcher' is a Dispatcher of the package undici.",
    );
  const coding = options.compression === true ? "gzip, br" : "identity";
  // A dispatcher of undici that is closed refuses to be closed again.
  let closed: Promise<void> | null = null;
  return {
    send: (request) => dispatch(dispatcher, request, coding),
    close: async () => {
      if (options.dispatcher === undefined) await (closed ??= dispatcher.close());
    },
  };
}

function createDispatcher(options: UndiciTransportOptions): Dispatcher {
  const { connections = 32, pipelining = 1, connectTimeout = 10_000, keepAliveTimeout = 4000 } = options;
  // The client watches over the whole time of a request itself.
  const common = {
    // A request that is given up ends its connection. Of HTTP/2 all requests share one, which stays where nobody answers any more, be
    // it that the network lost it: each that is sent again would wait on it too.
    allowH2: false,
    connections,
    pipelining,
    connect: { timeout: connectTimeout },
    keepAliveTimeout,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (options.proxy === undefined) return new Agent(common);
  if (options.proxy === "environment") return new EnvHttpProxyAgent(common);
  return new ProxyAgent({ ...common, uri: options.proxy });
}

/** One request on a dispatcher, without the streams that undici's `request` makes of each answer. */
function dispatch(
  dispatcher: Dispatcher,
  request: TransportRequest,
  coding: string,
): Promise<TransportAnswer> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    const bytes = new AnswerBytes(request.maxAnswerBytes);
    const state = { sent: false, status: 0, headers: {} as Readonly<Record<string, string>> };
    let running: Dispatcher.DispatchController | null = null;

    // One that is yet to begin waits for a connection: it never comes to the wire.
    const onAbort = (): void =>
      fail(
        new TransportFailure(state.sent ? "broken" : "unsent", "The request was given up.", signal.reason),
      );
    const settle = (): void => signal.removeEventListener("abort", onAbort);
    const fail = (failure: TransportFailure): void => {
      settle();
      reject(failure);
      running?.abort(failure);
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener("abort", onAbort);

    dispatcher.dispatch(
      {
        origin: request.origin,
        path: request.path,
        method: request.method,
        headers: { ...request.headers, "accept-encoding": coding },
        body: request.body,
      },
      {
        onRequestStart: (controller) => {
          running = controller;
          state.sent = true;
          if (signal.aborted) controller.abort(new TransportFailure("broken", "The request was given up."));
        },
        onResponseStart: (_controller, status, headers) => {
          state.status = status;
          state.headers = flat(headers);
        },
        onResponseData: (_controller, chunk) => {
          try {
            bytes.add(chunk);
          } catch (error) {
            fail(asFailure(error, state));
          }
        },
        onResponseEnd: () => {
          settle();
          finish(bytes, state, request.maxAnswerBytes).then(resolve, (error: unknown) =>
            reject(asFailure(error, state)),
          );
        },
        onResponseError: (_controller, error) => {
          settle();
          reject(asFailure(error, state));
        },
      },
    );
  });
}

interface Exchange {
  readonly sent: boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

async function finish(
  bytes: AnswerBytes,
  { status, headers }: Exchange,
  most: number,
): Promise<TransportAnswer> {
  const coding = headers["content-encoding"];
  const whole = bytes.whole();
  if (coding === undefined || whole.byteLength === 0)
    return { status, headers, body: decodeText(whole, status) };
  try {
    return { status, headers, body: decodeText(await uncompressed(whole, coding, most), status) };
  } catch (error) {
    // Of what is no success, the status counts.
    if (isSuccess(status)) throw error;
    return { status, headers, body: "" };
  }
}

function asFailure(error: unknown, { sent, status }: Exchange): TransportFailure {
  if (error instanceof TransportFailure) return error;
  if (status !== 0) return new TransportFailure("cutOff", "The connection ended within the answer.", error);
  if (!sent) return new TransportFailure("unsent", `No connection came about${reasonOf(error)}.`, error);
  return new TransportFailure("broken", "The connection ended before the answer.", error);
}

/** The name that the system gives the reason, such as `ECONNREFUSED`; of several addresses, that of the first. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]+$/.test(code) ? ` (${code})` : "";
}

function flat(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  if (Object.values(headers).every((value) => typeof value === "string")) {
    // Each of them was looked at.
    return headers as Readonly<Record<string, string>>;
  }
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")]],
    ),
  );
}

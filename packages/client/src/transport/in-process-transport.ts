/**
 * The transport within a process: it calls a handler such as `createScimHandler` of `@scim/http` makes, with the very
 * requests that would go over a socket, and so with authorization, limits and errors as ever.
 * @module
 */
import { AnswerBytes, decodeText } from "./answer-bytes.ts";
import { TransportFailure, type Transport, type TransportAnswer, type TransportRequest } from "./port.ts";

/** What a handler is given: the request of `@scim/http`. */
export interface InProcessRequest {
  readonly method: string;
  /** Raw path and query below the base address. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array | null;
  /** The base address. */
  readonly baseUrl: string;
  readonly tenant: string | null;
  readonly signal: AbortSignal | undefined;
  readonly id: string;
  readonly address?: string | undefined;
}

/** What a handler answers: text, or something that gives text in pieces. */
export interface InProcessResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string | Uint8Array> | null;
}

/** A service as a function; a `ScimHandler` of `@scim/http` is one. */
export interface InProcessHandler {
  handle(request: InProcessRequest): Promise<InProcessResponse>;
}

/** How requests reach the handler. */
export interface InProcessTransportOptions {
  /** The tenant that the address would name. Default null: the token decides. */
  readonly tenant?: string | null;
  /** Names each request in the logs of the service. Default: `in-process-1`, `in-process-2`, … */
  readonly requestId?: () => string;
  /** Network address that changes are told with. Default: unknown. */
  readonly address?: string;
}

const ENCODER = new TextEncoder();

/**
 * Makes a transport that calls a handler.
 *
 * @example
 * const client = createScimClient({
 *   baseUrl: "https://id.example/scim/v2", // what `meta.location` begins with
 *   auth: token,
 *   transport: createInProcessTransport(createScimHandler({ service, authenticate })),
 * });
 */
export function createInProcessTransport(
  handler: InProcessHandler,
  options: InProcessTransportOptions = {},
): Transport {
  const { tenant = null, requestId = numbered("in-process"), address } = options;
  return {
    send: async (request) => {
      const handled = handler
        .handle({
          method: request.method,
          target: targetOf(request),
          headers: request.headers,
          body: request.body === null ? null : ENCODER.encode(request.body),
          baseUrl: request.origin + request.basePath,
          tenant,
          signal: request.signal,
          id: requestId(),
          address,
        })
        .catch((error: unknown) => {
          throw new TransportFailure("broken", "The handler failed.", error);
        });
      const response = await raced(handled, request.signal).catch((error: unknown) => {
        void handled.then(letGo, () => undefined);
        throw error;
      });
      return answerOf(response, request);
    },
    isLocal: true,
    close: async () => undefined,
  };
}

async function answerOf(response: InProcessResponse, request: TransportRequest): Promise<TransportAnswer> {
  const { status, headers, body } = response;
  if (body === null || typeof body === "string") return { status, headers, body: body ?? "" };
  const bytes = new AnswerBytes(request.maxAnswerBytes);
  const pieces = body[Symbol.asyncIterator]();
  try {
    await raced(collect(pieces, bytes), request.signal);
  } catch (error) {
    endOf(pieces);
    if (error instanceof TransportFailure) throw error;
    throw new TransportFailure("cutOff", "The service failed within the answer.", error);
  }
  return { status, headers, body: decodeText(bytes.whole(), status) };
}

/** Ends the body of an answer that nobody waits for any more. */
function letGo({ body }: InProcessResponse): void {
  if (body !== null && typeof body !== "string") endOf(body[Symbol.asyncIterator]());
}

/** Not waited for: what keeps silent may not end either. */
function endOf(pieces: AsyncIterator<unknown>): void {
  void pieces.return?.().catch(() => undefined);
}

async function collect(pieces: AsyncIterator<string | Uint8Array>, bytes: AnswerBytes): Promise<void> {
  for (;;) {
    const piece = await pieces.next();
    if (piece.done === true) return;
    bytes.add(typeof piece.value === "string" ? ENCODER.encode(piece.value) : piece.value);
  }
}

/** A handler, or the body that it gives, may not look at its signal: nobody waits for it longer than asked. */
function raced<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void =>
      reject(new TransportFailure("broken", "The request was given up.", signal.reason));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
    // Also of what nobody waits for any more: its failure is nobody's.
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function targetOf({ path, basePath }: TransportRequest): string {
  const target = path.slice(basePath.length);
  return target.startsWith("/") ? target : `/${target}`;
}

function numbered(prefix: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count}`;
  };
}

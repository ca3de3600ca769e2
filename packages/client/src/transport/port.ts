/**
 * The port behind which requests travel: one request in, one answer out. A transport knows nothing of SCIM, tries
 * once, and follows no redirect.
 * @module
 */

/** A request as it goes to the service. */
export interface TransportRequest {
  /** Upper-case method. */
  readonly method: string;
  /** Scheme, host and port: `https://id.example`. */
  readonly origin: string;
  /** Raw path and query, percent-encoded: `/scim/v2/Users?count=10`. */
  readonly path: string;
  /** The part of `path` that is the base address of the service: `/scim/v2`; empty where that is the origin. */
  readonly basePath: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or null for none. */
  readonly body: string | null;
  /** Aborted when nobody waits for the answer any more: the caller has given up, or the time is over. */
  readonly signal: AbortSignal;
  /** Greatest size of the answer's body, in bytes, after any content coding is undone. */
  readonly maxAnswerBytes: number;
}

/** An answer, whole. */
export interface TransportAnswer {
  readonly status: number;
  /** Headers by lower-case name; several lines of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty for none. */
  readonly body: string;
}

/** Carries requests: over a pool of sockets, `fetch`, or in this process. */
export interface Transport {
  /**
   * Sends a request and waits for the whole answer, whatever its status. Rejects at once when the signal is aborted.
   * @throws {@link TransportFailure}
   */
  send(request: TransportRequest): Promise<TransportAnswer>;
  /** Whether requests never leave the process, so that nobody can listen. Default false. */
  readonly isLocal?: boolean;
  /** Gives back what the transport holds, such as sockets, once. Requests that are under way are finished. */
  close(): Promise<void>;
}

/**
 * Why there is no answer.
 * - `unsent`: no connection came about, so that the service has seen nothing of the request.
 * - `broken`: the connection broke before the answer began. The service may have done what it was asked.
 * - `cutOff`: the answer ended before it was complete.
 * - `tooLarge`: the answer is larger than allowed; it was not read on.
 * - `unreadable`: the answer is no UTF-8, or has a content coding that was not asked for.
 * - `redirected`: a redirect that cannot be looked into, as browsers give it.
 */
export type TransportFailureKind = "unsent" | "broken" | "cutOff" | "tooLarge" | "unreadable" | "redirected";

/** What a transport rejects with. The client makes a {@link ScimClientError} of it. */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  readonly kind: TransportFailureKind;

  constructor(kind: TransportFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

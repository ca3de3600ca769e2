/**
 * What every error of the client has in common.
 * @module
 */

/** The request that an error belongs to. It names no query and no header: those hold personal data and secrets. */
export interface FailedRequest {
  readonly method: string;
  /** Path below the base address, without its query: `/Users/2819c223`. */
  readonly path: string;
  /** Id by which the service knows the request, where its answer told one. */
  readonly requestId: string | null;
  /** How often the request was sent: 0 where it never was. */
  readonly attempts: number;
}

/** What an error is made of. */
export interface ClientErrorOptions {
  readonly request?: FailedRequest | null;
  /** What to do about it. */
  readonly remedy: string;
  readonly cause?: unknown;
}

/** The class behind all errors of the client; match on {@link ScimClientError}, the union, by `code`. */
export abstract class ClientError extends Error {
  /** A stable name for the cause. */
  abstract readonly code: string;
  /** The request that failed; null where there was none. */
  readonly request: FailedRequest | null;
  /** What to do about it, for people. */
  readonly remedy: string;

  constructor(message: string, { request = null, remedy, cause }: ClientErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.request = request;
    this.remedy = remedy;
  }

  /** Id by which the service knows the request, where its answer told one. */
  get requestId(): string | null {
    return this.request?.requestId ?? null;
  }
}

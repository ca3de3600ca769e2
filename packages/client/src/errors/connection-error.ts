/**
 * Requests without an answer.
 * @module
 */
import { ClientError, type FailedRequest } from "./client-error.ts";

const REMEDIES = {
  connectionFailed:
    "Look at the base address, the network and the certificate of the service; then try again.",
  timeout: "Try again later, or allow more time by 'limits.timeout'.",
  aborted: "Nothing: the program gave the request up.",
} as const;

/** Why there is no answer. */
export type ConnectionErrorCode = keyof typeof REMEDIES;

/** There was no answer, and what was asked for was not done, or changes nothing. */
export class ConnectionError extends ClientError {
  override readonly name = "ConnectionError";
  readonly code: ConnectionErrorCode;

  constructor(code: ConnectionErrorCode, what: string, options: { request: FailedRequest; cause?: unknown }) {
    const { request } = options;
    super(`${request.method} ${request.path}: ${what}`, { ...options, remedy: REMEDIES[code] });
    this.code = code;
  }
}

/** What is known of a change whose outcome is not. */
export interface UnknownOutcomeOptions {
  readonly request: FailedRequest;
  /** Ids of resources that the change may have made, found by what identifies them. Default none. */
  readonly candidates?: readonly string[];
  readonly cause?: unknown;
}

/** There was no answer to a change, and nobody can tell whether it was made. */
export class UnknownOutcomeError extends ClientError {
  override readonly name = "UnknownOutcomeError";
  readonly code = "unknownOutcome";
  /** Ids of resources that the change may have made; more than one where an identifier is held more than once. */
  readonly candidates: readonly string[];

  constructor(what: string, { request, candidates = [], cause }: UnknownOutcomeOptions) {
    super(`${request.method} ${request.path}: ${what}`, {
      request,
      cause,
      remedy: "Read the resource, or look it up by 'externalId', and repeat the change if it was not made.",
    });
    this.candidates = candidates;
  }
}

/**
 * Answers that are no SCIM, whatever their status says.
 * @module
 */
import { ClientError, type FailedRequest } from "./client-error.ts";

/** What is wrong with an answer, and what to do about it. */
const REMEDIES = {
  notScim:
    "Look at the base address: a page for people answers there, such as a login page or that of a proxy.",
  invalidJson: "Tell the operator of the service: the body of its answer is no JSON.",
  invalidMessage: "Tell the operator of the service: its answer lacks what RFC 7644 asks for.",
  cutOff: "Try again; where it happens again, look at what stands between client and service.",
  tooLarge:
    "Ask for less, by 'attributes' or a smaller page, or allow larger answers by 'limits.maxAnswerBytes'.",
  unreadable: "Tell the operator of the service: the coding of its answer cannot be read.",
  redirected: "Set the base address to the one that the service redirects to, if that is https and trusted.",
  wrongResource: "Tell the operator of the service: it answered with another resource than it was asked for.",
} as const;

/** What is wrong with an answer. */
export type InvalidAnswerCode = keyof typeof REMEDIES;

/** What an answer looked like. */
export interface InvalidAnswerOptions {
  readonly request: FailedRequest;
  /** HTTP status; null where the answer had none that could be read. */
  readonly status?: number | null;
  /** Media type of the answer; null for none. */
  readonly contentType?: string | null;
  readonly cause?: unknown;
}

/** The service answered, and not as SCIM does. Of a change nobody can tell whether it was made. */
export class InvalidAnswerError extends ClientError {
  override readonly name = "InvalidAnswerError";
  readonly code: InvalidAnswerCode;
  /** HTTP status; null where there was none. */
  readonly status: number | null;
  /** Media type of the answer; null for none. */
  readonly contentType: string | null;

  constructor(code: InvalidAnswerCode, what: string, options: InvalidAnswerOptions) {
    const { request, status = null, contentType = null, cause } = options;
    super(`${request.method} ${request.path}: ${what}`, { request, remedy: REMEDIES[code], cause });
    this.code = code;
    this.status = status;
    this.contentType = contentType;
  }
}

/**
 * Refusals of the token endpoint (RFC 6749 §5.2).
 * @module
 */

/**
 * The codes of RFC 6749 §5.2 that this token endpoint answers. `temporarily_unavailable`, which §4.1.2.1 defines for
 * another endpoint, says that the keys of an issuer, or the database, could not be read; `server_error`, defined there as well,
 * that the service failed.
 */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "temporarily_unavailable"
  | "server_error";

const STATUS: Readonly<Record<OAuthErrorCode, number>> = {
  invalid_request: 400,
  invalid_client: 401,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  temporarily_unavailable: 503,
  server_error: 500,
};

/** What else a refusal may state. */
export interface OAuthErrorOptions extends ErrorOptions {
  /** Default: the description. */
  readonly reason?: string | undefined;
}

/**
 * A refusal. Its message is the `error_description`: a sentence in printable ASCII without quotation marks and
 * backslashes, as the RFC demands, that repeats nothing of what was sent.
 */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode;
  readonly status: number;
  /** What is wrong, for the log of whoever runs the service: more than a stranger is told. */
  readonly reason: string;

  constructor(code: OAuthErrorCode, description: string, options: OAuthErrorOptions = {}) {
    super(description, options);
    this.code = code;
    this.reason = options.reason ?? description;
    this.status = STATUS[code];
  }
}

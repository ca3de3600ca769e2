/**
 * Tokens that cannot be had.
 * @module
 */
import { ClientError } from "./client-error.ts";

/** There is no token, so that nothing was sent to the service. */
export class CredentialsError extends ClientError {
  override readonly name = "CredentialsError";
  readonly code = "tokenUnavailable";
  /** HTTP status of the token endpoint; null where it did not answer, or there is none. */
  readonly status: number | null;
  /** The OAuth error code, such as `invalid_client` (RFC 6749 §5.2); null for none. */
  readonly oauthError: string | null;

  constructor(
    what: string,
    options: { readonly status?: number; readonly oauthError?: string | null; readonly cause?: unknown } = {},
  ) {
    super(what, {
      cause: options.cause,
      remedy: "Look at what gives the token: its address, and its credentials.",
    });
    this.status = options.status ?? null;
    this.oauthError = options.oauthError ?? null;
  }
}

/**
 * Whatever is thrown becomes an answer with a SCIM Error body (RFC 7644 §3.12), here and nowhere else.
 * @module
 */
import { ERROR_URN, isScimError, ScimError } from "@scim/schemas";
import { SCIM_MEDIA_TYPE } from "./media-types.ts";
import type { TextResponse } from "./message.ts";

/**
 * The error to answer. What is no `ScimError` is a fault of the service: the client learns the id of its
 * request, by which the log finds the cause, and the error keeps what was thrown as its `cause`.
 *
 * @example
 * toScimError(new TypeError("x is undefined"), "7f3c-1").code; // "internal"
 */
export function toScimError(thrown: unknown, requestId: string): ScimError {
  if (isScimError(thrown)) return thrown;
  return new ScimError(
    "internal",
    `The service failed to answer. Its log tells more under request id '${requestId}'.`,
    {
      cause: thrown,
    },
  );
}

/** An error as it is answered: plain, it has no member but those of RFC 7644 §3.12. */
export function answeredError(error: ScimError, isPlain: boolean): ScimError {
  if (!isPlain || Object.keys(error.members).length === 0) return error;
  return new ScimError(error.code, error.detail, { cause: error.cause, headers: error.headers });
}

/**
 * The answer of an error, with the headers that belong to it: for what an application refuses before SCIM.
 *
 * @example
 * errorResponse(new ScimError("invalidVers", "Use /scim/v2."));
 */
export function errorResponse(error: ScimError): TextResponse {
  return {
    status: error.status,
    headers: {
      "content-type": SCIM_MEDIA_TYPE,
      // What an application throws need not say when to come again; clients want to know (RFC 9110 §15.6.4).
      ...(error.status === 503 ? { "retry-after": "1" } : {}),
      ...lowerCaseNames(error.headers),
    },
    body: JSON.stringify(error),
  };
}

/**
 * An answer for what happens outside of SCIM, such as a rate limit of the application or a request that is
 * no HTTP, in the form of a SCIM Error.
 *
 * @example
 * statusResponse(429, "Too many requests; wait a minute.");
 */
export function statusResponse(status: number, detail: string): TextResponse {
  return {
    status,
    headers: { "content-type": SCIM_MEDIA_TYPE },
    body: JSON.stringify({ schemas: [ERROR_URN], status: String(status), detail }),
  };
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) lower[name.toLowerCase()] = value;
  return lower;
}

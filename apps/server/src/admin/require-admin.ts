/**
 * Who may use the admin API: tokens of the admin tenant that give a role, and administrators who sign in by an issuer.
 * @module
 */
import type { Authenticator, RequestLimiter } from "@scim/core";
import { tooManyRequests } from "@scim/http";
import { ScimError } from "@scim/schemas";
import { ADMIN_TENANT, administratorOf, type Administrator } from "@scim/tenancy";
import { ADMIN_CHALLENGE } from "./challenge.ts";

const BEARER = /^bearer +(?<token>\S+) *$/i;

/** Where a request comes from, and who counts its credential if that is refused. */
export interface AdminRequest {
  readonly authorization: string | undefined;
  readonly limiter: Pick<RequestLimiter, "refused">;
  /** Network address of the client. */
  readonly address: string;
  /** Id by which logs name the request. */
  readonly id: string;
}

/**
 * The administrator of a request, told by its header `Authorization` (RFC 6750 §2.1), whatever the role.
 * @throws ScimError `unauthorized`, `forbidden`, and `tooManyRequests` in the place of the first where an address sends
 *   many tokens that are not valid
 */
export async function requireAdmin(
  { authorization, limiter, address, id }: AdminRequest,
  authenticate: Authenticator,
): Promise<Administrator> {
  const token = BEARER.exec(authorization ?? "")?.groups?.["token"];
  const principal = token === undefined ? null : await authenticate(token, ADMIN_TENANT, { id, address });
  if (principal === null) {
    const early = token === undefined ? null : limiter.refused(address, token);
    throw early === null ? unauthorized(authorization !== undefined) : tooManyRequests(early);
  }
  const administrator = administratorOf(principal);
  if (administrator !== null) return administrator;
  throw new ScimError(
    "forbidden",
    "The admin API takes tokens of administrators alone: scim_admin_…, made with 'scim token create --tenant admin --name NAME'.",
  );
}

function unauthorized(sent: boolean): ScimError {
  return new ScimError(
    "unauthorized",
    "A valid token of an administrator is required. Send 'Authorization: Bearer scim_admin_…', or a token of an issuer by which administrators sign in.",
    { headers: { "www-authenticate": sent ? `${ADMIN_CHALLENGE}, error="invalid_token"` : ADMIN_CHALLENGE } },
  );
}

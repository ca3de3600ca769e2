/**
 * Who may use the admin API: tokens of the admin tenant with the scope `admin`.
 * @module
 */
import type { Authenticator, Principal } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { ADMIN_TENANT } from "@scim/tenancy";

const BEARER = /^bearer +(?<token>\S+) *$/i;

/**
 * The administrator of a request, told by its header `Authorization` (RFC 6750 §2.1).
 * @throws ScimError `unauthorized`, `forbidden`
 */
export async function requireAdmin(
  authorization: string | undefined,
  authenticate: Authenticator,
): Promise<Principal> {
  const token = BEARER.exec(authorization ?? "")?.groups?.["token"];
  const principal = token === undefined ? null : await authenticate(token, ADMIN_TENANT);
  if (principal === null) throw unauthorized(authorization !== undefined);
  if (principal.tenant !== ADMIN_TENANT || !principal.scopes.has("admin")) {
    throw new ScimError(
      "forbidden",
      "The admin API takes tokens of administrators alone: scim_admin_…, made with 'scim token create --tenant admin'.",
    );
  }
  return principal;
}

function unauthorized(sent: boolean): ScimError {
  const challenge = 'Bearer realm="scim-admin"';
  return new ScimError(
    "unauthorized",
    "A valid token of an administrator is required. Send 'Authorization: Bearer scim_admin_…'.",
    { headers: { "www-authenticate": sent ? `${challenge}, error="invalid_token"` : challenge } },
  );
}

/**
 * Where SCIM is mounted below the public address.
 * @module
 */

/** For the tenant of the token. */
export const MOUNT = "/scim/v2";

/** For a tenant that the address names. */
export const TENANT_MOUNT = "/scim/:tenant/v2";

/** The public address of which a base address of SCIM was made. */
export function publicUrlBelow(baseUrl: string): string {
  return baseUrl.replace(/\/scim(?:\/[^/]+)?\/v2$/, "");
}

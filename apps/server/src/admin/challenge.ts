/**
 * What an administrator who is not known is asked for.
 * @module
 */

/** The challenge of the admin API (RFC 6750 §3). */
export const ADMIN_CHALLENGE = 'Bearer realm="scim-admin"';

/**
 * The text of a token: `scim_<tenant>_<secret>`, so that its row is found by tenant first.
 * @module
 */
import { clientOfId } from "../oauth/client-text.ts";
import { encodeBase64url } from "./base64url.ts";

/** The tenant of admin tokens (`scim_admin_…`); no tenant may bear this name. */
export const ADMIN_TENANT = "admin";

/** The tenant that the service makes, and the first connection of each tenant. */
export const DEFAULT_NAME = "default";

/** What a tenant may be called: it stands in addresses and tokens. Not `v` and digits, which is a version. */
const TENANT = /^(?!v[0-9]+$)[a-z0-9][a-z0-9-]{0,62}$/;
const TOKEN = /^scim_(?<tenant>[a-z0-9][a-z0-9-]{0,62})_[A-Za-z0-9_-]{43}$/;
/** Bytes of a secret: 256 bits, 43 characters of base64url. */
const SECRET_BYTES = 32;

/** How a token must look, for people. */
export const TOKEN_FORM = "scim_<tenant>_<43 characters of A-Z a-z 0-9 - _>";

/** Tells whether a text can name a tenant (`^[a-z0-9][a-z0-9-]{0,62}$`, not `v` and digits, not `admin`). */
export function isTenantName(text: string): boolean {
  return text !== ADMIN_TENANT && TENANT.test(text);
}

/** The tenant that a token names, or null where the text is no token. Says nothing about validity. */
export function tenantOfToken(text: string): string | null {
  return TOKEN.exec(text)?.groups?.["tenant"] ?? null;
}

/**
 * Makes the text of a new token.
 *
 * @example
 * newTokenText("default", randomBytes); // such as "scim_default_Zk3…"
 */
export function newTokenText(tenant: string, randomBytes: (length: number) => Uint8Array): string {
  return `scim_${tenant}_${encodeBase64url(randomBytes(SECRET_BYTES))}`;
}

/** Characters of a secret that tell tokens apart where they are counted: too few to guess the rest by. */
const PREFIX_SECRET = 4;

/**
 * The beginning of a token, which names it where the whole must not be kept; of other texts the first characters. The
 * `client_id` of a client is no secret, and stands for itself.
 */
export function tokenPrefix(text: string): string {
  if (clientOfId(text) !== null) return text;
  const tenant = tenantOfToken(text);
  return text.slice(0, (tenant === null ? 0 : `scim_${tenant}_`.length) + PREFIX_SECRET);
}

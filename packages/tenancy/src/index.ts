/**
 * `@scim/tenancy`: tenants, connections and their credentials. This file is the whole public surface.
 * @module
 */
export type { StoredToken, TokenStore } from "./credentials/port.ts";
export { issueToken, registerToken, type TokenGrant, type TokenIssuing } from "./credentials/issue-token.ts";
export {
  createTokenHasher,
  type Hmac,
  type KeyedHash,
  type SecretKey,
  type TokenHasher,
} from "./credentials/token-hash.ts";
export { ADMIN_TENANT, isTenantName, TOKEN_FORM, tenantOfToken } from "./credentials/token-text.ts";
export {
  createAuthenticator,
  verifyToken,
  type AuthenticatorOptions,
  type TokenVerification,
} from "./credentials/verify-token.ts";

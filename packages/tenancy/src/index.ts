/**
 * `@scim/tenancy`: tenants, connections and their credentials. This file is the whole public surface.
 * @module
 */
export type { StoredToken, TokenName, TokenScheme, TokenStore } from "./credentials/port.ts";
export { issueToken, registerToken, type TokenGrant, type TokenIssuing } from "./credentials/issue-token.ts";
export {
  createTokenHasher,
  type Hmac,
  type KeyedHash,
  type SecretKey,
  type TokenHasher,
} from "./credentials/token-hash.ts";
export {
  ADMIN_TENANT,
  DEFAULT_NAME,
  isTenantName,
  TOKEN_FORM,
  tenantOfToken,
  tokenPrefix,
} from "./credentials/token-text.ts";
export {
  isExpired,
  type SentToken,
  type TokenVerification,
  verifyToken,
} from "./credentials/verify-token.ts";
export type { ForeignHashes } from "./credentials/foreign-token.ts";
export {
  createAuthenticator,
  type AuthenticatorOptions,
  type ProfiledConnection,
} from "./credentials/authenticator.ts";
export {
  EXPIRY_NOTICE_MS,
  expiringCredentials,
  expiringOf,
  type ExpiringCredential,
  type ExpirySearch,
} from "./credentials/expiring-credentials.ts";
export { createLastUse, type LastUse, type LastUseOptions } from "./credentials/last-use.ts";
export {
  DISCOVERIES,
  type Discovery,
  limitsOfTenant,
  NO_TENANT_SETTINGS,
  RETENTION_DAYS,
  RETENTION_KINDS,
  SECRET_HANDLINGS,
  TENANT_LIMIT_NAMES,
  TENANT_LIMITS,
  type RetentionKind,
  type SecretHandling,
  type ServiceCeilings,
  type ServiceRetention,
  type TenantLimit,
  type TenantLimits,
  type TenantRetention,
  type TenantSettings,
} from "./tenants/tenant-settings.ts";
export {
  createTenantRules,
  hasOwnRules,
  type TenantRules,
  type TenantRulesOptions,
} from "./tenants/tenant-rules.ts";
export type {
  DocumentChange,
  DocumentOutcome,
  DocumentKind,
  DocumentStore,
  TenantDocument,
} from "./documents/tenant-document.ts";
export { isOutgrown, ownRegistry } from "./documents/own-registry.ts";
export type { ServedDefinitions, ServedStore } from "./documents/served-definitions.ts";
export { checkServed, settleServed, type ServedPorts } from "./administration/served-definitions.ts";
export {
  findDocument,
  requireDocument,
  putDocuments,
  readDocuments,
  removeDocument,
  type DocumentPorts,
  type DocumentsTarget,
  type GivenDocument,
  type OwnDocuments,
  type PutDocuments,
} from "./administration/documents.ts";
export type { FirstConnection, Tenant, TenantState, TenantStore } from "./tenants/tenant.ts";
export { type KeyPage, onPage } from "./key-page.ts";
export {
  isConnectionName,
  type Connection,
  type ConnectionName,
  type ConnectionRoom,
  type ConnectionGuard,
  type ConnectionState,
  type ConnectionStore,
  type SwitchFlip,
} from "./connections/connection.ts";
export {
  createConnectionProfiles,
  flippedProfile,
  readSwitchFlips,
  writeSwitchFlips,
} from "./connections/connection-profile.ts";
export { createRequestLimiter, type RequestLimiterOptions } from "./limits/request-limiter.ts";
export {
  actOf,
  type Acting,
  ADMIN_ACT_TYPES,
  type AdminAct,
  type AdminActType,
  type AdminTrail,
  type RowChange,
  toldChange,
  type ToldState,
} from "./acts/admin-act.ts";
export type { TenancyPorts } from "./administration/ports.ts";
export {
  ADMIN_ROLES,
  administratorOf,
  hasRight,
  roleOfScopes,
  rolesWith,
  scopeOfRole,
  type Administrator,
  type AdminRight,
  type AdminRole,
} from "./administration/roles.ts";
export { TenancyError, type TenancyErrorCode } from "./administration/tenancy-error.ts";
export {
  DuplicateValues,
  type DuplicateValue,
  type FoundDuplicates,
} from "./administration/duplicate-values.ts";
export { type RulePorts, type SettledRules, settleRules } from "./administration/hold-rules.ts";
export { forgetSecrets, type SecretRemoval } from "./administration/forget-secrets.ts";
export {
  changeTenant,
  createTenant,
  deleteTenant,
  findTenant,
  type NewTenant,
  requireTenant,
  type TenantChange,
  type TenantDeletion,
} from "./administration/tenants.ts";
export {
  changeConnection,
  createConnection,
  deleteConnection,
  findConnection,
  type ConnectionChange,
  type ConnectionTarget,
} from "./administration/connections.ts";
export { type GuardChange } from "./administration/connection-bounds.ts";
export {
  createToken,
  DEFAULT_LIFETIME_MS,
  findToken,
  importToken,
  revokeToken,
  type ImportedToken,
  type NewToken,
} from "./administration/tokens.ts";
export {
  isSameTrust,
  isSubjectClaim,
  isTrustPurpose,
  SUBJECT_CLAIMS,
  TRUST_PURPOSES,
  type AccessToken,
  type ClientCredentialName,
  type ClientName,
  type ClientSecret,
  type ClientState,
  type ClientTrust,
  type OAuthClient,
  type SubjectClaim,
  type TrustPurpose,
} from "./oauth/client.ts";
export type { ClientStore, TrustQuery, UsedAssertion, WithClient } from "./oauth/client-store.ts";
export { clientIdOf, clientOfId } from "./oauth/client-text.ts";
export { findClientToken, type ClientTokenOptions } from "./oauth/client-tokens.ts";
export { findForeignAccess, type ForeignAccessOptions, type ForeignClient } from "./oauth/foreign-access.ts";
export {
  createTokenEndpoint,
  type TokenAnswer,
  type TokenEndpoint,
  type TokenEndpointOptions,
  type TokenRequestRecord,
} from "./oauth/token-endpoint.ts";
export type { TokenRequest } from "./oauth/token-request.ts";
export type { ClientAuthentication } from "./oauth/authenticate-client.ts";
export { OAuthError, type OAuthErrorCode } from "./oauth/oauth-error.ts";
export { jwtOnDemand } from "./oauth/jwt/jwt-on-demand.ts";
export type { KeySetOptions } from "./oauth/jwt/key-sets.ts";
export { isJwtAlgorithm, JWT_ALGORITHMS, type JwtAlgorithm } from "./oauth/jwt/foreign-jwt.ts";
export type { JwtCheck, JwtOutcome, JwtTrust, VerifiedJwt } from "./oauth/jwt/verify-jwt.ts";
export type { CredentialGrant, CredentialSource } from "./credentials/credential-grant.ts";
export type { AdminPorts, ClientPorts } from "./administration/ports.ts";
export {
  ADMIN_SUBJECT_CLAIMS,
  isAdminSubjectClaim,
  type AdminIdentity,
  type AdminGroup,
  type AdminGroups,
  type AdminIssuer,
  type AdminIssuerState,
  type AdminSubjectClaim,
} from "./admins/admin-identity.ts";
export type { AdminStore, AdminSubject, Revised } from "./admins/admin-store.ts";
export {
  findForeignAdministrator,
  type ForeignAdministratorOptions,
} from "./admins/foreign-administrator.ts";
export {
  isBootstrapToken,
  refusesBootstrap,
  STARTED_BY,
  type BootstrapRefusal,
} from "./admins/bootstrap-token.ts";
export {
  changeAdminIdentity,
  createAdminIdentity,
  findAdminIdentity,
  revokeAdminIdentity,
  type AdminIdentityChange,
  type NewAdminIdentity,
} from "./administration/admin-identities.ts";
export {
  changeAdminIssuer,
  createAdminIssuer,
  deleteAdminIssuer,
  findAdminIssuer,
  type AdminIssuerChange,
  type NewAdminIssuer,
  type RevisedTarget,
} from "./administration/admin-issuers.ts";
export {
  changeClient,
  createClient,
  deleteClient,
  findClient,
  type ClientChange,
  type ClientTarget,
  type ExpectedClient,
  type NewClient,
} from "./administration/clients.ts";
export {
  addClientSecret,
  addClientTrust,
  removeClientTrust,
  revokeClientSecret,
  type CredentialTarget,
  type NewSecret,
  type NewTrust,
} from "./administration/client-credentials.ts";
export {
  authorizationServerMetadata,
  protectedResourceMetadata,
  type AuthorizationServer,
  type ProtectedResource,
} from "./oauth/metadata.ts";

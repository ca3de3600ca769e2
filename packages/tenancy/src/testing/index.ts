/**
 * `@scim/tenancy/testing`: stores in memory, and what every store must do as data. This file is the whole
 * public surface.
 * @module
 */
export { createMemoryTokenStore } from "./memory-token-store.ts";
export { TOKEN_STORE_CONTRACT, type TokenStoreRule } from "./token-rules.ts";
export { createMemoryTenancy, type MemoryTenancy } from "./memory-tenancy.ts";
export { ADMIN_ACT_CONTRACT, type AdminActRule, type ToldTenancy } from "./act-rules.ts";
export { sampleConnection, sampleTenant, type TenancyStoreRule, type TenancyStores } from "./tenant-rules.ts";
export { TENANCY_STORE_CONTRACT } from "./tenancy-contract.ts";
export { createMemoryClientStore } from "./memory-client-store.ts";
export { CLIENT_STORE_CONTRACT, sampleClient, sampleSecret, sampleTrust } from "./client-rules.ts";
export { createMemoryAdminStore } from "./memory-admin-store.ts";
export { ADMIN_STORE_CONTRACT, sampleIdentity, sampleIssuer, type AdminStoreRule } from "./admin-rules.ts";

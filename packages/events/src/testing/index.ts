/**
 * `@scim/events/testing`: what every audit log must do as data. This file is the whole public surface.
 * @module
 */
export type { AuditedStore, AuditRule } from "./audited-store.ts";
export { AUDIT_CONTRACT, SAMPLE_AUDIT } from "./contract.ts";
export { SAMPLE_KEYS, sampleKey } from "./sample-keys.ts";
export { createMemoryReceivers } from "./memory-receivers.ts";
export { RECEIVER_CONTRACT } from "./receiver-contract.ts";
export { sampleReceiver, type ReceiverRule, type StoreWithReceivers } from "./sample-receivers.ts";
export { ERASURE_CONTRACT } from "./erasure-contract.ts";
export type { ErasingStore, ErasureRule } from "./sample-erasures.ts";
export { GUARD_CONTRACT } from "./guard-contract.ts";
export type { GuardedStore, GuardRule } from "./sample-guards.ts";
export { REQUEST_LOG_CONTRACT } from "./request-log-contract.ts";
export type { RequestLogRule, StoreWithRequests } from "./sample-requests.ts";
export { createMemorySigningKeys } from "./memory-signing-keys.ts";
export { SIGNING_KEY_CONTRACT, type SigningKeyRule } from "./signing-key-contract.ts";

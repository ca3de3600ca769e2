/**
 * `@scim/events`: readers of what happened in a SCIM service. This file is the whole public surface.
 * @module
 */
export {
  ADMIN_TRAIL,
  createAuditChain,
  entryHash,
  type AuditChain,
  type AuditChainOptions,
  type ChainEnd,
  type Hashed,
} from "./audit/chain.ts";
export { checkCheckpoint, signCheckpoint, type Checkpoint } from "./audit/checkpoint.ts";
export {
  statedEntry,
  type AuditChange,
  type AuditEntry,
  type AuditValue,
  type ChainedEntry,
} from "./audit/entry.ts";
export type { AuditPage, AuditPurge, AuditStore } from "./audit/port.ts";
export {
  CHECKPOINT_MS,
  purgeAudit,
  signCheckpoints,
  type AuditRetention,
  type AuditUpkeep,
} from "./audit/upkeep.ts";
export { verifyAudit, type AuditFault, type AuditReport, type AuditVerification } from "./audit/verify.ts";
export {
  followChanges,
  PositionAhead,
  PositionGone,
  readChanges,
  type ChangesPage,
  type ChangesRequest,
  type FollowRequest,
} from "./feed/read-changes.ts";
export type { AuditKeys, DigestKey, KeyedDigest, TextDigest } from "./keys.ts";

/**
 * `@scim/events`: readers of what happened in a SCIM service. This file is the whole public surface.
 * @module
 */
export {
  createAuditChain,
  type AuditChain,
  type AuditChainOptions,
  type ChainEnd,
  type LinkedElsewhere,
  TenantHeldUp,
} from "./audit/chain.ts";
export {
  checkCheckpoint,
  signCheckpoint,
  signRemoval,
  type Checkpoint,
  type Stated,
} from "./audit/checkpoint.ts";
export {
  statedEntry,
  type AuditChange,
  type AuditEntry,
  type AuditValue,
  type ChainedEntry,
} from "./audit/entry.ts";
export {
  ADMIN_TRAIL,
  createLink,
  entryHash,
  type EventToLink,
  type Hashed,
  type LinkedTo,
  type LinkEvents,
  type Linking,
  type LinkKeys,
} from "./audit/link.ts";
export type { AuditPage, AuditPurge, AuditStore } from "./audit/port.ts";
export type { AuditedAttributes } from "./audit/sensitivity.ts";
export {
  AUDIT_FILTERS,
  meetsQuery,
  readAuditFilters,
  textsOfMembers,
  type AskedAudit,
  type AuditFilters,
  type AuditMembers,
  type AuditQuery,
  type FoundEntries,
} from "./audit/query.ts";
export type { SecretOf } from "./audit/subject-keys.ts";
export {
  CHECKPOINT_MS,
  purgeAudit,
  signCheckpoints,
  type AuditRetention,
  type AuditUpkeep,
} from "./audit/upkeep.ts";
export type { AuditFault, AuditReport } from "./audit/chain-walk.ts";
export { verifyAudit, type AuditVerification } from "./audit/verify.ts";
export { eraseSubject, type ErasureReport, type Erasing } from "./erasure/erase.ts";
export {
  ErasureKeyMissing,
  erasureOf,
  readErasures,
  type Erasure,
  type ErasureKeys,
  type ErasureList,
  type Subject,
  SubjectOfSeveralTypes,
} from "./erasure/erasure.ts";
export type { ErasedRows, ErasureOrder, ErasureStore } from "./erasure/port.ts";
export { replayErasures } from "./erasure/replay.ts";
export { endErasures, type ErasureUpkeep, tidyErasures, type UnendedErasures } from "./erasure/upkeep.ts";
export {
  followChanges,
  PositionAhead,
  PositionGone,
  PAGE_BYTES,
  readChanges,
  type ChangesPage,
  type ChangesRequest,
  type FollowRequest,
} from "./feed/read-changes.ts";
export type { AuditKeys, DigestKey, KeyedDigest, TextDigest } from "./keys.ts";
export type { LoggedRequest, RequestRun, ShownBody, StoredRequest } from "./requests/entry.ts";
export { beforeIdsOf, instantOfId } from "./requests/entry-ids.ts";
export type { LoggableExchange } from "./requests/make-entry.ts";
export type {
  RequestBatch,
  RequestIdsQuery,
  RequestLogStore,
  RequestPurge,
  RequestQuery,
  RequestSource,
  RunQuery,
} from "./requests/port.ts";
export {
  createRequestLog,
  RUN_PAUSE_MINUTES,
  type RequestLog,
  type RequestLogOptions,
} from "./requests/recorder.ts";
export type { PseudonymKeys } from "./requests/redaction/pseudonyms.ts";
export type { Cut } from "./requests/redaction/redaction.ts";
export { isAttributePath } from "./requests/attribute-path.ts";
export { explainRequest } from "./requests/explain.ts";
export {
  purgeRequests,
  type RequestRetention,
  type RequestUpkeep,
  type SilenceWatch,
  type SilentConnection,
  tellSilence,
} from "./requests/upkeep.ts";
export { askedInstant, instantOf, spanOf } from "./asked-instant.ts";
export { type AskedRequests, readRequestQuery } from "./requests/read-query.ts";
export {
  readRunChanges,
  type RunChange,
  type RunChangesPage,
  type RunChangesRequest,
  type RunChangesSources,
} from "./requests/run-changes.ts";
export {
  changeReceiver,
  checkSettings,
  findReceiver,
  listReceivers,
  removeReceiver,
  type ReceiverChange,
  type ReceiverPorts,
  type ReceiverTarget,
} from "./delivery/administration.ts";
export { dropDead, listDead, replay, type Replay } from "./delivery/dead-letters.ts";
export type { AttemptOutcome, AttemptParts } from "./delivery/attempt.ts";
export { CLOCK_SKEW_MS, type Present } from "./delivery/backoff.ts";
export type { DeliveryForm, Verdict } from "./delivery/form.ts";
export type {
  AsidePage,
  DeliveryProgress,
  Lease,
  OutgoingRequest,
  ReceiverStore,
  SecretSeal,
  SendEvent,
  SendOutcome,
} from "./delivery/port.ts";
export {
  addressOfHost,
  faultOfUrl,
  isPublicAddress,
  withoutWay,
  type AddressesLiftedBy,
  type AllowedAddresses,
} from "./delivery/receiver-url.ts";
export {
  familyOf,
  RECEIVER_KINDS,
  type ReceiverFamily,
  type SentKind,
  type AsideDelivery,
  type Receiver,
  type ReceiverKind,
  type ReceiverName,
  type ReceiverSecret,
  type ReceiverSettings,
  type ReceiverState,
} from "./delivery/receiver.ts";
export { wantedTypes } from "./delivery/wanted.ts";
export { createDeliveryWorker, type DeliveryWorker, type WorkerParts } from "./delivery/worker.ts";
export {
  createWebhook,
  rotateWebhookSecret,
  testWebhook,
  type MadeSecret,
  type NewWebhook,
  type WebhookPorts,
  type WebhookTest,
} from "./webhooks/administration.ts";
export { createWebhookForm, type WebhookParts } from "./webhooks/form.ts";
export {
  type EarlierState,
  type KnownCollectionChange,
  readEarlierState,
  type StateSources,
} from "./requests/case/earlier-state.ts";
export type { LaterSources } from "./requests/case/later-events.ts";
export { type CaseMaking, makeCase } from "./requests/case/make-case.ts";
export {
  type CaseAnswer,
  type CaseDifference,
  compareAnswer,
  compareServices,
  fillPlaceholders,
  type GivenResource,
  type RequestCase,
} from "./requests/case/request-case.ts";
export { Pseudonyms, WITHHELD } from "./requests/redaction/pseudonyms.ts";
export {
  changeStream,
  createStream,
  mayPoll,
  rotateStreamToken,
  type MadeStream,
  type NewStream,
  type PollCredentials,
  type StreamChange,
  type StreamPorts,
} from "./security-events/administration.ts";
export { type ClaimParts, type TokenReceiver } from "./security-events/claims.ts";
export { SECURITY_EVENT_URIS } from "./security-events/event-uris.ts";
export { answerPoll, type PollAnswer, type PollParts } from "./security-events/poll.ts";
export { InvalidPoll, readPoll, type PollRequest } from "./security-events/poll-request.ts";
export { createPushForm, type PushParts } from "./security-events/push-form.ts";
export { createTokenSigner, type TokenParts, type TokenSigner } from "./security-events/sign.ts";
export {
  type ListedSigningKey,
  listSigningKeys,
  publishedKeys,
  PUBLISHED_AHEAD_MS,
  rotateSigningKey,
  type SigningKey,
  type SigningKeyPorts,
  type SigningKeyStore,
} from "./security-events/signing-keys.ts";
export { createGuardHooks } from "./guard/guard.ts";
export { namesOfNobody, type NameBearers } from "./guard/named.ts";
export type { GuardExceeded, GuardOptions, GuardSettings } from "./guard/settings.ts";
export {
  isGuardBound,
  type GuardCount,
  type GuardMeasure,
  type GuardPlace,
  type GuardState,
  type GuardStore,
  type HeldChange,
  type HeldChoice,
  type HeldPage,
  type HeldResource,
  type OwnedCollection,
} from "./guard/port.ts";
export { addRemoved, type RemovedValues, takeRemoved } from "./guard/removed-values.ts";
export { type HeldRetention, purgeHeld } from "./guard/upkeep.ts";
export { type AdminDecision, type Deciding, decisionOf } from "./decision.ts";
export type { Keep } from "./keep.ts";

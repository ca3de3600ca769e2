/**
 * `@scim/core`: the rules of a SCIM service provider. This file is the whole public surface.
 * @module
 */
export type {
  AttributeNode,
  AttributeStorage,
  InverseCollection,
  InverseSource,
  ReferenceCollection,
} from "./model/attribute-node.ts";
export { isUriReference } from "./validation/formats.ts";
export { differingMembers, type DifferingMembers } from "./attributes/differing-members.ts";
export { createModelCatalog, type ModelCatalog } from "./model/catalog.ts";
export { catalogFor, type CatalogSource } from "./model/catalog-source.ts";
export type { ExtensionModel } from "./model/attribute-tree.ts";
export type { ResourceModel } from "./model/resource-model.ts";
export { schemasOf } from "./projection/represent.ts";
export type {
  IndexPage,
  InverseSelection,
  KeysetPage,
  Place,
  ReadSelection,
  ReferenceSelection,
  ResourceFilter,
  ResourceStore,
  StoreCandidates,
  StorePage,
  StoreQuery,
  StoreScope,
} from "./store/port.ts";
export type { InverseValue, ReferenceValue, StoredResource, StoredText } from "./store/stored-resource.ts";
export type {
  CollectionDelta,
  CreatePlan,
  DeletePlan,
  EntryDelta,
  IndexEntry,
  ResourceEvent,
  RestorePlan,
  UniqueEntry,
  UpdatePlan,
  WritePlan,
  WriteResult,
  WrittenState,
} from "./store/write-plan.ts";
export {
  collectionChangeOf,
  collectionChangesOf,
  EVENT_VALUES,
  versionBefore,
  type CollectionChange,
  type EventFeed,
  type FeedEvent,
  type FeedPage,
} from "./store/event-feed.ts";
export type {
  DeletedPage,
  DeletedPlace,
  DeletedResource,
  DeletedResources,
  Deletion,
  KeptResource,
} from "./store/deleted-resources.ts";
export {
  MOST_NAMED,
  type ConnectionRule,
  type ConnectionRules,
  type FilledPage,
  type HeldTwice,
  type RuleState,
} from "./store/connection-rules.ts";
export { connectionRule, ruledEntry, type RuledResource } from "./plan/entries.ts";
export { cutoffFor, type Cutoff } from "./store/cutoff.ts";
export type { ChangeOrigin } from "./store/change-origin.ts";
export type {
  ReferenceRow,
  ReferenceRowFilter,
  ReferenceRowQuery,
  RowPlace,
} from "./store/reference-rows.ts";
export { rowEnds, type RowEnds } from "./operations/rows/row-id.ts";
export type {
  IndexCatalog,
  IndexSource,
  IndexSourceOf,
  TypeIndexes,
  WantedIndex,
} from "./store/index-catalog.ts";
export { indexSource } from "./plan/index-source.ts";
export type { DerivedSource, SourcedResource, SourcedValues } from "./store/derived-source.ts";
export { derivedSource } from "./plan/derived-source.ts";
export { indexableAttribute } from "./model/indexable.ts";
export type { ResourceSnapshot } from "./store/resource-snapshot.ts";
export {
  referenceBatch,
  SHORT_DIFFERENCE,
  stagedChange,
  type ReferenceBatch,
  type ReferenceStage,
  type SettleReference,
  type StagedChange,
  type StagedWrite,
  type StageDifference,
  type StageTarget,
} from "./store/reference-stage.ts";
export {
  createBodyReader,
  type BodyReader,
  type BodyReading,
  type CollectionReader,
} from "./operations/long-body/body-reader.ts";
export type { FoundReferences } from "./operations/long-body/reference-reader.ts";
export { attributesOf, isReferenceValue, namedIds, queryReads, topAttribute } from "./store/query-reads.ts";
export { ownFilter, ownSort, type OwnFilter } from "./store/own-values.ts";
export { FirstFew, type FirstFewOptions } from "./query/one-type/first-few.ts";
export {
  isAdminScope,
  isScope,
  SCOPES,
  type AdminScope,
  type AskingRequest,
  type Authenticator,
  type Principal,
  type Scope,
  type ServiceScope,
  type TypeScope,
} from "./credentials/principal.ts";
export {
  rateLimitHeaders,
  type BatchTooLong,
  type RequestLimiter,
  type RequestRate,
  type TooManyRequests,
} from "./credentials/request-limiter.ts";
export { type ContextCaller, HeldContext, type RequestContext } from "./context.ts";
export {
  ALL_CONSTRAINTS,
  PROFILES,
  SWITCHES,
  createProfile,
  type DatedProfileName,
  type Profile,
  type ProfileFamily,
  type ProfileName,
} from "./profiles/profile.ts";
export type {
  AnswerSwitch,
  ConstraintSwitch,
  OptionSwitch,
  ProfileSwitch,
  RewriteSwitch,
  SwitchName,
} from "./profiles/switch.ts";
export { createScimService, type ScimServiceOptions } from "./create-service.ts";
export {
  DEFAULT_CAPABILITIES,
  DEFAULT_ID_FORM,
  type IdForm,
  type TypeCapabilities,
} from "./store/capabilities.ts";
export { canonicalJson } from "./handlers/canonical-json.ts";
export { createHandlerStore, type HandlerStoreOptions } from "./handlers/handler-store.ts";
export type {
  HandledReferences,
  HandledReferrer,
  HandledResource,
  HandlerContext,
  HandlerCreate,
  HandlerDelete,
  HandlerList,
  HandlerPage,
  HandlerQuery,
  HandlerReplace,
  ResourceHandler,
} from "./handlers/resource-handler.ts";
export { prepareSecret } from "./secrets/prepare-secret.ts";
export type { SecretChange, SecretHashes, SecretSink, SecretTarget } from "./secrets/secret-sink.ts";
export type { Statement, StatementValue } from "./store/statement.ts";
export type {
  HookContext,
  HookedChange,
  HookedEvent,
  ResourceChanges,
  ResourceHooks,
} from "./hooks/resource-hooks.ts";
export type { AuthenticationScheme, DocumentationUri, SecurityEventUris, Sources } from "./environment.ts";
export { Turns, type TurnRules } from "./turns.ts";
export { isRecent, type RecentBy } from "./recent.ts";
export { ImportRun } from "./operations/import/import-run.ts";
export { SeenKeys } from "./operations/import/seen-keys.ts";
export {
  FINDING_LISTS,
  type CyclicGroupMember,
  type DiagnosticsAnswer,
  type DiagnosticsPage,
  type DiagnosticsReport,
  type DiagnosticsRequest,
  type Finding,
  type FindingList,
  type FindingsByList,
  type InconsistentUserGroups,
  type OrphanedGroupMember,
} from "./diagnostics/report.ts";
export type { ExportedCollection, ExportedResource } from "./operations/export.ts";
export type {
  MembershipPlace,
  RestoredResource,
  RestoreOperations,
  RestorePreview,
  RestoreRequest,
  RestoreTarget,
  ReturningCollection,
  ReturningMembership,
  ReturningRequest,
  ReturningSide,
} from "./operations/restore/restore-operations.ts";
export type {
  GatheredItem,
  ImportApplication,
  ImportItem,
  ImportOutcome,
  ImportRequest,
  ImportRules,
  NewImports,
  PreparedImport,
  RefusedItem,
} from "./operations/import/import-request.ts";
export type {
  ImportCounts,
  ImportProgress,
  ImportStep,
  ImportStore,
  KeyHolder,
  KeyLookup,
  NewResources,
  WriteAllResult,
} from "./store/import-store.ts";
export { findAttribute, type FoundAttribute } from "./model/find-attribute.ts";
export type { CursorSeal } from "./query/paging/cursor-seal.ts";
export { DEFAULT_LIMITS, type ServiceLimits, withLimits } from "./limits.ts";
export type { InverseReach } from "./projection/read-selection.ts";
export { parseEntityTags } from "./versioning/entity-tags.ts";
export { nextRevision } from "./versioning/next-revision.ts";
export { entityTag, requireUnversioned } from "./versioning/version.ts";
export type {
  AnswerStream,
  BulkAnswer,
  BulkOperationAnswer,
  DryRunAnswer,
  ListAnswer,
  NoContentAnswer,
  NotModifiedAnswer,
  ResourceAnswer,
  StreamedCollection,
} from "./answers.ts";
export type {
  BulkRequest,
  ChangeRequest,
  ConfigRequest,
  CreateRequest,
  DeleteRequest,
  ListRequest,
  LongBody,
  OpenLongBody,
  PatchRequest,
  ProjectionRequest,
  QueryRequest,
  ReadRequest,
  ReplaceRequest,
  StagedBody,
} from "./requests.ts";
export type { Identity, ScimService, ServedType } from "./service.ts";
export type { OperatorService, OwnRules, ServiceCaches, ServiceOf } from "./operator-service.ts";
export type { Precondition, VersionCondition } from "./versioning/precondition.ts";

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
export type {
  CollectionDelta,
  CreatePlan,
  DeletePlan,
  EntryDelta,
  IndexEntry,
  InverseSelection,
  InverseValue,
  ReadSelection,
  ReferenceValue,
  ResourceEvent,
  ResourceFilter,
  ResourceStore,
  StoreCandidates,
  StoredResource,
  StorePage,
  StoreQuery,
  StoreScope,
  UniqueEntry,
  UpdatePlan,
  WritePlan,
  WriteResult,
} from "./store/port.ts";
export type { StoredToken, TokenStore } from "./credentials/port.ts";
export type { RequestContext } from "./context.ts";
export type { Profile, SwitchName } from "./profiles/profile.ts";
export type {
  CreateRequest,
  DeleteRequest,
  ListAnswer,
  ListRequest,
  NoContentAnswer,
  NotModifiedAnswer,
  PatchRequest,
  ProjectionRequest,
  QueryRequest,
  ReadRequest,
  ReplaceRequest,
  ResourceAnswer,
  ScimService,
  ServedType,
} from "./service.ts";
export type { Precondition, VersionCondition } from "./versioning/precondition.ts";

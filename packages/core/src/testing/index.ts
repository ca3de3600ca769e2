/**
 * `@scim/core/testing`: stores in memory, and what every store must do as data. This file is the whole
 * public surface.
 * @module
 */
export { ContractViolation, expectEqual } from "./contract/expect.ts";
export type { ContractRule, EventFeedRule, ResourceStoreRule, StoreWithEvents } from "./contract/rule.ts";
export { assignAll } from "./contract/positions.ts";
export { EVENT_FEED_CONTRACT } from "./contract/events.ts";
export { RESOURCE_STORE_CONTRACT } from "./contract/store-contract.ts";
export { type CheckedQuery, type Found, indexPage, matchingIds } from "./contract/query-check.ts";
export { SAMPLE_INDEXES } from "./contract/models.ts";
export { interposed } from "./interposed.ts";
export { createMemoryStore, type MemoryStore } from "./memory-store.ts";
export { replayEvents, type ReplayedResource } from "./replay.ts";
export {
  adding,
  createPlan,
  deletePlan,
  fetchOne,
  filterOf,
  groupsOf,
  MEMBERS,
  type NewResource,
  NOTHING,
  removing,
  restorePlan,
  SCOPE,
  seed,
  sortOf,
  updatePlan,
  withGroups,
} from "./contract/sample.ts";
export {
  HANDLER_CONTRACT,
  type HandlerFinding,
  handlerReport,
  runHandlerContract,
} from "./handler-contract/handler-contract.ts";
export type { HandlerRule } from "./handler-contract/rule.ts";
export type { HandlerSubject, OpenSubject, SubjectClient } from "./handler-contract/subject.ts";
export { createMemoryHandler, type MemoryHandlerOptions } from "./memory-handler.ts";

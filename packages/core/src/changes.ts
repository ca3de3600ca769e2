/**
 * `@scim/core/changes`: what tells of changes to resources, without the service: what threads of a store load.
 * @module
 */
export { differingMembers } from "./attributes/differing-members.ts";
export type { DifferingMembers } from "./attributes/differing-members.ts";
export { canonicalJson } from "./handlers/canonical-json.ts";
export { collectionChangesOf, versionBefore } from "./store/event-feed.ts";

/**
 * `@scim/events/link`: makes entries of the audit log, without the rest: what a thread of a store loads.
 * @module
 */
export { createLink, type EventToLink, type LinkEvents, type Linking } from "./audit/link.ts";

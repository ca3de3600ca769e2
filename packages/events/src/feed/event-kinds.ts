/**
 * The kinds of events, as people say them: in filters of the audit log, and in what a receiver wants.
 * @module
 */
import type { FeedEvent } from "@scim/core";

/** Every kind of event. */
export const EVENT_KINDS = [
  "created",
  "replaced",
  "patched",
  "deleted",
] as const satisfies readonly FeedEvent["kind"][];

/**
 * What kind of change it was, in the word of a table.
 * @module
 */
import type { FeedEvent } from "@scim/core";

/** The kind; of what was created though there was a version before, that it was restored. */
export function toldKind(kind: FeedEvent["kind"], before: string | null | undefined): string {
  return kind === "created" && typeof before === "string" ? "restored" : kind;
}

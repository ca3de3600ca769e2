/**
 * Which events a receiver wants.
 * @module
 */
import type { FeedEvent } from "@scim/core";

const FORM = /^(?:\*|[A-Za-z][A-Za-z0-9_-]{0,127})(?:\.(?:created|replaced|patched|deleted))?$/;

/** Whether a text may say which events: `User`, `User.deleted`, `*.deleted`. */
export function isEventPattern(text: string): boolean {
  return FORM.test(text);
}

/** Whether an event is one of those that patterns name; of none, every event is. */
export function isWanted(
  patterns: readonly string[],
  { type, kind }: Pick<FeedEvent, "type" | "kind">,
): boolean {
  return (
    patterns.length === 0 ||
    patterns.some((pattern) => {
      const [wantedType, wantedKind = kind] = pattern.split(".");
      return (wantedType === "*" || wantedType === type) && wantedKind === kind;
    })
  );
}

/**
 * Which events a receiver wants.
 * @module
 */
import type { FeedEvent } from "@scim/core";
import { EVENT_KINDS } from "../feed/event-kinds.ts";

const FORM = new RegExp(String.raw`^(?:\*|[A-Za-z][A-Za-z0-9_-]{0,127})(?:\.(?:${EVENT_KINDS.join("|")}))?$`);

/** How events are said, for people who said them otherwise. */
export const EVENT_PATTERNS = `a resource type such as 'User', a kind such as '*.deleted', or both as in 'User.deleted'; kinds are ${EVENT_KINDS.join(", ")}`;

/** Whether a text may say which events: `User`, `User.deleted`, `*.deleted`. */
export function isEventPattern(text: string): boolean {
  return FORM.test(text);
}

/**
 * The resource types that patterns name.
 *
 * @example
 * wantedTypes(["User", "Group.deleted", "*.created"]); // ["User", "Group"]
 */
export function wantedTypes(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => pattern.split(".").slice(0, 1)).filter((type) => type !== "*");
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

/**
 * The events behind the position of a receiver, or why there are none: the receiver goes on behind what it can be told no more, and
 * whoever looks at it is told so.
 * @module
 */
import type { EventFeed } from "@scim/core";
import { type ChangesPage, PositionAhead, PositionGone, readChanges } from "../feed/read-changes.ts";
import { skippedProblem } from "./attempt.ts";
import type { Receiver } from "./receiver.ts";

/** Events that a receiver is not told. */
export interface SkippedEvents {
  /** The position that it goes on behind. */
  readonly to: number;
  /** A sentence for people. */
  readonly problem: string;
}

/** Reads at most so many. */
export async function readBehind(
  events: Pick<EventFeed, "read" | "head">,
  { tenant, position }: Pick<Receiver, "tenant" | "position">,
  limit: number,
): Promise<ChangesPage | SkippedEvents> {
  try {
    return await readChanges(events, tenant, { since: position, limit });
  } catch (error) {
    if (error instanceof PositionGone) return skipped(position, error.oldest - 1);
    // It comes from before a backup was restored.
    if (error instanceof PositionAhead) return skipped(position, error.last);
    throw error;
  }
}

function skipped(position: number, to: number): SkippedEvents {
  return { to, problem: skippedProblem(position, to) };
}

/**
 * What an administrator decided, for stores that tell it in the transaction that writes it.
 * @module
 */
import type { ChangeOrigin } from "@scim/core";

/** Who decides, and when. */
export interface AdminDecision {
  /** Names an administrator, or a command. */
  readonly actor: ChangeOrigin;
  /** UTC with milliseconds. */
  readonly at: string;
}

/** Who decides from now on, and the clock that dates it. */
export interface Deciding {
  /** Names an administrator, or a command. */
  readonly actor: ChangeOrigin;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

/** A decision that is taken now. */
export function decisionOf({ actor, now }: Deciding): AdminDecision {
  return { actor, at: new Date(now()).toISOString() };
}

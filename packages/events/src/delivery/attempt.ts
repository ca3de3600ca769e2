/**
 * One attempt to deliver one event, and what becomes of it where it fails.
 * @module
 */
import type { FeedEvent } from "@scim/core";
import { LONGEST_PAUSE_MS, pauseAfter, triedSince } from "./backoff.ts";
import type { DeliveryForm, Verdict } from "./form.ts";
import type { SendEvent } from "./port.ts";
import type { AsideDelivery, Receiver, SentKind } from "./receiver.ts";

/** What attempts are made with. */
export interface AttemptParts {
  readonly forms: Readonly<Record<SentKind, DeliveryForm>>;
  readonly send: SendEvent;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Milliseconds after which an event that keeps failing is given up. */
  readonly giveUpAfter: number;
  /** Told of each attempt: the place for a metric. Must not throw. */
  readonly onAttempt?: ((receiver: Receiver, outcome: AttemptOutcome) => void) | undefined;
  /** Told of each message that could not be made, before the attempt counts as failed. Must not throw. */
  readonly onUnmade?: ((receiver: Receiver, error: unknown) => void) | undefined;
}

/** What became of an attempt: `failed` is tried again, `dead` is given up, `gone` wants no more events. */
export type AttemptOutcome = "delivered" | "failed" | "dead" | "gone";

/** Sends an event and reads the answer. What cannot be made of an event, or sealed secrets, is a failure. */
export async function attempt(parts: AttemptParts, receiver: Receiver, event: FeedEvent): Promise<Verdict> {
  try {
    if (receiver.kind === "poll") throw new TypeError("nothing is sent to a receiver that asks.");
    const form = parts.forms[receiver.kind];
    return form.verdict(await parts.send(await form.request(receiver, event)));
  } catch (error) {
    parts.onUnmade?.(receiver, error);
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "failed", problem: `The message could not be made: ${reason}`, retryAfter: null };
  }
}

/** What is set aside of an event that failed. `before` is what was set aside when it failed last. */
export function setAside(
  parts: Pick<AttemptParts, "now" | "random" | "giveUpAfter">,
  event: FeedEvent,
  {
    verdict,
    before,
  }: { readonly verdict: Exclude<Verdict, { kind: "delivered" }>; readonly before: AsideDelivery | null },
): AsideDelivery {
  const now = parts.now();
  const wasTried = before !== null && before.attempts > 0;
  const since = wasTried ? triedSince(before.since, before.next, now) : new Date(now).toISOString();
  const attempts = (before?.attempts ?? 0) + 1;
  const asked = verdict.kind === "failed" ? (verdict.retryAfter ?? 0) * 1000 : 0;
  const pause = Math.max(Math.min(asked, LONGEST_PAUSE_MS), pauseAfter(attempts, parts.random()));
  const isOver = verdict.kind === "refused" || now - Date.parse(since) >= parts.giveUpAfter;
  return {
    ...placeOf(event),
    state: isOver && verdict.kind !== "gone" ? "dead" : "waiting",
    attempts,
    since,
    next: new Date(now + pause).toISOString(),
    problem: verdict.problem,
  };
}

/** What is set aside of an event that waits behind another of its resource. */
export function setBehind(event: FeedEvent, now: number): AsideDelivery {
  const at = new Date(now).toISOString();
  return { ...placeOf(event), state: "waiting", attempts: 0, since: at, next: at, problem: null };
}

/** What becomes of what was set aside where its event is not kept any more. */
export function unkept(delivery: AsideDelivery): AsideDelivery {
  return { ...delivery, state: "dead", problem: "The event is not kept any more." };
}

/** What is told of a receiver whose next events are not kept any more, or are not those of its position. */
export function skippedProblem(position: number, to: number): string {
  if (to === position + 1) return `The event at position ${to} was removed before it was delivered.`;
  return to > position
    ? `The events from position ${position + 1} to ${to} were removed before they were delivered.`
    : `Position ${position} was never given; delivery goes on behind ${to}.`;
}

function placeOf({ position, type, id }: FeedEvent): Pick<AsideDelivery, "position" | "type" | "resource"> {
  return { position, type, resource: id };
}

/** What events of one resource have in common. */
export function resourceKey(type: string, resource: string): string {
  return `${type} ${resource}`;
}

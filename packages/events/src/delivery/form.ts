/**
 * What a kind of receiver is sent, and how its answers are read.
 * @module
 */
import type { FeedEvent } from "@scim/core";
import type { OutgoingRequest, SendOutcome } from "./port.ts";
import type { Receiver } from "./receiver.ts";

/** What an answer means for a delivery. */
export type Verdict =
  | { readonly kind: "delivered" }
  /** It is tried again, not before the seconds that the receiver asked for. */
  | { readonly kind: "failed"; readonly problem: string; readonly retryAfter: number | null }
  /** It is given up: the same event would be refused again. */
  | { readonly kind: "refused"; readonly problem: string }
  /** The receiver wants no more events. */
  | { readonly kind: "gone"; readonly problem: string };

/** The form of deliveries of one kind. */
export interface DeliveryForm {
  /** The request that tells a receiver of an event. */
  request(receiver: Receiver, event: FeedEvent): Promise<OutgoingRequest>;
  verdict(outcome: SendOutcome): Verdict;
}

const GONE = 410;

/** Reads an answer by its status alone: 2xx is delivered, 410 is gone, all else failed. */
export function verdictByStatus(outcome: SendOutcome): Verdict {
  if (outcome.kind === "failed") return { kind: "failed", problem: outcome.problem, retryAfter: null };
  const { status, retryAfter } = outcome;
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === GONE)
    return { kind: "gone", problem: "The receiver answered 410: it wants no more events." };
  const redirects = status >= 300 && status < 400;
  return {
    kind: "failed",
    problem: `The receiver answered ${status}${redirects ? "; redirects are not followed" : ""}.`,
    retryAfter,
  };
}

/**
 * Which of the tokens that were handed out a poll settles: those that it names by their ids.
 * @module
 */
import type { EventFeed } from "@scim/core";
import type { AsideDelivery, Receiver } from "../delivery/receiver.ts";
import { readEvent } from "../feed/read-event.ts";
import { positionOfTokenId, tokenId } from "./claims.ts";
import type { PollRequest } from "./poll-request.ts";
import { TOKEN_ERRORS } from "./token-errors.ts";

/** A stream, and what was handed out of it and not settled. */
export interface HandedOut {
  readonly receiver: Receiver;
  readonly waiting: readonly AsideDelivery[];
}

/** What a poll settles. */
export interface SettledTokens {
  /** Positions of those that were acknowledged. */
  readonly done: readonly number[];
  /** Those that were refused, as dead letters. One that was acknowledged too is done. */
  readonly refused: readonly AsideDelivery[];
}

/** Tells them. What the ids name beside them counts for nothing. */
export async function settledTokens(
  feed: { readonly events: Pick<EventFeed, "read"> },
  { receiver, waiting }: HandedOut,
  { ack, setErrs }: Pick<PollRequest, "ack" | "setErrs">,
): Promise<SettledTokens> {
  const named = Map.groupBy([...ack, ...setErrs.keys()], (jti) => positionOfTokenId(receiver.id, jti));
  const acknowledged = new Set(ack);
  const done: number[] = [];
  const refused: AsideDelivery[] = [];
  for (const delivery of waiting) {
    const ids = named.get(delivery.position) ?? [];
    const jti = ids.length === 0 ? null : await ownId(feed, receiver, { ids, delivery });
    const err = setErrs.get(jti ?? "");
    if (jti !== null && acknowledged.has(jti)) done.push(delivery.position);
    else if (err !== undefined) refused.push(refusedBy(delivery, err));
  }
  return { done, refused };
}

/**
 * Which of the ids that name a position is that of its token; null for none. Behind the restoration of a backup a position may be
 * that of another event, whose token the receiver does not have.
 */
async function ownId(
  { events }: { readonly events: Pick<EventFeed, "read"> },
  { tenant, id }: Receiver,
  {
    ids,
    delivery: { position },
  }: { readonly ids: readonly string[]; readonly delivery: Pick<AsideDelivery, "position"> },
): Promise<string | null> {
  const event = await readEvent(events, tenant, position);
  // What is not kept any more is not handed out again either.
  if (event === null) return ids[0] ?? null;
  const own = tokenId(id, event);
  return ids.includes(own) ? own : null;
}

function refusedBy(delivery: AsideDelivery, err: string): AsideDelivery {
  // Others may hold anything, values of persons too.
  const shown = TOKEN_ERRORS.has(err) ? err : "an error of its own";
  return { ...delivery, state: "dead", attempts: 1, problem: `The receiver refused the token: ${shown}.` };
}

/**
 * Tokens that a receiver asks for (RFC 8936). What was handed out and not acknowledged is set aside, and handed out again
 * with the next poll.
 * @module
 */
import { presentAt } from "../delivery/backoff.ts";
import type { EventFeed, FeedEvent } from "@scim/core";
import { setBehind, unkept } from "../delivery/attempt.ts";
import type { DeliveryProgress, ReceiverStore } from "../delivery/port.ts";
import { readBehind } from "../delivery/read-behind.ts";
import type { AsideDelivery, Receiver, ReceiverName } from "../delivery/receiver.ts";
import { isWanted } from "../delivery/wanted.ts";
import { readEvent } from "../feed/read-event.ts";
import { PAGE_BYTES } from "../feed/read-changes.ts";
import { tokenId } from "./claims.ts";
import type { PollRequest } from "./poll-request.ts";
import { settledTokens } from "./settled-tokens.ts";
import type { TokenSigner } from "./sign.ts";

/** What polls are answered with. */
export interface PollParts {
  readonly receivers: ReceiverStore;
  readonly events: Pick<EventFeed, "read" | "head">;
  readonly signer: TokenSigner;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** A name that no other poll has. */
  readonly newHolder: () => string;
  /** Waits until the feed is looked at again; resolves where the receiver went away. */
  readonly pause: () => Promise<void>;
  /** Ends the waiting: the receiver went away, or the server stops. */
  readonly signal: AbortSignal;
}

/** The answer to a poll (RFC 8936 §2.3). */
export interface PollAnswer {
  /** Tokens by their id. */
  readonly sets: Readonly<Record<string, string>>;
  readonly moreAvailable: boolean;
}

/** Milliseconds that a poll waits for an event (30 seconds): proxies end what takes longer. */
const LONGEST_WAIT_MS = 30_000;
/** Milliseconds that one step of a poll may hold the stream. */
const STEP_MS = 10_000;
/** Events that one step reads. */
const BATCH = 1000;

const NOTHING: PollAnswer = { sets: {}, moreAvailable: false };

/** Answers a poll: settles what the receiver has or refuses, then hands out what it has not. */
export async function answerPoll(
  parts: PollParts,
  name: ReceiverName,
  request: PollRequest,
): Promise<PollAnswer> {
  const { now, pause, signal } = parts;
  const begun = now();
  let settled = request.ack.length + request.setErrs.size === 0;
  for (;;) {
    const isIdle = settled && !(await hasTokens(parts, name));
    const answer = isIdle
      ? NOTHING
      : await withLease(parts, name, async (held) => {
          const after = settled ? held : await settle(parts, held, request);
          settled ||= after !== null;
          return after === null ? null : handOut(parts, after, request.maxEvents);
        });
    const waited = now() - begun;
    // Where the clock was set back, nobody knows for how long it has waited.
    const isLate = signal.aborted || waited < 0 || waited >= LONGEST_WAIT_MS;
    const isOver = isLate || request.returnImmediately || request.maxEvents === 0;
    if (answer !== null) {
      if (isOver || Object.keys(answer.sets).length > 0) return answer;
    } else {
      // Another poll that has the stream in hand ends soon; of one that is paused nobody knows when it goes on.
      if (isOver && !(await isActive(parts, name))) return NOTHING;
      if (isLate) return { sets: {}, moreAvailable: true };
    }
    await pause();
  }
}

async function isActive({ receivers }: Pick<PollParts, "receivers">, name: ReceiverName): Promise<boolean> {
  return (await receivers.find(name))?.state === "active";
}

/** Whether there may be something to hand out: looked at without the lease, so that a poll that waits writes nothing. */
async function hasTokens({ receivers, events }: PollParts, name: ReceiverName): Promise<boolean> {
  const receiver = await receivers.find(name);
  if (receiver?.state !== "active") return false;
  if (receiver.position !== (await events.head(name.tenant))) return true;
  return (await receivers.aside(name, { state: "waiting", after: 0, limit: 1 })).length > 0;
}

interface Held {
  readonly receiver: Receiver;
  readonly holder: string;
}

/** Null where the stream does not give anything now, or another poll has it in hand. */
async function withLease<Result>(
  { receivers, newHolder, now }: PollParts,
  name: ReceiverName,
  work: (held: Held) => Promise<Result | null>,
): Promise<Result | null> {
  const holder = newHolder();
  const at = now();
  const lease = { holder, ...presentAt(at), until: new Date(at + STEP_MS).toISOString() };
  const receiver = await receivers.lease(name, lease);
  if (receiver === null) return null;
  try {
    return await work({ receiver, holder });
  } finally {
    await receivers.release(name, holder);
  }
}

/**
 * Acknowledged tokens are done, refused ones are dead letters. Ids that were never handed out count for nothing. Resolves to the stream
 * as it is then; to null where another poll has it in hand.
 */
async function settle(parts: PollParts, held: Held, request: PollRequest): Promise<Held | null> {
  const { receiver } = held;
  const waiting = await parts.receivers.aside(receiver, { state: "waiting", after: 0, limit: BATCH });
  const { done, refused } = await settledTokens(parts, { receiver, waiting }, request);
  if (done.length + refused.length === 0) return held;
  return advance(parts, held, { to: receiver.position, aside: refused, done, isDelivered: done.length > 0 });
}

async function handOut(parts: PollParts, held: Held, most: number): Promise<PollAnswer> {
  const { receiver } = held;
  if (most === 0) return { sets: {}, moreAvailable: await hasTokens(parts, receiver) };
  const again = await signAgain(parts, held, most);
  const isFull = again.signed.length >= most || lengthOf(again.signed) >= PAGE_BYTES;
  const next = await readNext(parts, again.held, isFull ? 0 : most - again.signed.length);
  return {
    sets: Object.fromEntries([...again.signed, ...(await signAll(parts, receiver, next.events))]),
    moreAvailable: again.hasMore || next.hasMore,
  };
}

/** A token and its id. */
type SignedToken = readonly [id: string, token: string];

async function signedToken(
  { signer }: PollParts,
  receiver: Receiver,
  event: FeedEvent,
): Promise<SignedToken> {
  return [tokenId(receiver.id, event), await signer.sign(receiver, event)];
}

/** Tokens that are made at once: a quarter of a millisecond each, and others have their turn while they are signed. */
const AT_ONCE = 20;

async function signAll(
  parts: PollParts,
  receiver: Receiver,
  events: readonly FeedEvent[],
): Promise<readonly SignedToken[]> {
  const signed: SignedToken[] = [];
  for (let at = 0; at < events.length; at += AT_ONCE) {
    const some = events.slice(at, at + AT_ONCE);
    signed.push(...(await Promise.all(some.map((event) => signedToken(parts, receiver, event)))));
  }
  return signed;
}

function lengthOf(tokens: readonly SignedToken[]): number {
  return tokens.reduce((length, [, token]) => length + token.length, 0);
}

/** Tokens, and whether there are others that wait for an acknowledgement. */
interface SignedAgain {
  /** The stream as it is then. */
  readonly held: Held;
  readonly signed: readonly SignedToken[];
  readonly hasMore: boolean;
}

/**
 * The tokens that wait for an acknowledgement, until they come to as much as a page may. One whose event is not kept any more is
 * a dead letter; one that the stream does not want any more waits no longer.
 */
async function signAgain(parts: PollParts, held: Held, most: number): Promise<SignedAgain> {
  const { receiver } = held;
  const waiting = await parts.receivers.aside(receiver, { state: "waiting", after: 0, limit: most + 1 });
  const signed: SignedToken[] = [];
  const gone: AsideDelivery[] = [];
  const unwanted: number[] = [];
  for (const delivery of waiting.slice(0, most)) {
    if (lengthOf(signed) >= PAGE_BYTES) break;
    const event = await readEvent(parts.events, receiver.tenant, delivery.position);
    if (event === null) gone.push(unkept(delivery));
    else if (!isWanted(receiver.types, event)) unwanted.push(delivery.position);
    else signed.push(await signedToken(parts, receiver, event));
  }
  const settled = gone.length + unwanted.length;
  const step = { to: receiver.position, aside: gone, done: unwanted, isDelivered: false };
  const after = settled > 0 ? await advance(parts, held, step) : held;
  return { held: after ?? held, signed, hasMore: waiting.length > signed.length + settled };
}

/** New events that the receiver wants, at most so many; of 0, whether there are any. They wait for their acknowledgement from now on. */
async function readNext(
  parts: PollParts,
  held: Held,
  most: number,
): Promise<{ readonly events: readonly FeedEvent[]; readonly hasMore: boolean }> {
  const { receiver } = held;
  const page = await readBehind(parts.events, receiver, BATCH);
  if ("problem" in page) {
    const skipped = await advance(parts, held, { ...page, aside: [], done: [], isDelivered: false });
    return { events: [], hasMore: skipped === null || page.to < (await parts.events.head(receiver.tenant)) };
  }
  const wanted = page.events.filter((event) => isWanted(receiver.types, event));
  const events = wanted.slice(0, most);
  const to = wanted.length > most ? (events.at(-1)?.position ?? receiver.position) : page.next;
  if (to === receiver.position) return { events: [], hasMore: wanted.length > 0 };
  const aside = events.map((event) => setBehind(event, parts.now()));
  const after = await advance(parts, held, { to, aside, done: [], isDelivered: false });
  if (after === null) return { events: [], hasMore: true };
  return { events, hasMore: to < (await parts.events.head(receiver.tenant)) };
}

interface Step extends Pick<DeliveryProgress, "to" | "aside" | "done"> {
  readonly isDelivered: boolean;
  /** What is told of it. Default: why an event of it is a dead letter, and else what was told before. */
  readonly problem?: string;
}

/** Writes a step. Resolves to the stream as it is then; to null where another poll has it in hand. */
async function advance(parts: PollParts, { receiver, holder }: Held, step: Step): Promise<Held | null> {
  const { isDelivered, problem, ...progress } = step;
  const { failingSince } = receiver;
  const lastDelivery = isDelivered ? new Date(parts.now()).toISOString() : receiver.lastDelivery;
  const dead = progress.aside.find(({ state }) => state === "dead");
  const outcome = {
    failingSince,
    lastDelivery,
    lastProblem: problem ?? dead?.problem ?? receiver.lastProblem,
  };
  const isWritten = await parts.receivers.advance(receiver, {
    ...progress,
    holder,
    url: receiver.url,
    from: receiver.position,
    outcome,
    disabled: null,
  });
  return isWritten ? { receiver: { ...receiver, ...outcome, position: step.to }, holder } : null;
}

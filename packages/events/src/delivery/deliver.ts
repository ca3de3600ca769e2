/**
 * Delivers to one receiver what it has not been told: at least once, the events of a resource in their order. Where one
 * fails, it is set aside with what follows of its resource, and other resources go on, until so many are stuck that the
 * receiver itself must be in trouble.
 * @module
 */
import type { FeedEvent } from "@scim/core";
import { resourceKey } from "./attempt.ts";
import { hasCome, type Present, presentAt } from "./backoff.ts";
import { readBehind } from "./read-behind.ts";
import type { AsideDelivery, Receiver, ReceiverName } from "./receiver.ts";
import type { RestingReceivers } from "./resting.ts";
import { DeliveryStep, type DeliveryParts, mayBeTold, takeLease } from "./step.ts";
import { isWanted } from "./wanted.ts";

/** Events that one step reads. */
const BATCH = 100;
/** Resources that may be stuck before a receiver is sent nothing new. */
const MOST_STUCK = 32;
/** Deliveries that may be set aside before a receiver is sent nothing new. */
const MOST_ASIDE = 1000;
/** Steps of one turn: others wait for theirs. */
const STEPS = 10;

/**
 * Works on a receiver until there is nothing to do, for one turn at most.
 * @param resting remembers those that were looked at in vain
 * @returns how many events were delivered
 */
export async function deliverTo(
  parts: DeliveryParts,
  name: ReceiverName,
  resting: RestingReceivers,
): Promise<number> {
  // Looked at first without the lease: a receiver that is in trouble costs no write until its time has come.
  if (!(await hasWork(parts, name, resting))) return 0;
  let delivered = 0;
  try {
    for (let step = 0; step < STEPS && !parts.isStopped(); step += 1) {
      const receiver = await takeLease(parts, name);
      if (receiver === null) break;
      const count = await deliverStep(parts, receiver);
      if (count === null) break;
      delivered += count;
    }
  } finally {
    await parts.receivers.release(name, parts.holder);
  }
  return delivered;
}

async function hasWork(
  parts: DeliveryParts,
  name: ReceiverName,
  resting: RestingReceivers,
): Promise<boolean> {
  const receiver = await parts.receivers.find(name);
  if (receiver?.state !== "active" || resting.isResting(receiver, parts.now())) return false;
  if (!(await mayBeTold(parts, name))) return false;
  const { heads, due, mayBeSentMore } = await lookAt(parts, receiver);
  if (due.length > 0 || mayBeSentMore) return true;
  resting.rest(receiver, heads.values(), parts.now());
  return false;
}

/** What waits for a receiver. */
interface Waiting {
  /** The first of each resource: the others wait for it. */
  readonly heads: ReadonlyMap<string, AsideDelivery>;
  /** Those of them whose time has come, with what waits behind each: of that no more than one step reads. */
  readonly due: readonly AsideDelivery[];
  /** Whether so little waits that it is sent what is new. */
  readonly mayBeSentMore: boolean;
}

async function lookAt(parts: DeliveryParts, receiver: Receiver): Promise<Waiting> {
  const waiting = await parts.receivers.aside(receiver, { state: "waiting", after: 0, limit: MOST_ASIDE });
  const heads = firstOfEach(waiting);
  return {
    heads,
    due: dueAmong(waiting, heads, presentAt(parts.now())),
    mayBeSentMore: heads.size < MOST_STUCK && waiting.length < MOST_ASIDE,
  };
}

/** One step; resolves to how many events were delivered, or to null where there is nothing more to do. */
async function deliverStep(parts: DeliveryParts, receiver: Receiver): Promise<number | null> {
  const { heads, due, mayBeSentMore } = await lookAt(parts, receiver);
  const step = new DeliveryStep(parts, receiver, heads);
  if (due.length > 0) {
    await step.again(due);
    return step.write(receiver.position);
  }
  if (!mayBeSentMore) return null;
  const page = await readBehind(parts.events, receiver, BATCH);
  if ("problem" in page) return (await step.skip(page)) ? 0 : null;
  const { events } = page;
  if (events.length === 0) return null;
  const taken = takeWhileFew(
    events.filter((event) => isWanted(receiver.types, event)),
    MOST_STUCK - heads.size,
  );
  const last = taken.isCut ? taken.events.at(-1) : events.at(-1);
  await step.first(taken.events);
  return step.write(last?.position ?? receiver.position);
}

function dueAmong(
  waiting: readonly AsideDelivery[],
  heads: Waiting["heads"],
  present: Present,
): readonly AsideDelivery[] {
  let behind = 0;
  return waiting.filter((delivery) => {
    const head = heads.get(resourceKey(delivery.type, delivery.resource));
    if (head === undefined || !hasCome(head.next, present)) return false;
    if (head === delivery) return true;
    behind += 1;
    return behind <= BATCH;
  });
}

function firstOfEach(waiting: readonly AsideDelivery[]): Map<string, AsideDelivery> {
  const heads = new Map<string, AsideDelivery>();
  for (const delivery of waiting) {
    const key = resourceKey(delivery.type, delivery.resource);
    if (!heads.has(key)) heads.set(key, delivery);
  }
  return heads;
}

/** The first events of at most so many resources: if all of them fail, no more are stuck than may be. */
function takeWhileFew(
  events: readonly FeedEvent[],
  most: number,
): { readonly events: readonly FeedEvent[]; readonly isCut: boolean } {
  const resources = new Set<string>();
  const end = events.findIndex(({ type, id }) => resources.add(resourceKey(type, id)).size > most);
  return end === -1 ? { events, isCut: false } : { events: events.slice(0, end), isCut: true };
}

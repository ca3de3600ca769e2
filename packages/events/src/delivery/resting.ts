/**
 * Receivers in trouble rest: until the first of what waits for them is due, what waits is not read again with each look, of which
 * there are some each second. What an administrator decides meanwhile shows in the receiver, and else after some seconds.
 * @module
 */
import { isRecent } from "@scim/core";
import { hasCome, presentAt } from "./backoff.ts";
import { type AsideDelivery, type Receiver, receiverKey } from "./receiver.ts";

/** Milliseconds that a rest takes at most (five seconds). */
const REST_MS = 5000;

interface Rest extends Pick<Receiver, "revision" | "position"> {
  /** When it began, in milliseconds since 1970. */
  readonly since: number;
  /** When the first of what waits is due, UTC with milliseconds. */
  readonly until: string;
}

/** Remembers them. */
export class RestingReceivers {
  /** Those that began to rest last come last. */
  readonly #rests = new Map<string, Rest>();

  /** Whether nothing can have become of what waits for a receiver since it was looked at. */
  isResting(receiver: Receiver, now: number): boolean {
    const rest = this.#rests.get(receiverKey(receiver));
    if (rest === undefined) return false;
    const isSame = rest.revision === receiver.revision && rest.position === receiver.position;
    return isSame && isUnderWay(rest, now) && !hasCome(rest.until, presentAt(now));
  }

  /** @param waiting the first of each resource, none of which is due */
  rest(receiver: Receiver, waiting: Iterable<AsideDelivery>, now: number): void {
    for (const [key, rest] of this.#rests) {
      if (isUnderWay(rest, now)) break;
      this.#rests.delete(key);
    }
    const [first] = [...waiting].map(({ next }) => next).toSorted();
    if (first === undefined) return;
    const { revision, position } = receiver;
    const key = receiverKey(receiver);
    this.#rests.delete(key);
    this.#rests.set(key, { revision, position, since: now, until: first });
  }
}

function isUnderWay({ since }: Rest, now: number): boolean {
  return isRecent(since, { now, within: REST_MS });
}

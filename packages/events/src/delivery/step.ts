/**
 * One step of delivery to a receiver: what it sends, what it sets aside, and how that is written.
 * @module
 */
import { type EventFeed, type FeedEvent, isRecent } from "@scim/core";
import {
  attempt,
  type AttemptOutcome,
  type AttemptParts,
  resourceKey,
  setAside,
  setBehind,
  skippedProblem,
  unkept,
} from "./attempt.ts";
import { presentAt, triedSince } from "./backoff.ts";
import { readEvent } from "../feed/read-event.ts";
import { inLanes } from "./lanes.ts";
import type { DeliveryProgress, ReceiverStore } from "./port.ts";
import type { SkippedEvents } from "./read-behind.ts";
import type { AsideDelivery, Receiver, ReceiverName } from "./receiver.ts";
import { isWanted } from "./wanted.ts";

/** What delivery works with. */
export interface DeliveryParts extends AttemptParts {
  readonly receivers: ReceiverStore;
  readonly events: Pick<EventFeed, "read" | "head">;
  /** Whether a tenant is active: receivers of one that is not are sent nothing until it is. Default: all are. */
  readonly isActive?: ((tenant: string) => Promise<boolean>) | undefined;
  /** Names the worker in leases: different for each process. */
  readonly holder: string;
  /** Milliseconds of a lease: more than two requests may take. */
  readonly leaseMs: number;
  /** Ends the work between two steps. */
  readonly isStopped: () => boolean;
}

/** Positions among which the last event that was given up is looked for. */
const GIVEN_UP = 1000;
/** Milliseconds for which what was read of events is sent (one second); from then on each is read again. */
const READ_MS = 1000;

/** Takes, or keeps, the lease of a receiver for the worker; null where somebody else has it, or nothing may be sent. */
export async function takeLease(parts: DeliveryParts, name: ReceiverName): Promise<Receiver | null> {
  if (!(await mayBeTold(parts, name))) return null;
  const now = parts.now();
  return parts.receivers.lease(name, {
    holder: parts.holder,
    ...presentAt(now),
    until: new Date(now + parts.leaseMs).toISOString(),
  });
}

/** Whether the receivers of a tenant may be told anything now. */
export async function mayBeTold({ isActive }: DeliveryParts, { tenant }: ReceiverName): Promise<boolean> {
  return isActive === undefined || (await isActive(tenant));
}

/** What one step did, until it is written. */
export class DeliveryStep {
  readonly #parts: DeliveryParts;
  readonly #receiver: Receiver;
  readonly #heads: ReadonlyMap<string, AsideDelivery>;
  readonly #aside = new Map<number, AsideDelivery>();
  readonly #done: number[] = [];
  #delivered = 0;
  #problem: string | null = null;
  #gone: string | null = null;
  /** What is told of the last event that was removed while it waited: no attempt, so that it is no failure. */
  #removed: string | null = null;
  readonly #begunAt: number;
  #leasedAt: number;
  #isLost = false;

  constructor(parts: DeliveryParts, receiver: Receiver, heads: ReadonlyMap<string, AsideDelivery>) {
    this.#parts = parts;
    this.#receiver = receiver;
    this.#heads = heads;
    this.#begunAt = parts.now();
    this.#leasedAt = this.#begunAt;
  }

  /** Delivers events for the first time. Those behind one that is stuck, or gets stuck, are set aside. */
  async first(events: readonly FeedEvent[]): Promise<void> {
    const stuck = new Set(this.#heads.keys());
    await inLanes(
      events,
      ({ type, id }) => resourceKey(type, id),
      async (event) => {
        const key = resourceKey(event.type, event.id);
        const aside = setBehind(event, this.#parts.now());
        const kept = stuck.has(key) ? null : await this.#asKept(event);
        if (stuck.has(key)) this.#put(aside);
        else if (kept === null) this.#putUnkept(aside);
        else if (!(await this.#deliver(kept, null))) stuck.add(key);
        return true;
      },
    );
  }

  /** Delivers what was set aside and whose time has come. What waits behind one that fails stays as it is. */
  async again(due: readonly AsideDelivery[]): Promise<void> {
    await inLanes(
      due,
      ({ type, resource }) => resourceKey(type, resource),
      async (delivery) => {
        const event = await this.#read(delivery);
        if (event !== null && isWanted(this.#receiver.types, event)) return this.#deliver(event, delivery);
        if (event === null) this.#putUnkept(delivery);
        else this.#done.push(delivery.position);
        return true;
      },
    );
    if (this.#delivered > 0) this.#hurry();
  }

  /** An event as it is kept, while others of its step were sent: an erasure may have taken its content meanwhile. Null where it went. */
  async #asKept(event: FeedEvent): Promise<FeedEvent | null> {
    return this.#isWithin(READ_MS, this.#begunAt) ? event : this.#read(event);
  }

  /** Whether less than so many milliseconds have passed since an instant: where the clock was set back, nobody knows. */
  #isWithin(milliseconds: number, since: number): boolean {
    return isRecent(since, { now: this.#parts.now(), within: milliseconds });
  }

  #read({ position }: Pick<FeedEvent, "position">): Promise<FeedEvent | null> {
    return readEvent(this.#parts.events, this.#receiver.tenant, position);
  }

  /** The receiver answers again: what waits for it is tried at once. */
  #hurry(): void {
    const next = new Date(this.#parts.now()).toISOString();
    for (const head of this.#heads.values()) {
      const isTried = this.#aside.has(head.position) || this.#done.includes(head.position);
      if (!isTried && head.next > next) this.#put({ ...head, next });
    }
  }

  async #deliver(event: FeedEvent, before: AsideDelivery | null): Promise<boolean> {
    if (!(await this.#maySend())) return this.#leave(event, before);
    const verdict = await attempt(this.#parts, this.#receiver, event);
    // Requests under way end with the worker: that says nothing of the receiver.
    if (verdict.kind === "failed" && this.#parts.isStopped()) return this.#leave(event, before);
    if (verdict.kind === "delivered") {
      this.#tell("delivered");
      this.#delivered += 1;
      if (before !== null) this.#done.push(event.position);
      return true;
    }
    this.#problem = verdict.problem;
    if (verdict.kind === "gone") this.#gone = verdict.problem;
    const aside = setAside(this.#parts, event, { verdict, before });
    this.#put(aside);
    if (verdict.kind === "gone") this.#tell("gone");
    else this.#tell(aside.state === "dead" ? "dead" : "failed");
    return false;
  }

  /** Leaves an event to who works on the receiver next. */
  #leave(event: FeedEvent, before: AsideDelivery | null): false {
    this.#put(before ?? setBehind(event, this.#parts.now()));
    return false;
  }

  #tell(outcome: AttemptOutcome): void {
    this.#parts.onAttempt?.(this.#receiver, outcome);
  }

  /** Nothing is sent any more by who stops or does not hold the lease, or to a receiver that wants nothing. */
  async #maySend(): Promise<boolean> {
    return this.#gone === null && !this.#isLost && !this.#parts.isStopped() && (await this.#keepLease());
  }

  async #keepLease(): Promise<boolean> {
    if (this.#isWithin(this.#parts.leaseMs / 4, this.#leasedAt)) return true;
    this.#leasedAt = this.#parts.now();
    const kept = await takeLease(this.#parts, this.#receiver);
    // What is told as it was decided before would not count, or tell too much.
    this.#isLost = kept?.revision !== this.#receiver.revision;
    return !this.#isLost;
  }

  #put(delivery: AsideDelivery): void {
    this.#aside.set(delivery.position, delivery);
  }

  #putUnkept(delivery: AsideDelivery): void {
    this.#put(unkept(delivery));
    this.#removed = skippedProblem(delivery.position - 1, delivery.position);
  }

  /** Writes what was done. Resolves to how many events were delivered; null where it does not count. */
  async write(to: number): Promise<number | null> {
    const isFailing = this.#delivered === 0 && this.#problem !== null;
    const failingSince = isFailing ? await this.#failingSince() : null;
    const outcome = this.#outcome(failingSince);
    const isWritten = await this.#advance({ to, outcome, disabled: this.#disabled(failingSince) });
    return isWritten && !this.#isLost && this.#gone === null ? this.#delivered : null;
  }

  /** Goes on behind events that are not kept any more, and tells so. */
  async skip({ to, problem: lastProblem }: SkippedEvents): Promise<boolean> {
    const { failingSince, lastDelivery } = this.#receiver;
    return this.#advance({ to, outcome: { failingSince, lastDelivery, lastProblem }, disabled: null });
  }

  async #advance(progress: Pick<DeliveryProgress, "to" | "outcome" | "disabled">): Promise<boolean> {
    return this.#parts.receivers.advance(this.#receiver, {
      ...progress,
      holder: this.#parts.holder,
      url: this.#receiver.url,
      from: this.#receiver.position,
      aside: [...this.#aside.values()],
      done: this.#done,
    });
  }

  #outcome(since: string | null): DeliveryProgress["outcome"] {
    const { failingSince, lastDelivery, lastProblem } = this.#receiver;
    const now = new Date(this.#parts.now()).toISOString();
    const lastProblemNow = this.#problem ?? this.#removed ?? lastProblem;
    if (this.#delivered > 0) return { failingSince: null, lastDelivery: now, lastProblem: lastProblemNow };
    const kept = this.#problem === null ? failingSince : (since ?? now);
    return { failingSince: kept, lastDelivery, lastProblem: lastProblemNow };
  }

  /** Why the receiver is stopped: it said so, or nothing was delivered for as long as an event is tried. */
  #disabled(failingSince: string | null): string | null {
    if (this.#gone !== null) return this.#gone;
    if (failingSince === null) return null;
    const isOver = this.#parts.now() - Date.parse(failingSince) >= this.#parts.giveUpAfter;
    return isOver ? `No delivery has succeeded since ${failingSince}. ${this.#problem}` : null;
  }

  /**
   * Since when attempts have failed; what was to be tried last says from when on nobody could. Where all of it was given up,
   * there was nothing to try behind that.
   */
  async #failingSince(): Promise<string | null> {
    const { failingSince } = this.#receiver;
    if (failingSince === null) return null;
    const tried = [...this.#heads.values()].filter(({ attempts }) => attempts > 0);
    const times = (tried.length > 0 ? tried : await this.#givenUp()).map(({ next }) => next);
    const last = times.reduce((a, b) => (a > b ? a : b), "");
    return last === "" ? null : triedSince(failingSince, last, this.#parts.now());
  }

  /** What was given up of the last positions. */
  #givenUp(): Promise<readonly AsideDelivery[]> {
    const after = Math.max(0, this.#receiver.position - GIVEN_UP);
    return this.#parts.receivers.aside(this.#receiver, { state: "dead", after, limit: GIVEN_UP });
  }
}

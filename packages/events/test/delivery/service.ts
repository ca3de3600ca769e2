/** A service in memory that tells one receiver of its events, with a clock and a receiver that tests drive. */
import { createModelCatalog, type FeedEvent } from "@scim/core";
import { createMemoryStore, createPlan, deletePlan, NOTHING, SCOPE, updatePlan } from "@scim/core/testing";
import { createDefaultRegistry } from "@scim/schemas";
import {
  createDeliveryWorker,
  type AsideDelivery,
  type DeliveryForm,
  type OutgoingRequest,
  type Receiver,
  type SendOutcome,
} from "../../src/index.ts";
import { verdictByStatus } from "../../src/delivery/form.ts";
import { createMemoryReceivers, sampleReceiver } from "../../src/testing/index.ts";

export const HOUR = 3_600_000;
export const CATALOG = createModelCatalog(createDefaultRegistry());
const NAME = { tenant: SCOPE.tenant, id: "r1" };

/** What a receiver is sent, and what it answers: a status, or none. */
export type Answering = (event: Sent) => number | "none" | Promise<number | "none">;

/** An event as it was sent. */
export interface Sent {
  readonly url: string;
  readonly position: number;
  readonly resource: string;
  readonly kind: FeedEvent["kind"];
  /** Whether it holds what the resource became. */
  readonly hasContent: boolean;
}

/** The form of these tests: the event itself; 400 refuses it for good. */
const FORM: DeliveryForm = {
  request: async ({ url }, event): Promise<OutgoingRequest> => ({
    url,
    headers: {},
    body: JSON.stringify({
      position: event.position,
      resource: event.id,
      kind: event.kind,
      hasContent: event.after !== null,
    }),
  }),
  verdict: (outcome) =>
    outcome.kind === "answered" && outcome.status === 400
      ? { kind: "refused", problem: "The receiver refused the event." }
      : verdictByStatus(outcome),
};

export async function startService(of: Partial<Receiver> = {}) {
  const store = createMemoryStore();
  const receivers = createMemoryReceivers(store.events);
  await receivers.add(sampleReceiver({ types: [], ...of }));
  const sent: Sent[] = [];
  const errors: unknown[] = [];
  let now = Date.UTC(2026, 2, 1);
  let answering: Answering = () => 204;
  let retryAfter: number | null = null;
  let isActive = true;
  let isStopped = false;

  async function send({ url, body }: OutgoingRequest): Promise<SendOutcome> {
    // The form above wrote the rest.
    const event = { ...(JSON.parse(body) as Omit<Sent, "url">), url };
    sent.push(event);
    const status = await answering(event);
    if (status === "none") return { kind: "failed", problem: "No answer." };
    return { kind: "answered", status, retryAfter, body: "" };
  }

  function workerOf(holder: string) {
    return createDeliveryWorker({
      receivers,
      events: store.events,
      isActive: async () => isActive,
      forms: { webhook: FORM, push: FORM },
      send,
      now: () => now,
      random: () => 0,
      holder,
      leaseMs: 30_000,
      giveUpAfter: 72 * HOUR,
      isStopped: () => isStopped,
      onError: (error) => errors.push(error),
    });
  }

  const worker = workerOf("a");
  return {
    store,
    receivers,
    sent,
    errors,
    workerOf,
    /** Positions in the order of sending, and forgets them. */
    taken: (): readonly number[] => sent.splice(0).map(({ position }) => position),
    answer: (next: Answering, after: number | null = null) => {
      answering = next;
      retryAfter = after;
    },
    /** Suspends the tenant, or makes it active again. */
    activate: (next: boolean) => {
      isActive = next;
    },
    /** Ends the work of all workers between two steps. */
    stop: () => {
      isStopped = true;
    },
    now: () => now,
    /** Time passes. */
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    deliver: async () => {
      await worker.look();
      await worker.idle();
    },
    /** Users by id: created where they are new, else patched, or deleted where the id begins with a minus. */
    change: async (...ids: readonly string[]) => {
      for (const id of ids) await changeUser(store, id);
      while ((await store.events.assign(1000)) > 0);
    },
    receiver: async (): Promise<Receiver> => {
      const found = await receivers.find(NAME);
      if (found === null) throw new TypeError("The receiver is gone.");
      return found;
    },
    aside: (state: AsideDelivery["state"]) => receivers.aside(NAME, { state, after: 0, limit: 1000 }),
    name: NAME,
  };
}

let changes = 0;

async function changeUser(store: ReturnType<typeof createMemoryStore>, id: string): Promise<void> {
  const isDeletion = id.startsWith("-");
  const target = { type: "User", id: id.replace("-", "") } as const;
  const found = await store.read(SCOPE, target, NOTHING);
  changes += 1;
  const body = { userName: `${target.id}-${changes}` };
  if (found === null) await store.write(SCOPE, createPlan({ ...target, body }));
  else await store.write(SCOPE, isDeletion ? deletePlan(found) : updatePlan(found, { body }));
}

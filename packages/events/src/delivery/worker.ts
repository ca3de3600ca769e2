/**
 * Finds the receivers that have something to do, and works on them beside each other: one that hangs holds up no other.
 * @module
 */
import { presentAt } from "./backoff.ts";
import { deliverTo } from "./deliver.ts";
import { receiverKey, type ReceiverName } from "./receiver.ts";
import { RestingReceivers } from "./resting.ts";
import type { DeliveryParts } from "./step.ts";

/** Receivers that a worker works on at once; of one tenant, half of what others leave, so that receivers that hang hold up no other tenant. */
const SHARED = 64;
/** How many more, each of a tenant that it works on no other of: where others hold all that is shared, it need not wait for them. */
const KEPT = 64;
/** Tenants that are read at once. */
const TENANTS = 100;

/** What a worker is made of. */
export interface WorkerParts extends DeliveryParts {
  /** Told of what failed beside the receivers, such as the database; it is tried again. */
  readonly onError: (error: unknown) => void;
}

/** Works on receivers. */
export interface DeliveryWorker {
  /** Looks once for receivers that have something to do. Resolves when they are found: begun with they are as others leave room. */
  look(): Promise<void>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

/**
 * Makes the worker of a process. Any number of processes may have one on the same database: a lease keeps each
 * receiver to one of them.
 *
 * @example
 * const worker = createDeliveryWorker(parts);
 * setInterval(() => void worker.look(), 500);
 */
export function createDeliveryWorker(parts: WorkerParts): DeliveryWorker {
  const inHand = new Map<string, Promise<void>>();
  /** How many receivers of a tenant are in hand, where any is. */
  const held = new Map<string, number>();
  const resting = new RestingReceivers();
  /** Receivers that are still to be begun with, by their tenant, as they were found. */
  const waiting = new Map<string, string[]>();

  function mayBegin(tenant: string): boolean {
    const own = held.get(tenant) ?? 0;
    if (own === 0) return inHand.size < SHARED + KEPT;
    return own < Math.ceil((SHARED - (inHand.size - own)) / 2);
  }

  function count(tenant: string, by: number): void {
    const own = (held.get(tenant) ?? 0) + by;
    if (own === 0) held.delete(tenant);
    else held.set(tenant, own);
  }

  function begin(name: ReceiverName): void {
    const key = receiverKey(name);
    if (inHand.has(key)) return;
    const done = deliverTo(parts, name, resting)
      .then(() => undefined, parts.onError)
      .finally(() => {
        inHand.delete(key);
        count(name.tenant, -1);
        beginAll();
      });
    inHand.set(key, done);
    count(name.tenant, 1);
  }

  /** Begins with those that there is room for. Tenants that have to wait all the same have some in hand: few are passed over. */
  function beginAll(): void {
    if (parts.isStopped()) waiting.clear();
    for (const [tenant, ids] of waiting) {
      if (inHand.size >= SHARED + KEPT) return;
      while (mayBegin(tenant)) {
        const id = ids.shift();
        if (id === undefined) break;
        begin({ tenant, id });
      }
      if (ids.length === 0) waiting.delete(tenant);
    }
  }

  return {
    look: async () => {
      for await (const tenant of eachTenant(parts)) {
        if (waiting.has(tenant)) continue;
        const due = await parts.receivers.due(tenant, presentAt(parts.now()));
        const ids = due.filter((id) => !inHand.has(receiverKey({ tenant, id })));
        if (ids.length === 0) continue;
        waiting.set(tenant, ids);
        beginAll();
      }
    },
    idle: async () => {
      // Where none is in hand, none waits.
      while (inHand.size > 0) await Promise.all(inHand.values());
    },
  };
}

async function* eachTenant({ receivers, isStopped }: DeliveryParts): AsyncGenerator<string, void, undefined> {
  let after: string | undefined = "";
  while (after !== undefined && !isStopped()) {
    const tenants: readonly string[] = await receivers.tenants(after, TENANTS);
    yield* tenants;
    after = tenants.at(-1);
  }
}

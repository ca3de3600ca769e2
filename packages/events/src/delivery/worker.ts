/**
 * Finds the receivers that have something to do, and works on them beside each other: one that hangs holds up no other.
 * @module
 */
import { presentAt } from "./backoff.ts";
import { deliverTo } from "./deliver.ts";
import type { ReceiverName } from "./receiver.ts";
import type { DeliveryParts } from "./step.ts";

/** Receivers that a worker works on at once. */
const MOST_AT_ONCE = 32;
/** Tenants that are read at once. */
const TENANTS = 100;

/** What a worker is made of. */
export interface WorkerParts extends DeliveryParts {
  /** Told of what failed beside the receivers, such as the database; it is tried again. */
  readonly onError: (error: unknown) => void;
}

/** Works on receivers. */
export interface DeliveryWorker {
  /** Looks once for receivers that have something to do. Resolves when it has begun with the last of them. */
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

  async function begin(name: ReceiverName): Promise<void> {
    const key = JSON.stringify([name.tenant, name.id]);
    if (inHand.has(key)) return;
    while (inHand.size >= MOST_AT_ONCE) await Promise.race(inHand.values());
    const work = deliverTo(parts, name)
      .then(() => undefined, parts.onError)
      .finally(() => inHand.delete(key));
    inHand.set(key, work);
  }

  return {
    look: async () => {
      for await (const tenant of eachTenant(parts)) {
        const ids = await parts.receivers.due(tenant, presentAt(parts.now()));
        for (const id of ids) if (!parts.isStopped()) await begin({ tenant, id });
      }
    },
    idle: async () => {
      await Promise.all(inHand.values());
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

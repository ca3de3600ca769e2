/**
 * Finds the receivers that have something to do, and works on them beside each other: one that hangs holds up no other.
 * @module
 */
import { presentAt } from "./backoff.ts";
import { deliverTo } from "./deliver.ts";
import type { ReceiverName } from "./receiver.ts";
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
  const inHand = new Map<string, Work>();
  /** Tenants of which receivers are still to be begun with. */
  const beginning = new Map<string, Promise<void>>();
  let nextEnd = Promise.withResolvers<void>();

  function mayBegin(tenant: string): boolean {
    const own = [...inHand.values()].filter((work) => work.tenant === tenant).length;
    if (own === 0) return inHand.size < SHARED + KEPT;
    return own < Math.ceil((SHARED - (inHand.size - own)) / 2);
  }

  function end(key: string): void {
    inHand.delete(key);
    nextEnd.resolve();
    nextEnd = Promise.withResolvers();
  }

  async function begin(name: ReceiverName): Promise<void> {
    const key = JSON.stringify([name.tenant, name.id]);
    // One promise of all that wait: each of theirs would be kept for as long as a receiver hangs.
    while (!inHand.has(key) && !mayBegin(name.tenant)) await nextEnd.promise;
    if (inHand.has(key) || parts.isStopped()) return;
    const done = deliverTo(parts, name)
      .then(() => undefined, parts.onError)
      .finally(() => end(key));
    inHand.set(key, { tenant: name.tenant, done });
  }

  async function beginAll(tenant: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) await begin({ tenant, id });
    beginning.delete(tenant);
  }

  return {
    look: async () => {
      for await (const tenant of eachTenant(parts)) {
        if (beginning.has(tenant)) continue;
        const ids = await parts.receivers.due(tenant, presentAt(parts.now()));
        if (ids.length > 0) beginning.set(tenant, beginAll(tenant, ids));
      }
    },
    idle: async () => {
      await Promise.all(beginning.values());
      await Promise.all([...inHand.values()].map(({ done }) => done));
    },
  };
}

/** Work on a receiver. */
interface Work {
  readonly tenant: string;
  readonly done: Promise<void>;
}

async function* eachTenant({ receivers, isStopped }: DeliveryParts): AsyncGenerator<string, void, undefined> {
  let after: string | undefined = "";
  while (after !== undefined && !isStopped()) {
    const tenants: readonly string[] = await receivers.tenants(after, TENANTS);
    yield* tenants;
    after = tenants.at(-1);
  }
}

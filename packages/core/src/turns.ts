/**
 * Lets what takes long wait for each other: so much runs at once, and each tenant has its turn.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { callAfter } from "./time-limit.ts";

/** How many there are at once, and who waits. */
export interface TurnRules {
  /** How many run at the same time: 1 or more. */
  readonly atOnce: number;
  /** How many of one tenant run at the same time. */
  readonly perTenant: (tenant: string) => number;
  /**
   * How many wait for their turn; more are refused, and so is what one tenant has waiting beyond half of them. Where all places are taken,
   * the last of the tenant that has most of them makes room for one that has fewer.
   */
  readonly waiting: number;
  /** Milliseconds that one waits before it is refused; null: as long as its signal lets it. */
  readonly patience: number | null;
  /** What is told who is refused. */
  readonly refusal: string;
}

interface Waiter {
  readonly begin: () => void;
  readonly refuse: () => void;
  /** Lets go of what would end the waiting. */
  readonly settle: () => void;
}

/** Seconds after which one that was refused may try again. */
const RETRY_AFTER = 5;

/** The turns of what takes long: scans of a database, long answers, long bodies. */
export class Turns {
  readonly #rules: TurnRules;
  /** Who waits, by tenant; the tenant that had no turn for longest first. */
  readonly #queues = new Map<string, Set<Waiter>>();
  /** How many run, by tenant. */
  readonly #runningOf = new Map<string, number>();
  #running = 0;

  constructor(rules: TurnRules) {
    this.#rules = rules;
  }

  /** How many run, and how many wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#numberWaiting() };
  }

  /**
   * Resolves when a turn has come, to what ends it.
   * @throws ScimError `unavailable` where too many wait, or it waits too long, and the reason of the signal where it aborts meanwhile
   */
  async take(tenant: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#mayBegin(tenant)) this.#begin(tenant);
    else await this.#wait(tenant, signal);
    return () => {
      this.#end(tenant);
      this.#next();
    };
  }

  #mayBegin(tenant: string): boolean {
    return (
      this.#running < this.#rules.atOnce && (this.#runningOf.get(tenant) ?? 0) < this.#rules.perTenant(tenant)
    );
  }

  #begin(tenant: string): void {
    this.#running += 1;
    this.#runningOf.set(tenant, (this.#runningOf.get(tenant) ?? 0) + 1);
  }

  #end(tenant: string): void {
    this.#running -= 1;
    const left = (this.#runningOf.get(tenant) ?? 1) - 1;
    if (left === 0) this.#runningOf.delete(tenant);
    else this.#runningOf.set(tenant, left);
    this.#putLast(tenant);
  }

  /** To the end of those who wait: the others come first. */
  #putLast(tenant: string): void {
    const queue = this.#queues.get(tenant);
    if (queue === undefined) return;
    this.#queues.delete(tenant);
    this.#queues.set(tenant, queue);
  }

  /** Finds a place for one more of a tenant to wait; false where there is none. */
  #findPlace(tenant: string): boolean {
    const own = this.#queues.get(tenant)?.size ?? 0;
    const { waiting } = this.#rules;
    if (own >= Math.ceil(waiting / 2)) return false;
    return this.#numberWaiting() < waiting || this.#makeRoom(own);
  }

  /** Has a crowd, which would keep all others out, make room for one more of a tenant that has so many waiting; false where none does. */
  #makeRoom(own: number): boolean {
    const [most] = [...this.#queues.values()].toSorted((one, other) => other.size - one.size);
    if (most === undefined || most.size <= own + 1) return false;
    [...most].at(-1)?.refuse();
    return true;
  }

  #wait(tenant: string, signal: AbortSignal | undefined): Promise<void> {
    if (!this.#findPlace(tenant)) throw this.#refused();
    const { patience } = this.#rules;
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown): void => {
        waiter.settle();
        this.#remove(tenant, waiter);
        reject(reason);
      };
      const onAbort = (): void => leave(signal?.reason);
      const refuse = (): void => leave(this.#refused());
      const timer = patience === null ? undefined : callAfter(patience, refuse);
      const waiter: Waiter = {
        refuse,
        begin: () => {
          waiter.settle();
          resolve();
        },
        settle: () => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", onAbort);
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const queue = this.#queues.get(tenant);
      if (queue === undefined) this.#queues.set(tenant, new Set([waiter]));
      else queue.add(waiter);
    });
  }

  #refused(): ScimError {
    return new ScimError("unavailable", this.#rules.refusal, {
      headers: { "retry-after": String(RETRY_AFTER) },
    });
  }

  #next(): void {
    const next = [...this.#queues].find(([tenant]) => this.#mayBegin(tenant));
    if (next === undefined) return;
    const [tenant, queue] = next;
    const [waiter] = queue;
    if (waiter === undefined) return;
    this.#remove(tenant, waiter);
    this.#putLast(tenant);
    this.#begin(tenant);
    waiter.begin();
  }

  #remove(tenant: string, waiter: Waiter): void {
    const queue = this.#queues.get(tenant);
    queue?.delete(waiter);
    if (queue?.size === 0) this.#queues.delete(tenant);
  }

  #numberWaiting(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.size, 0);
  }
}

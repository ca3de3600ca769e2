/**
 * Lets scans wait for each other: so many run at once, and each tenant has its turn.
 * @module
 */
import { unavailable } from "../unavailable.ts";

/** How many scans there may be. */
export interface ScanLimits {
  /** Scans that run at the same time: 1 or more. Default 2. */
  readonly atOnce?: number;
  /**
   * Scans of one tenant that run at the same time: with less than `atOnce`, there is always a turn left that it cannot
   * hold; or what tells how many a tenant may have. Default: as many as run at all.
   */
  readonly perTenant?: number | ((tenant: string) => number);
  /**
   * Scans that wait for their turn; more are refused with `unavailable`, and so is what one tenant has waiting beyond
   * half of them. Default 64.
   */
  readonly waiting?: number;
  /**
   * Most resources of a type that are gone through between requests instead of beside them, at once and without a
   * turn: that takes some milliseconds. Default 500.
   */
  readonly inPlace?: number;
}

interface Waiter {
  readonly begin: () => void;
}

/** Scans that run at the same time, where nothing else is said. */
export const DEFAULT_AT_ONCE = 2;
const DEFAULT_WAITING = 64;

/** Seconds after which a scan that was refused may be tried again. */
const RETRY_AFTER = 5;

/** The turns of a database. */
export class ScanTurns {
  readonly #atOnce: number;
  readonly #perTenant: (tenant: string) => number;
  readonly #waiting: number;
  /** Who waits, by tenant; the tenant that had no turn for longest first. */
  readonly #queues = new Map<string, Set<Waiter>>();
  /** Scans that run, by tenant. */
  readonly #runningOf = new Map<string, number>();
  #running = 0;

  constructor({ atOnce = DEFAULT_AT_ONCE, perTenant = atOnce, waiting = DEFAULT_WAITING }: ScanLimits = {}) {
    this.#atOnce = atOnce;
    this.#perTenant = typeof perTenant === "number" ? () => perTenant : perTenant;
    this.#waiting = waiting;
  }

  /** How many scans run, and how many wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#numberWaiting() };
  }

  /**
   * Resolves when a turn has come, to what ends it.
   * @throws ScimError `unavailable` where too many wait, and the reason of the signal where it aborts meanwhile
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
    return this.#running < this.#atOnce && (this.#runningOf.get(tenant) ?? 0) < this.#perTenant(tenant);
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
  }

  /** Whether one more scan of a tenant would wait where none may. */
  #isFull(tenant: string): boolean {
    const own = this.#queues.get(tenant)?.size ?? 0;
    return this.#numberWaiting() >= this.#waiting || own >= Math.ceil(this.#waiting / 2);
  }

  #wait(tenant: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#isFull(tenant)) {
      throw unavailable(
        "Too many queries go through all resources now. Try again, or filter by an attribute that has an index.",
        undefined,
        RETRY_AFTER,
      );
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#remove(tenant, waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        begin: () => {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      signal?.addEventListener("abort", leave, { once: true });
      const queue = this.#queues.get(tenant);
      if (queue === undefined) this.#queues.set(tenant, new Set([waiter]));
      else queue.add(waiter);
    });
  }

  #next(): void {
    const next = [...this.#queues].find(([tenant]) => this.#mayBegin(tenant));
    if (next === undefined) return;
    const [tenant, queue] = next;
    const [waiter] = queue;
    if (waiter === undefined) return;
    this.#remove(tenant, waiter);
    const rest = this.#queues.get(tenant);
    if (rest !== undefined) {
      // To the end: the others come first.
      this.#queues.delete(tenant);
      this.#queues.set(tenant, rest);
    }
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

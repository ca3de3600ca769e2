/**
 * How many requests are under way at once, and how many begin in a second.
 * @module
 */
import type { Clock } from "../clock.ts";

/** Limits of a gate. */
export interface GateLimits {
  /** Greatest number of requests under way at once. */
  readonly concurrency: number;
  /** Greatest number of requests that begin in a second; infinite for no limit. */
  readonly requestsPerSecond: number;
}

/** Lets requests through, in the order in which they came. */
export class Gate {
  readonly #clock: Clock;
  readonly #limits: GateLimits;
  readonly #waiting = new Set<() => void>();
  #running = 0;
  /** Before this moment nothing begins. */
  #heldUntil = 0;
  /** When the next request may begin, by the rate. */
  #nextStart = 0;
  /** What time it was when the clock was last looked at. */
  #seen = 0;
  #cancelWake: (() => void) | null = null;

  constructor(clock: Clock, limits: GateLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Takes a place, now or when there is one; null where it is taken. Rejects when the signal is aborted before. */
  enter(signal: AbortSignal | undefined): Promise<void> | null {
    if (this.#waiting.size === 0 && this.#take()) return null;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.delete(begin);
        reject(new Error("The request was given up before it began.", { cause: signal?.reason }));
      };
      const begin = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      if (signal?.aborted === true) {
        onAbort();
        return;
      }
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(begin);
      this.#wakeLater();
    });
  }

  /** Gives a place back. */
  leave(): void {
    this.#running -= 1;
    if (this.#waiting.size > 0) this.#wake();
  }

  /** Lets nothing begin for a time: the service asked for it. */
  holdFor(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#now() + ms);
  }

  #take(): boolean {
    const { concurrency, requestsPerSecond } = this.#limits;
    if (this.#running >= concurrency) return false;
    if (this.#heldUntil > 0 || requestsPerSecond !== Number.POSITIVE_INFINITY) {
      const now = this.#now();
      if (now < this.#opening()) return false;
      this.#nextStart = Math.max(now, this.#nextStart) + 1000 / requestsPerSecond;
    }
    this.#running += 1;
    return true;
  }

  /** What time it is. Where the clock was put back, what is waited for comes as much sooner: nobody waits until it has caught up. */
  #now(): number {
    const now = this.#clock.now();
    const back = Math.max(0, this.#seen - now);
    this.#heldUntil -= back;
    this.#nextStart -= back;
    this.#seen = now;
    return now;
  }

  #opening(): number {
    return Math.max(this.#heldUntil, this.#nextStart);
  }

  #wake(): void {
    for (const begin of this.#waiting) {
      if (!this.#take()) break;
      this.#waiting.delete(begin);
      begin();
    }
    this.#wakeLater();
  }

  /** Where time alone keeps requests waiting, comes back when it has passed. */
  #wakeLater(): void {
    if (this.#waiting.size === 0 || this.#cancelWake !== null) return;
    const wait = this.#opening() - this.#now();
    // The time may have come since it was looked at: where nothing is under way, nobody else wakes those who wait.
    if (wait <= 0 && this.#running >= this.#limits.concurrency) return;
    this.#cancelWake = this.#clock.after(Math.max(0, wait), () => {
      this.#cancelWake = null;
      this.#wake();
    });
  }
}

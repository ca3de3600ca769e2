/**
 * The threads that read long bodies: started when they are needed, at most so many, ended when nobody needs them.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { AskedWorker } from "./asked-worker.ts";
import type { BodyReply, BodyRequest } from "./thread-messages.ts";

/** How many long bodies may be read. */
export interface BodyThreadLimits {
  /** At once, each on a thread of its own. Default 2. */
  readonly most?: number;
  /** How many requests may wait for that; more are told to come again (503). Default 16. */
  readonly waiting?: number;
}

/** Milliseconds after which a thread that has nothing to do ends. */
const IDLE_MS = 30_000;
/** A thread, for one body. */
export interface BodyThread {
  /** Asks it, once it has answered the request before. */
  ask(request: BodyRequest): Promise<BodyReply>;
  /** Gives it back; one that was not asked to the end of its body begins the next anew. */
  release(): void;
}

/** The threads of a process. */
export class BodyThreads {
  readonly #most: number;
  readonly #mostWaiting: number;
  #running = 0;
  readonly #waiting: ((thread: BodyThread) => void)[] = [];
  readonly #idle = new Map<AskedWorker, NodeJS.Timeout>();

  constructor({ most = 2, waiting = 16 }: BodyThreadLimits = {}) {
    this.#most = most;
    this.#mostWaiting = waiting;
  }

  /**
   * Takes a thread, when one is free.
   * @throws ScimError `unavailable` with `Retry-After` where too many wait already; the reason of the signal
   */
  async take(signal: AbortSignal | undefined): Promise<BodyThread> {
    signal?.throwIfAborted();
    if (this.#running < this.#most) {
      this.#running += 1;
      return this.#lend(this.#takeIdle() ?? new AskedWorker());
    }
    if (this.#waiting.length >= this.#mostWaiting) throw tooMany();
    const turn = Promise.withResolvers<BodyThread>();
    const leave = (): void => {
      const place = this.#waiting.indexOf(turn.resolve);
      if (place !== -1) this.#waiting.splice(place, 1);
      turn.reject(signal?.reason);
    };
    this.#waiting.push(turn.resolve);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return await turn.promise;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  #lend(worker: AskedWorker): BodyThread {
    let isLent = true;
    return {
      ask: (request) => worker.ask(request),
      release: () => {
        if (isLent) this.#giveBack(worker);
        isLent = false;
      },
    };
  }

  #giveBack(worker: AskedWorker): void {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next(this.#lend(worker.isFree ? worker : new AskedWorker()));
      if (!worker.isFree) worker.end();
      return;
    }
    this.#running -= 1;
    if (!worker.isFree) {
      worker.end();
      return;
    }
    const timer = setTimeout(() => {
      this.#idle.delete(worker);
      worker.end();
    }, IDLE_MS);
    timer.unref();
    this.#idle.set(worker, timer);
  }

  #takeIdle(): AskedWorker | null {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(worker);
      if (worker.isFree) return worker;
    }
    return null;
  }
}

function tooMany(): ScimError {
  return new ScimError("unavailable", "As many large bodies are read as the service may: try again.", {
    headers: { "retry-after": "5" },
  });
}

/**
 * The threads that read long bodies: started when they are needed, at most so many, ended when nobody needs them.
 * @module
 */
import { Turns } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { AskedWorker, threadProgram, type ThreadProgram } from "./asked-worker.ts";
import type { BodyReply, BodyRequest } from "./thread-messages.ts";

/** How many long bodies may be read. */
export interface BodyThreadLimits {
  /** At once, each on a thread of its own; where there are several, one is always left to another tenant. Default 2. */
  readonly most?: number;
  /**
   * How many requests may wait for that; more are told to come again (503), and so is what one tenant has waiting beyond
   * half of them. Default 32.
   */
  readonly waiting?: number;
  /**
   * Milliseconds that one waits; then it is told to come again (503). Less than the server gives a request to arrive in: past
   * that it would answer 408, as if the client were late. Default 150000, half of what Node.js gives.
   */
  readonly patience?: number;
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
  readonly #program: ThreadProgram = threadProgram();
  readonly #turns: Turns;
  readonly #idle = new Map<AskedWorker, NodeJS.Timeout>();

  constructor({ most = 2, waiting = 32, patience = 150_000 }: BodyThreadLimits = {}) {
    // A client that sends slowly holds its thread as long as a request may take.
    const perTenant = Math.max(1, most - 1);
    this.#turns = new Turns({
      atOnce: most,
      perTenant: () => perTenant,
      waiting,
      patience,
      refusal: "As many large bodies are read as the service may: try again.",
    });
  }

  /**
   * Takes a thread, when it is the tenant's turn.
   * @throws ScimError `unavailable` with `Retry-After` where too many wait already, or the system has no thread left; the reason of
   *   the signal
   */
  async take(tenant: string, signal: AbortSignal | undefined): Promise<BodyThread> {
    const end = await this.#turns.take(tenant, signal);
    const worker = this.#takeIdle() ?? started(this.#program, end);
    let isLent = true;
    return {
      ask: (request) => worker.ask(request),
      release: () => {
        if (isLent) void this.#giveBack(worker, end);
        isLent = false;
      },
    };
  }

  /** What it was asked last is short: to wait for that takes a moment, and a new thread many times as long. */
  async #giveBack(worker: AskedWorker, end: () => void): Promise<void> {
    await worker.settled();
    if (worker.isAlive) this.#keep(worker);
    end();
  }

  #keep(worker: AskedWorker): void {
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
      if (worker.isAlive) return worker;
    }
    return null;
  }
}

/** A new thread. Where the system has none left, the turn is over. */
function started(program: ThreadProgram, end: () => void): AskedWorker {
  try {
    return new AskedWorker(program);
  } catch (error) {
    end();
    throw new ScimError("unavailable", "The system gives the service no more threads. Try again.", {
      cause: error,
      headers: { "retry-after": "1" },
    });
  }
}

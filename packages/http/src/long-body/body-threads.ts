/**
 * The threads that read long bodies: started when they are needed, at most so many, ended when nobody needs them.
 * @module
 */
import { Worker } from "node:worker_threads";
import { ScimError } from "@scim/schemas";
import type { BodyReply, BodyRequest } from "./thread-messages.ts";

/** Long bodies that are read at once. */
const MOST = 2;
/** Requests that may wait for that. */
const MOST_WAITING = 16;
/** Milliseconds after which a thread that has nothing to do ends. */
const IDLE_MS = 30_000;
/** Most memory that a thread may take for JavaScript, in MiB. */
const HEAP_MB = 256;

// Sources run as they are, what is built from them as JavaScript.
const IS_SOURCE = import.meta.url.endsWith(".ts");
const PROGRAM = new URL(IS_SOURCE ? "./body-thread.ts" : "./body-thread.js", import.meta.url);
/** Options of Node in the thread: none of the program's own, which may load what has no place in it. */
const NODE_OPTIONS = IS_SOURCE ? ["--conditions=@scim/source"] : [];

/** A thread, for one body. */
export interface BodyThread {
  /** Asks it, once it has answered the request before. */
  ask(request: BodyRequest): Promise<BodyReply>;
  /** Gives it back; one that was not asked to the end of its body begins the next anew. */
  release(): void;
}

/** The threads of a process. */
export class BodyThreads {
  #running = 0;
  readonly #waiting: ((thread: BodyThread) => void)[] = [];
  readonly #idle = new Map<AskedWorker, NodeJS.Timeout>();

  /**
   * Takes a thread, when one is free.
   * @throws ScimError `unavailable` with `Retry-After` where too many wait already; the reason of the signal
   */
  async take(signal: AbortSignal | undefined): Promise<BodyThread> {
    signal?.throwIfAborted();
    if (this.#running < MOST) {
      this.#running += 1;
      return this.#lend(this.#takeIdle() ?? new AskedWorker());
    }
    if (this.#waiting.length >= MOST_WAITING) throw tooMany();
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

/** A thread that is asked one thing at a time. It keeps the process alive only meanwhile. */
class AskedWorker {
  readonly #worker: Worker;
  #asked: PromiseWithResolvers<BodyReply> | null = null;
  #ended: Error | null = null;

  constructor() {
    this.#worker = new Worker(PROGRAM, {
      name: "scim-bodies",
      execArgv: NODE_OPTIONS,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#worker.unref();
    this.#worker.on("message", (reply: BodyReply) => this.#take()?.resolve(reply));
    this.#worker.on("error", (error: Error) => this.#stop(error));
    this.#worker.on("exit", () => this.#stop(new Error("The thread that read the body has ended")));
  }

  /** Whether it can be asked now. */
  get isFree(): boolean {
    return this.#ended === null && this.#asked === null;
  }

  ask(request: BodyRequest): Promise<BodyReply> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const asked = Promise.withResolvers<BodyReply>();
    this.#asked = asked;
    this.#worker.ref();
    // The bytes are the thread's from now on, without a copy.
    this.#worker.postMessage(request, request.kind === "bytes" ? [request.bytes.buffer] : []);
    return asked.promise;
  }

  end(): void {
    void this.#worker.terminate();
  }

  #stop(error: Error): void {
    this.#ended ??= error;
    this.#take()?.reject(this.#ended);
  }

  #take(): PromiseWithResolvers<BodyReply> | null {
    const asked = this.#asked;
    this.#asked = null;
    this.#worker.unref();
    return asked;
  }
}

/** Those of this process. */
export const bodyThreads = new BodyThreads();

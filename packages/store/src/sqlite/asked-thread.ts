/**
 * A thread that is asked one thing after another, as the thread of the requests sees it.
 * @module
 */
import type { Worker } from "node:worker_threads";
import { unavailable } from "../unavailable.ts";
import { ThreadError, type ThreadFailure } from "./thread-messages.ts";
import { startThread, type ThreadStart } from "./thread-program.ts";

/** Most memory that a thread may take for JavaScript, in MiB: beyond it, it ends, and its request fails alone. */
const HEAP_MB = 256;

type Answered<Reply> = Exclude<Reply, ThreadFailure>;

/** A thread. It keeps the process alive only while it is asked. */
export class AskedThread<Request, Reply extends { readonly kind: string }> {
  readonly #worker: Worker;
  #asked: PromiseWithResolvers<Answered<Reply>> | null = null;
  #ended: unknown = null;

  /** @throws ScimError `unavailable` where the system has no thread left */
  constructor(start: Omit<ThreadStart, "resourceLimits">) {
    this.#worker = startThread({ ...start, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
    this.#worker.on("message", (reply: Answered<Reply> | ThreadFailure) => this.#answered(reply));
    this.#worker.on("error", (error: unknown) => this.#end(stopped(error)));
    this.#worker.on("exit", () => this.#end(stopped()));
  }

  /** Whether the thread can be asked. */
  get isAlive(): boolean {
    return this.#ended === null;
  }

  /** Whether an answer is awaited. */
  get isBusy(): boolean {
    return this.#asked !== null;
  }

  /**
   * Asks the thread, once it has answered the request before.
   * @throws ThreadError what the database said; ScimError `unavailable` where the thread has ended
   */
  ask(request: Request): Promise<Answered<Reply>> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const asked = Promise.withResolvers<Answered<Reply>>();
    this.#asked = asked;
    this.#worker.ref();
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(request);
    return asked.promise;
  }

  /** Resolves when the thread awaits a request, or has ended. */
  async settled(): Promise<void> {
    await this.#asked?.promise.catch(() => undefined);
  }

  /** Ends the thread, whatever it does; who waits for it is told the reason. Resolves when it is gone. */
  async end(reason: unknown): Promise<void> {
    this.#end(reason);
    await this.#worker.terminate();
  }

  #answered(reply: Answered<Reply> | ThreadFailure): void {
    const asked = this.#take();
    if (isFailure(reply)) asked?.reject(new ThreadError(reply.message, reply.errcode));
    else asked?.resolve(reply);
  }

  #end(reason: unknown): void {
    this.#ended ??= reason;
    this.#take()?.reject(this.#ended);
  }

  #take(): PromiseWithResolvers<Answered<Reply>> | null {
    const asked = this.#asked;
    this.#asked = null;
    this.#worker.unref();
    return asked;
  }
}

function isFailure(reply: { readonly kind: string }): reply is ThreadFailure {
  return reply.kind === "failed";
}

function stopped(cause?: unknown): unknown {
  return unavailable("The thread that read the database has ended. Try again.", cause);
}

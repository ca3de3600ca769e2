/**
 * A thread that reads bodies, as the thread of the requests sees it.
 * @module
 */
import { Worker } from "node:worker_threads";
import type { BodyReply, BodyRequest } from "./thread-messages.ts";

/** Most memory that a thread may take for JavaScript, in MiB. */
const HEAP_MB = 256;

// Sources run as they are, what is built from them as JavaScript.
const IS_SOURCE = import.meta.url.endsWith(".ts");
const PROGRAM = new URL(IS_SOURCE ? "./body-thread.ts" : "./body-thread.js", import.meta.url);
/** Options of Node in the thread: none of the program's own, which may load what has no place in it. */
const NODE_OPTIONS = IS_SOURCE ? ["--conditions=@scim/source"] : [];

/** A thread that is asked one thing at a time. It keeps the process alive only meanwhile. */
export class AskedWorker {
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

  /** Whether it can be asked, once it has answered. */
  get isAlive(): boolean {
    return this.#ended === null;
  }

  /** Resolves when it awaits a request, or has ended. */
  async settled(): Promise<void> {
    await this.#asked?.promise.catch(() => undefined);
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

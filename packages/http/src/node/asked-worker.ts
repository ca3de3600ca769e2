/**
 * A thread that reads bodies, as the thread of the requests sees it.
 * @module
 */
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { BodyReply, BodyRequest } from "./thread-messages.ts";

/** Most memory that a thread may take for JavaScript, in MiB. */
const HEAP_MB = 256;

/** The program of the threads, and whether it is a source. */
export interface ThreadProgram {
  readonly file: URL;
  readonly isSource: boolean;
}

/**
 * Finds the program of the threads beside this file: sources run as they are, what is built from them as JavaScript.
 * @throws TypeError where it is not there: in a bundle, which has no files beside it, and in CommonJS no address either
 */
export function threadProgram(): ThreadProgram {
  // What bundlers make of it in CommonJS has no `url`.
  const { url } = import.meta as { readonly url?: string };
  const isSource = url?.endsWith(".ts") === true;
  const file = url === undefined ? null : new URL(isSource ? "./body-thread.ts" : "./body-thread.js", url);
  if (file !== null && existsSync(file)) return { file, isSource };
  throw new TypeError(
    "createBodyThreads begins threads from files of @scim/http: a bundler must leave the package beside the bundle.",
  );
}

/** A thread that is asked one thing at a time. It keeps the process alive only meanwhile. */
export class AskedWorker {
  readonly #worker: Worker;
  #asked: PromiseWithResolvers<BodyReply> | null = null;
  #ended: Error | null = null;

  constructor({ file, isSource }: ThreadProgram) {
    this.#worker = new Worker(file, {
      name: "scim-bodies",
      // None of the program's own, which may load what has no place in the thread.
      execArgv: isSource ? ["--conditions=@scim/source"] : [],
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

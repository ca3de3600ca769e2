/**
 * The thread that compares tokens with bcrypt hashes, as the thread of the requests sees it. It starts with the first
 * question, which few servers are ever asked.
 * @module
 */
import { Worker } from "node:worker_threads";
import { ScimError } from "@scim/schemas";
import type { BcryptAnswer, BcryptQuestion } from "./bcrypt-messages.ts";

// Sources run as they are, what is built from them as JavaScript.
const IS_SOURCE = import.meta.url.endsWith(".ts");
const PROGRAM = new URL(IS_SOURCE ? "./bcrypt-thread.ts" : "./bcrypt-thread.js", import.meta.url);
const NODE_OPTIONS = IS_SOURCE ? ["--conditions=@scim/source"] : [];

/** Compares tokens with bcrypt hashes. */
export interface BcryptWorker {
  /**
   * Whether a hash is that of a text.
   * @throws ScimError `unavailable` where the thread cannot be started, or ends meanwhile
   */
  compare(text: string, hash: string): Promise<boolean>;
  /** Ends the thread; what waits is rejected. */
  stop(): Promise<void>;
}

/** Makes one; no thread runs yet. */
export function createBcryptWorker(): BcryptWorker {
  let thread: BcryptThread | null = null;
  return {
    compare: (text, hash) => {
      if (thread === null || thread.hasEnded()) thread = startThread();
      return thread.compare(text, hash);
    },
    stop: async () => {
      await thread?.stop();
    },
  };
}

interface BcryptThread extends BcryptWorker {
  hasEnded(): boolean;
}

function newWorker(): Worker {
  try {
    return new Worker(PROGRAM, { name: "scim-bcrypt", execArgv: NODE_OPTIONS });
  } catch (error) {
    throw unavailable("The system gives the service no more threads. Try again.", error);
  }
}

function unavailable(detail: string, cause?: unknown): ScimError {
  return new ScimError("unavailable", detail, { cause, headers: { "retry-after": "1" } });
}

/** Starts a thread with questions of its own: one that failed tells its end when the next one may be at work. */
function startThread(): BcryptThread {
  const waiting = new Map<number, PromiseWithResolvers<boolean>>();
  const worker = newWorker();
  let hasEnded = false;
  let count = 0;

  function end(cause?: Error): void {
    hasEnded = true;
    const error = unavailable("The thread that compares bcrypt hashes has ended. Try again.", cause);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  worker.unref();
  worker.on("message", ({ id, equal }: BcryptAnswer) => {
    waiting.get(id)?.resolve(equal);
    waiting.delete(id);
  });
  worker.on("error", end);
  worker.on("exit", () => end());

  return {
    compare: (text, hash) => {
      const question: BcryptQuestion = { id: (count += 1), text, hash };
      const asked = Promise.withResolvers<boolean>();
      waiting.set(question.id, asked);
      worker.postMessage(question, []);
      return asked.promise;
    },
    stop: async () => {
      await worker.terminate();
    },
    hasEnded: () => hasEnded,
  };
}

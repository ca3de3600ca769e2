/**
 * The thread that compares tokens with bcrypt hashes, as the thread of the requests sees it. It starts with the first
 * question, which few servers are ever asked.
 * @module
 */
import { Worker } from "node:worker_threads";
import type { BcryptAnswer, BcryptQuestion } from "./bcrypt-messages.ts";

// Sources run as they are, what is built from them as JavaScript.
const IS_SOURCE = import.meta.url.endsWith(".ts");
const PROGRAM = new URL(IS_SOURCE ? "./bcrypt-thread.ts" : "./bcrypt-thread.js", import.meta.url);
const NODE_OPTIONS = IS_SOURCE ? ["--conditions=@scim/source"] : [];

/** Compares tokens with bcrypt hashes. */
export interface BcryptWorker {
  /** Whether a hash is that of a text. */
  compare(text: string, hash: string): Promise<boolean>;
  /** Ends the thread; what waits is rejected. */
  stop(): Promise<void>;
}

/** Makes one; no thread runs yet. */
export function createBcryptWorker(): BcryptWorker {
  const waiting = new Map<number, PromiseWithResolvers<boolean>>();
  let worker: Worker | null = null;
  let count = 0;

  function end(error: Error): void {
    worker = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function start(): Worker {
    const started = new Worker(PROGRAM, { name: "scim-bcrypt", execArgv: NODE_OPTIONS });
    started.unref();
    started.on("message", ({ id, equal }: BcryptAnswer) => {
      waiting.get(id)?.resolve(equal);
      waiting.delete(id);
    });
    started.on("error", end);
    started.on("exit", () => end(new Error("The thread that compares bcrypt hashes has ended")));
    return started;
  }

  return {
    compare: (text, hash) => {
      worker ??= start();
      const question: BcryptQuestion = { id: (count += 1), text, hash };
      const asked = Promise.withResolvers<boolean>();
      waiting.set(question.id, asked);
      worker.postMessage(question, []);
      return asked.promise;
    },
    stop: async () => {
      await worker?.terminate();
    },
  };
}

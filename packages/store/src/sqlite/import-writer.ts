/**
 * The thread that writes imports, as the thread of the rules sees it: it is started with the first import, so that one
 * plans what comes next while the other writes.
 * @module
 */
import type { Worker } from "node:worker_threads";
import type { WriteAllResult } from "@scim/core";
import type { ScimError } from "@scim/schemas";
import type { BulkWriter, HandedOver, HandedWrite } from "../imports/import-store.ts";
import { unavailable } from "../unavailable.ts";
import type { CommitFlush } from "./commit-flush.ts";
import type { ImportReply, ImportRequestMessage, ImportThreadSettings } from "./import-messages.ts";
import type { LockHolders } from "./lock-holders.ts";
import type { LogMover } from "./log-mover.ts";
import { startThread } from "./thread-program.ts";

/** Memory for JavaScript in the thread, in MiB: what a batch needs, and no more of what a greater heap would put off. */
const YOUNG_MB = 16;
const OLD_MB = 256;

/** What else is told of writes. */
export interface ImportSurroundings {
  readonly mover: Pick<LogMover, "wrote" | "settled">;
  readonly holders: LockHolders;
  /** What flushes beside; null where nothing does. */
  readonly flush: Pick<CommitFlush, "ready"> | null;
}

/** Writes imports. */
export class ImportWriter implements BulkWriter {
  readonly #settings: ImportThreadSettings;
  readonly #beside: ImportSurroundings;
  #worker: Worker | null = null;
  /** Resolves when the thread that was started last is gone. */
  #gone: Promise<void> = Promise.resolve();
  #closed = false;
  #asked: PromiseWithResolvers<HandedWrite>[] = [];
  /** What was written, and is on its way to the disk. */
  #flushing: PromiseWithResolvers<void>[] = [];
  #senders = 0;
  /** Lets go of the lock that the write under way holds. */
  #release: () => void = () => undefined;

  constructor(settings: ImportThreadSettings, beside: ImportSurroundings) {
    this.#settings = settings;
    this.#beside = beside;
  }

  /** Begins to hand over resources; a write fails with `unavailable` after close, and where the database cannot be locked or written. */
  begin(): HandedOver {
    const sender = this.#senders;
    this.#senders += 1;
    /** The thread that has what was added. */
    let holder: Worker | null = null;
    return {
      add: (groups) => {
        // Whoever writes what was added is told.
        if (this.#closed) return;
        holder ??= this.#thread();
        post(holder, { kind: "rows", sender, groups });
      },
      write: ({ tenant, connection }, step) => {
        if (this.#closed) return Promise.reject(unavailable("The store is closed."));
        const worker = this.#thread();
        const isLost = holder !== null && holder !== worker;
        holder = null;
        const asked = Promise.withResolvers<HandedWrite>();
        if (isLost) return Promise.reject(threadEnded());
        this.#asked.push(asked);
        worker.ref();
        post(worker, { kind: "write", sender, tenant, connection, step });
        return asked.promise;
      },
    };
  }

  /** Writes no more, and ends the thread when it has done what it was asked. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#closed = true;
    this.#worker = null;
    await Promise.allSettled(this.#asked.map(({ promise }) => promise));
    await Promise.allSettled(this.#flushing.map(({ promise }) => promise));
    await this.#beside.mover.settled();
    if (worker === null) return;
    // One that is gone by now hears nothing.
    worker.ref();
    post(worker, "end");
    await this.#gone;
  }

  #thread(): Worker {
    this.#worker ??= this.#start();
    return this.#worker;
  }

  #start(): Worker {
    const worker = startThread({
      program: "import-thread",
      name: "scim-import",
      settings: this.#settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
    });
    worker.on("message", (reply: ImportReply) => {
      this.#take(reply);
      if (this.#asked.length === 0 && this.#flushing.length === 0) worker.unref();
    });
    let isLost = false;
    // Behind an error comes the exit, when another thread may be at work already.
    const lose = (cause?: unknown): void => {
      if (!isLost) this.#lost(cause);
      isLost = true;
    };
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    this.#gone = gone;
    worker.on("error", lose);
    worker.on("exit", () => {
      lose();
      resolve();
    });
    return worker;
  }

  #take(reply: ImportReply): void {
    switch (reply.kind) {
      case "begun":
        this.#release = this.#beside.holders.hold();
        return;
      case "done":
        this.#release();
        this.#beside.mover.wrote(reply.changed);
        this.#asked.shift()?.resolve({ result: reply.result, flushed: this.#flushed(reply.result) });
        return;
      case "failed":
        this.#release();
        this.#asked.shift()?.reject(unavailable(reply.message));
        return;
      case "flushed":
        this.#flushing.shift()?.resolve();
        return;
      case "lost":
        this.#flushing.shift()?.reject(unavailable(reply.message));
    }
  }

  async #flushed({ kind }: WriteAllResult): Promise<void> {
    if (kind === "refused") return;
    const flushing = Promise.withResolvers<void>();
    this.#flushing.push(flushing);
    await flushing.promise;
    // What the thread has flushed stands behind what it has not: that may have a gap on the disk.
    await this.#beside.flush?.ready();
  }

  #lost(cause?: unknown): void {
    this.#release();
    this.#worker = null;
    const waiting = [...this.#asked, ...this.#flushing];
    this.#asked = [];
    this.#flushing = [];
    for (const { reject } of waiting) reject(threadEnded(cause));
  }
}

function post(worker: Worker, message: ImportRequestMessage | "end"): void {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(message);
}

function threadEnded(cause?: unknown): ScimError {
  return unavailable("The thread that writes imports has ended. Try again.", cause);
}

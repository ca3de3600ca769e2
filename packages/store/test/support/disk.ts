/**
 * A disk in the place of the system's.
 * @module
 */
import { once } from "node:events";
import type { FlushFile } from "../../src/sqlite/log-flush.ts";

/** A disk that flushes when it is told to. */
export class Disk {
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  readonly #asked = new EventTarget();
  /** How often it was asked to flush. */
  asked = 0;

  /** What it was asked to flush. */
  readonly descriptors: number[] = [];

  readonly flush: FlushFile = (descriptor) => {
    this.descriptors.push(descriptor);
    this.asked += 1;
    const flushing = Promise.withResolvers<void>();
    this.#waiting.push(flushing);
    this.#asked.dispatchEvent(new Event("asked"));
    return flushing.promise;
  };

  /** Resolves when it has been asked so often. */
  async wasAsked(times: number): Promise<void> {
    while (this.asked < times) await once(this.#asked, "asked");
  }

  /** Ends the flush that has waited longest. */
  done(): void {
    this.#waiting.shift()?.resolve();
  }

  fail(): void {
    this.#waiting.shift()?.reject(new Error("EIO: i/o error, fdatasync"));
  }
}

/**
 * Where the text of the log goes: a file descriptor, which may take nothing, such as that of a file on a full disk, or of a
 * pipe whose reader is slow or has gone. The service goes on all the same: what cannot be written is lost, and is told of.
 * @module
 */
import { write, writeSync } from "node:fs";
import type { TextWriter } from "./log-lines.ts";

/** How bytes get to a descriptor: the calls of `node:fs`. */
export interface DescriptorCalls {
  readonly write: (
    fd: number,
    bytes: Uint8Array,
    done: (error: NodeJS.ErrnoException | null, written: number) => void,
  ) => void;
  readonly writeSync: (fd: number, bytes: Uint8Array) => number;
}

/** What a destination is made of. */
export interface DestinationParts {
  readonly fd: number;
  /** Told in a sentence where lines begin to be lost, and where they are written again. */
  readonly tell: (sentence: string) => void;
  readonly calls?: DescriptorCalls;
}

/** Bytes that wait for a reader who is slow; what comes beyond is lost (16 MiB). */
const MOST_WAITING = 16_777_216;
/** Milliseconds until a pipe that was full is tried again. */
const BUSY_MS = 100;
/** How often it is tried at the end of the process. */
const LAST_TRIES = 10;
const LINE_END = 0x0a;

/** Writes text in its order, beside the work of the process. */
export class LogDestination implements TextWriter {
  readonly #fd: number;
  readonly #tell: DestinationParts["tell"];
  readonly #calls: DescriptorCalls;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  /** Whether the first that waits is being written. */
  #isWriting = false;
  /** The last byte that was written: where it ends no line, and what comes behind it is lost, the next begins a line. */
  #last = LINE_END;
  #isBehindLoss = false;
  /** Lines that were lost and not told of. */
  #lost = 0;

  constructor({ fd, tell, calls = { write, writeSync } }: DestinationParts) {
    this.#fd = fd;
    this.#tell = tell;
    this.#calls = calls;
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    if (this.#bytes + bytes.length > MOST_WAITING) {
      this.#lose(bytes, "whoever reads it is too slow");
      return;
    }
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (!this.#isWriting) this.#writeFirst();
  }

  /** Writes what waits, and the text behind it, before the process ends: by then nothing is written beside. */
  end(text: string): void {
    // What is being written is written to its end by the thread that does it.
    const waiting = this.#isWriting ? this.#waiting.slice(1) : this.#waiting;
    this.#waiting = [];
    const rest = Buffer.concat([...waiting, Buffer.from(text)]);
    for (let at = 0, tries = 0; at < rest.length && tries < LAST_TRIES;) {
      try {
        at += this.#calls.writeSync(this.#fd, rest.subarray(at));
      } catch (error) {
        if (!isBusy(error)) return;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      }
    }
  }

  #writeFirst(): void {
    const [first] = this.#waiting;
    this.#isWriting = first !== undefined;
    if (first === undefined) return;
    const isCut = this.#isBehindLoss && this.#last !== LINE_END;
    const bytes = isCut ? Buffer.concat([Uint8Array.of(LINE_END), first]) : first;
    this.#calls.write(this.#fd, bytes, (error, written) => {
      if (isBusy(error)) return this.#tryAgain();
      this.#waiting.shift();
      this.#bytes -= first.length;
      if (error === null) this.#taken(bytes, written);
      else {
        this.#isBehindLoss = true;
        this.#lose(first, error.message);
      }
      return this.#writeFirst();
    });
  }

  #tryAgain(): void {
    this.#isWriting = false;
    // Not kept running for it: the end of the process writes what waits.
    setTimeout(() => {
      if (!this.#isWriting) this.#writeFirst();
    }, BUSY_MS).unref();
  }

  #taken(bytes: Uint8Array, written: number): void {
    this.#last = bytes[written - 1] ?? this.#last;
    this.#isBehindLoss = false;
    if (written < bytes.length) {
      const rest = bytes.subarray(written);
      this.#waiting.unshift(rest);
      this.#bytes += rest.length;
      return;
    }
    if (this.#lost === 0) return;
    const lines = this.#lost === 1 ? "1 line was" : `${this.#lost} lines were`;
    this.#lost = 0;
    this.#tell(`The log is written again; ${lines} lost.`);
  }

  #lose(bytes: Uint8Array, why: string): void {
    if (this.#lost === 0) this.#tell(`The log cannot be written: ${why}. Lines are lost until it can.`);
    for (const byte of bytes) if (byte === LINE_END) this.#lost += 1;
  }
}

/** Whether a pipe is full for now. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EAGAIN" || error.code === "EBUSY");
}

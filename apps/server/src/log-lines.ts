/**
 * Where lines of the log go: those of a moment are written together, since each write wakes another thread, which costs a
 * request more than its line.
 * @module
 */

/** What writes text at once, such as `pino.destination`. */
export interface TextWriter {
  write(text: string): unknown;
}

/** Characters that are not held back any longer. */
const MOST = 65_536;
/** Milliseconds that a line waits for others: nobody who reads along notices. */
const HELD_MS = 10;

/** Gathers the lines of a moment. Whatever ends the process in between has to flush. */
export class LogLines {
  readonly #writer: TextWriter;
  #waiting = "";

  constructor(writer: TextWriter) {
    this.#writer = writer;
  }

  write(line: string): void {
    // Not kept running for it: whatever ends the process flushes.
    if (this.#waiting === "") setTimeout(() => this.flushSync(), HELD_MS).unref();
    this.#waiting += line;
    if (this.#waiting.length >= MOST) this.flushSync();
  }

  /** Writes what waits, by another writer where one is given; `pino` calls it behind a line of the level `fatal`. */
  flushSync(writer: TextWriter = this.#writer): void {
    const text = this.#waiting;
    if (text === "") return;
    this.#waiting = "";
    writer.write(text);
  }

  /** As `pino` asks for it where a logger is flushed. */
  flush(done?: () => void): void {
    this.flushSync();
    done?.();
  }
}

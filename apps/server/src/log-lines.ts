/**
 * Where lines of the log go: those of a moment are written together, since each write wakes another thread, which costs a
 * request more than its line.
 * @module
 */

/** What writes text at once, such as `pino.destination`. */
export interface TextWriter {
  write(text: string): unknown;
}

/** Bytes that are not held back any longer. */
const MOST = 65_536;
/** Bytes that a character of a string takes at most. */
const WIDEST = 3;
/** Milliseconds that a line waits for others: nobody who reads along notices. */
const HELD_MS = 10;

/** Gathers the lines of a moment. Whatever ends the process in between has to flush. */
export class LogLines {
  readonly #writer: TextWriter;
  /** As bytes: a line is made of dozens of strings, which the collector would have to carry along until it is written. */
  readonly #waiting = Buffer.allocUnsafe(MOST);
  #length = 0;

  constructor(writer: TextWriter) {
    this.#writer = writer;
  }

  write(line: string): void {
    const most = line.length * WIDEST;
    if (this.#length + most > MOST) this.flushSync();
    if (most > MOST) {
      this.#writer.write(line);
      return;
    }
    // Not kept running for it: whatever ends the process flushes.
    if (this.#length === 0) setTimeout(() => this.flushSync(), HELD_MS).unref();
    this.#length += this.#waiting.write(line, this.#length);
  }

  /** Writes what waits, by another writer where one is given; `pino` calls it behind a line of the level `fatal`. */
  flushSync(writer: TextWriter = this.#writer): void {
    if (this.#length === 0) return;
    const text = this.#waiting.toString("utf8", 0, this.#length);
    this.#length = 0;
    writer.write(text);
  }

  /** As `pino` asks for it where a logger is flushed. */
  flush(done?: () => void): void {
    this.flushSync();
    done?.();
  }
}

/**
 * Texts outside the memory of the program: the latest in a buffer, those before in a temporary file that has no name and
 * goes with the process.
 * @module
 */
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TemporaryFileError } from "./temporary-file-error.ts";

const BUFFER_BYTES = 1_048_576;

/** Closes the files of piles that nobody holds any more. */
const FILES = new FinalizationRegistry<number>((file) => closeSync(file));

/** Texts that are added one after another and read in any order. What takes less than 1 MiB touches no disk. */
export class TextPile {
  /** Where each text ends, in bytes from the beginning. */
  #ends = new Float64Array(256);
  #count = 0;
  #buffer = Buffer.allocUnsafe(4096);
  #buffered = 0;
  /** Bytes that are in the file; the buffer holds what follows. */
  #written = 0;
  #file: number | null = null;

  /**
   * Adds a text, and gives its number.
   * @throws {@link TemporaryFileError}
   */
  add(text: string): number {
    this.#makeRoom(Buffer.byteLength(text));
    this.#buffered += this.#buffer.write(text, this.#buffered);
    if (this.#count === this.#ends.length) {
      const more = new Float64Array(this.#count * 2);
      more.set(this.#ends);
      this.#ends = more;
    }
    this.#ends[this.#count] = this.#written + this.#buffered;
    this.#count += 1;
    return this.#count - 1;
  }

  /**
   * The text of a number.
   * @throws {@link TemporaryFileError}
   */
  text(number: number): string {
    const start = number === 0 ? 0 : this.#endOf(number - 1);
    const end = this.#endOf(number);
    const file = this.#file;
    if (start >= this.#written || file === null) {
      return this.#buffer.toString("utf8", start - this.#written, end - this.#written);
    }
    return inFile(() => readAt(file, start, end)).toString("utf8");
  }

  #endOf(number: number): number {
    const end = number < this.#count ? this.#ends[number] : undefined;
    if (end === undefined) throw new RangeError(`There is no text ${number}.`);
    return end;
  }

  #makeRoom(bytes: number): void {
    if (this.#buffered + bytes <= this.#buffer.length) return;
    if (this.#buffered + bytes > BUFFER_BYTES) inFile(() => this.#flush());
    const wanted = this.#buffered + bytes;
    if (wanted <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(wanted, Math.min(BUFFER_BYTES, this.#buffer.length * 4)));
    this.#buffer.copy(grown, 0, 0, this.#buffered);
    this.#buffer = grown;
  }

  #flush(): void {
    this.#file ??= this.#open();
    for (let at = 0; at < this.#buffered;)
      at += writeSync(this.#file, this.#buffer, at, this.#buffered - at, this.#written + at);
    this.#written += this.#buffered;
    this.#buffered = 0;
  }

  #open(): number {
    const path = join(tmpdir(), `scim-spill-${randomUUID()}`);
    const file = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    FILES.register(this, file);
    return file;
  }
}

function readAt(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  for (let at = 0; at < bytes.length;) {
    const read = readSync(file, bytes, { offset: at, position: start + at });
    if (read === 0) throw new RangeError("it was cut off");
    at += read;
  }
  return bytes;
}

function inFile<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new TemporaryFileError(cause);
  }
}

/**
 * The bytes of an answer, collected up to a bound.
 * @module
 */
import { TransportFailure } from "./port.ts";

const DECODER = new TextDecoder("utf-8", { fatal: true });
/** Of what is no success, the status counts: it may be a page of a proxy in any coding. */
const LENIENT = new TextDecoder("utf-8");

/** Chunks of a body. */
export class AnswerBytes {
  readonly #most: number;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  /** @param most greatest number of bytes */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Takes a chunk.
   * @throws {@link TransportFailure} `tooLarge`
   */
  add(chunk: Uint8Array): void {
    this.#length += chunk.byteLength;
    if (this.#length > this.#most) throw tooLarge(this.#most);
    this.#chunks.push(chunk);
  }

  /** All of it, in one piece. */
  whole(): Uint8Array {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const whole = new Uint8Array(this.#length);
    let offset = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, offset);
      offset += chunk.byteLength;
    }
    return whole;
  }
}

/** The failure of an answer of more bytes than allowed. */
export function tooLarge(most: number): TransportFailure {
  return new TransportFailure("tooLarge", `The answer has more than ${most} bytes.`);
}

/**
 * Reads the bytes of an answer as UTF-8.
 * @throws {@link TransportFailure} `unreadable` where a success is none
 */
export function decodeText(bytes: Uint8Array, status: number): string {
  try {
    return (isSuccess(status) ? DECODER : LENIENT).decode(bytes);
  } catch (error) {
    throw new TransportFailure("unreadable", "The answer is not UTF-8.", error);
  }
}

/** Whether a status tells that a request was done. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Reads request bodies up to a limit.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { HttpRequest } from "./message.ts";
import { headerOf } from "./message.ts";

/** How large a body may be. */
export interface BodyLimit {
  readonly bytes: number;
  /** Where ServiceProviderConfig advertises the limit, such as `bulk.maxPayloadSize`; null where it does not. */
  readonly advertised: string | null;
}

const EMPTY = new Uint8Array(0);

/** How many times the limit is read before the connection is given up. */
const PATIENCE = 16;

/**
 * The bytes of a body. One that states a greater length is refused unread; of a stream that turns out
 * longer, the rest is taken in and thrown away, so that the client reads the answer, up to sixteen times
 * the limit; then the connection is closed.
 * @throws ScimError `payloadTooLarge`
 */
export async function readBody(
  request: Pick<HttpRequest, "body" | "headers">,
  limit: BodyLimit,
): Promise<Uint8Array> {
  const pieces = new BodyPieces(request, limit);
  const held = await pieces.hold(limit.bytes);
  return held ?? EMPTY;
}

/** A body, piece by piece. */
export class BodyPieces {
  readonly #iterator: AsyncIterator<Uint8Array> | null;
  readonly #limit: BodyLimit;
  #held: Uint8Array[] = [];
  #length = 0;
  #isAtEnd = false;

  /** @throws ScimError `payloadTooLarge` where the body states a greater length, or is there and has one */
  constructor(request: Pick<HttpRequest, "body" | "headers">, limit: BodyLimit) {
    if (Number(headerOf(request, "content-length") ?? 0) > limit.bytes) throw tooLarge(limit);
    this.#limit = limit;
    // Not before: a runtime clears away what nobody has begun to read, and keeps the connection.
    const { body } = request;
    const isStream = body !== null && !(body instanceof Uint8Array);
    // No `for await`: leaving it early would destroy the stream, and with it the connection for the answer.
    this.#iterator = isStream ? body[Symbol.asyncIterator]() : null;
    if (isStream) return;
    this.#isAtEnd = true;
    if (body !== null) this.#add(body);
    if (this.#length > limit.bytes) throw tooLarge(limit);
  }

  /** Bytes that were read so far. */
  get length(): number {
    return this.#length;
  }

  /**
   * The whole body, where it has at most so many bytes; null where it has more: then it goes on with `next`.
   * @throws ScimError `payloadTooLarge` where it is beyond the limit
   */
  async hold(most: number): Promise<Uint8Array | null> {
    while (this.#length <= most && !this.#isAtEnd) await this.#readOn();
    if (this.#length > most && most < this.#limit.bytes) return null;
    if (this.#length > this.#limit.bytes) await this.#refuse();
    const whole = joined(this.#held);
    this.#held = [];
    return whole;
  }

  /**
   * The next bytes, or null at the end.
   * @throws ScimError `payloadTooLarge` where the body is beyond the limit
   */
  async next(): Promise<Uint8Array | null> {
    const held = this.#held.shift();
    if (held !== undefined) return held;
    if (this.#isAtEnd) return null;
    await this.#readOn();
    if (this.#length > this.#limit.bytes) await this.#refuse();
    return this.next();
  }

  async #readOn(): Promise<void> {
    const piece = await this.#iterator?.next();
    if (piece === undefined || piece.done === true) this.#isAtEnd = true;
    else this.#add(piece.value);
  }

  #add(piece: Uint8Array): void {
    this.#length += piece.length;
    if (piece.length > 0) this.#held.push(piece);
  }

  /** Takes the rest in, and throws it away. */
  async #refuse(): Promise<never> {
    while (!this.#isAtEnd) {
      this.#held = [];
      if (this.#length > this.#limit.bytes * PATIENCE) throw tooLarge(this.#limit, { connection: "close" });
      await this.#readOn();
    }
    throw tooLarge(this.#limit);
  }

  /** Takes what is left of a body that is refused, so that the client reads why: no more than the limit. */
  async drain(): Promise<void> {
    while (!this.#isAtEnd && this.#length <= this.#limit.bytes) {
      this.#held = [];
      await this.#readOn();
    }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first === undefined) return EMPTY;
  if (parts.length === 1) return first;
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function tooLarge(
  { bytes, advertised }: BodyLimit,
  headers: Readonly<Record<string, string>> = {},
): ScimError {
  const mebibytes = Number((bytes / 1_048_576).toPrecision(3));
  const limit = `${advertised === null ? "" : `${advertised}, `}${bytes} bytes (${mebibytes} MiB)`;
  return new ScimError("payloadTooLarge", `The body is larger than ${limit}; send it in smaller parts.`, {
    headers,
  });
}

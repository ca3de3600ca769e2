/**
 * Bodies that are made while they are sent, so that what is too long for memory can be answered.
 * @module
 */

/**
 * Text in pieces. Whoever sends it asks for a piece when the last one is on its way; what it is made of is let go when
 * it has been read to the end, when the iterator is left (`return`), or by `cancel`. Where it throws, the connection
 * must be cut, so that nobody takes what was sent for the whole.
 */
export interface BodyStream extends AsyncIterable<string> {
  /** Gives up what was not read. More than once does no harm. */
  cancel(): Promise<void>;
}

/** How a stream came to its end. */
export type StreamEnd =
  | { readonly kind: "sent" }
  /** The client went away, or nobody wanted the body. */
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly error: unknown };

/** What a body is made of. */
export interface StreamSource {
  readonly pieces: AsyncIterable<string>;
  /** Lets go of what the pieces are made of. */
  readonly close: () => Promise<void>;
  /** Milliseconds that a client may take to come back for more. */
  readonly patience: number;
}

/** Makes a body. */
export function createBodyStream(source: StreamSource): BodyStream {
  return new PacedStream(source);
}

/** The same body; `onEnd` is called once, when it has come to its end. */
export function watchStream(body: BodyStream, onEnd: (end: StreamEnd) => void): BodyStream {
  let ended = false;
  const end = (how: StreamEnd): void => {
    if (!ended) onEnd(how);
    ended = true;
  };
  const cancel = async (): Promise<void> => {
    await body.cancel();
    end({ kind: "cancelled" });
  };
  const iterator = body[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<string, undefined>> => {
    try {
      const piece = await iterator.next();
      if (piece.done !== true) return piece;
      end({ kind: "sent" });
    } catch (error) {
      end({ kind: "failed", error });
      throw error;
    }
    return DONE;
  };
  return { cancel, [Symbol.asyncIterator]: () => ({ next, return: () => cancel().then(() => DONE) }) };
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Ends by itself where the client does not come back: what it holds of the store must not be held for ever. */
class PacedStream implements BodyStream {
  readonly #source: StreamSource;
  readonly #pieces: AsyncIterator<string>;
  #timer: NodeJS.Timeout | undefined;
  #state: "open" | "ended" | "stalled" = "open";

  constructor(source: StreamSource) {
    this.#source = source;
    this.#pieces = source.pieces[Symbol.asyncIterator]();
    this.#wait();
  }

  [Symbol.asyncIterator](): AsyncIterator<string, undefined> {
    return { next: () => this.#next(), return: () => this.cancel().then(() => DONE) };
  }

  async cancel(): Promise<void> {
    await this.#end("ended");
  }

  async #next(): Promise<IteratorResult<string, undefined>> {
    clearTimeout(this.#timer);
    if (this.#state === "stalled") throw new Error("The client took too long to read a streamed answer");
    if (this.#state === "ended") return DONE;
    try {
      const piece = await this.#pieces.next();
      if (piece.done !== true) {
        this.#wait();
        return piece;
      }
    } catch (error) {
      await this.#end("ended");
      throw error;
    }
    await this.#end("ended");
    return DONE;
  }

  #wait(): void {
    if (this.#state !== "open") return;
    // Nobody waits for this end: what fails then must not end the process.
    const giveUp = (): void => void this.#end("stalled").catch(() => undefined);
    this.#timer = setTimeout(giveUp, this.#source.patience);
    this.#timer.unref();
  }

  async #end(state: "ended" | "stalled"): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#state !== "open") return;
    this.#state = state;
    await this.#source.close();
  }
}

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
  /** Aborts where the client takes too long. The connection must be cut then, whether it takes what is on its way or not. */
  readonly signal: AbortSignal;
  /** Gives up what was not read. More than once does no harm. */
  cancel(): Promise<void>;
}

/** How a stream came to its end. */
export type StreamEnd =
  | { readonly kind: "sent" }
  /** The client went away, or nobody wanted the body. */
  | { readonly kind: "cancelled" }
  /** The client took too long. */
  | { readonly kind: "late" }
  | { readonly kind: "failed"; readonly error: unknown };

/** How long what a body is made of is held for its client, in milliseconds. */
export interface StreamTimes {
  /** How long the client may take to come back for more. */
  readonly patience: number;
  /** How long it may take for the whole body. */
  readonly duration: number;
}

/** What a body is made of. */
export interface StreamSource extends StreamTimes {
  readonly pieces: AsyncIterable<string>;
  /** Lets go of what the pieces are made of. */
  readonly close: () => Promise<void>;
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
    try {
      await body.cancel();
    } finally {
      end({ kind: "cancelled" });
    }
  };
  const { signal } = body;
  signal.addEventListener("abort", () => end({ kind: "late" }), { once: true });
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
  return {
    signal,
    cancel,
    [Symbol.asyncIterator]: () => ({ next, return: () => cancel().then(() => DONE) }),
  };
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Ends by itself where the client does not come back, or comes for too long: what it holds of the store must not be held
 * for ever.
 */
class PacedStream implements BodyStream {
  readonly #source: StreamSource;
  readonly #pieces: AsyncIterator<string>;
  readonly #late = new AbortController();
  readonly #deadline: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #isOpen = true;

  constructor(source: StreamSource) {
    this.#source = source;
    this.#pieces = source.pieces[Symbol.asyncIterator]();
    this.#deadline = this.#giveUpAfter(source.duration);
    this.#timer = this.#giveUpAfter(source.patience);
  }

  get signal(): AbortSignal {
    return this.#late.signal;
  }

  [Symbol.asyncIterator](): AsyncIterator<string, undefined> {
    return { next: () => this.#next(), return: () => this.cancel().then(() => DONE) };
  }

  async cancel(): Promise<void> {
    await this.#end();
  }

  async #next(): Promise<IteratorResult<string, undefined>> {
    clearTimeout(this.#timer);
    this.signal.throwIfAborted();
    if (!this.#isOpen) return DONE;
    try {
      const piece = await this.#pieces.next();
      this.signal.throwIfAborted();
      if (piece.done !== true) {
        if (this.#isOpen) this.#timer = this.#giveUpAfter(this.#source.patience);
        return piece;
      }
    } catch (error) {
      await this.#end();
      // Whatever the pieces fail with once what they are made of is let go.
      this.signal.throwIfAborted();
      throw error;
    }
    await this.#end();
    return DONE;
  }

  #giveUpAfter(time: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      // Nobody waits for this end: what fails then must not end the process.
      void this.#end().catch(() => undefined);
      this.#late.abort(new Error("The client took too long to read a streamed answer"));
    }, time);
    // A number where there is no Node.js: there no process waits for it.
    return typeof timer === "object" ? timer.unref() : timer;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    clearTimeout(this.#deadline);
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#source.close();
  }
}

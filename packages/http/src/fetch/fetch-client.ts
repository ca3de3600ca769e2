/**
 * The client behind a `Request`: what it sends, and whether it is still there.
 * @module
 */
import { spentBody } from "../adapting/adapter-options.ts";
import type { HttpRequest } from "../message.ts";

/** Runtimes tell in one way or another that a client has gone; what reads its body, or sends the answer, knows it first. */
export class FetchClient {
  readonly #request: Request;
  readonly #gone = new AbortController();
  #signal: AbortSignal | undefined;

  constructor(request: Request) {
    this.#request = request;
  }

  /** Aborts when the client goes away. */
  get signal(): AbortSignal {
    return (this.#signal ??= AbortSignal.any([this.#request.signal, this.#gone.signal]));
  }

  /** The body; to be asked for once. */
  get body(): HttpRequest["body"] {
    const { bodyUsed, body } = this.#request;
    if (bodyUsed) return spentBody("hand the request on unread, or a clone of it");
    return body === null ? null : this.#pieces(body);
  }

  /** Notes that it has gone. Bound, so that it can be passed on. */
  readonly left = (reason: unknown): void => this.#gone.abort(reason);

  async *#pieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* body;
    } catch (error) {
      this.left(error);
      throw error;
    }
  }
}

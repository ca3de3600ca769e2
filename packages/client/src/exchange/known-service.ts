/**
 * Tells whether a service says itself that something is not there. Proxies say 404 while they know no way to it, in text, in
 * JSON of their own or without a word, and so do many services of what is not there: where what a service told before is not
 * there either, it was not reached.
 * @module
 */
import { isUnsigned, type Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import type { Attempt } from "./failures.ts";

/** What every service has (RFC 7644 §4). */
const CONFIG = "/ServiceProviderConfig";

/** What is known of a service that was reached. */
export class KnownService {
  readonly #send: (call: Call) => Promise<unknown>;
  /** Whether it has told what it can do. */
  #isKnown = false;

  /** @param send sends a request as any other, further attempts included */
  constructor(send: (call: Call) => Promise<unknown>) {
    this.#send = send;
  }

  /** Takes notice of an answer that is a success. */
  notice({ path }: Call, { body }: Answer): void {
    if (path === CONFIG && body !== null) this.#isKnown = true;
  }

  /** The attempt, and whether its answer is of something in front of the service. */
  async judged(call: Call, attempt: Attempt): Promise<Attempt> {
    if (!this.#isKnown || attempt.kind === "failure" || call.path === CONFIG || !isUnsigned(attempt.answer))
      return attempt;
    const { signal, timeout, headers = {} } = call;
    // Tags are those of the resource.
    const { "if-match": _match, "if-none-match": _none, ...others } = headers;
    const asked: Call = { method: "GET", path: CONFIG, repetition: "safe", headers: others, signal, timeout };
    const isReached = await this.#send(asked).then(
      () => true,
      () => false,
    );
    return isReached ? attempt : { ...attempt, isForeign: true };
  }
}

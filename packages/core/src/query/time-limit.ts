/**
 * Ends a query that takes too long.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { withSignal, type RequestContext } from "../context.ts";
import { callAfter } from "../time-limit.ts";

/**
 * Runs a query whose context ends what takes long: where the client goes away, or after a time that counts from when
 * the signal is first asked for. What goes on after the query, such as an answer that is sent in parts, ends with the
 * client alone.
 * @param milliseconds 1 or more
 * @throws ScimError `tooMany` where the time is over
 */
export async function withTimeLimit<Result>(
  context: RequestContext,
  milliseconds: number,
  run: (context: RequestContext) => Promise<Result>,
): Promise<Result> {
  const time = new LimitedTime(context, milliseconds);
  try {
    return await run(withSignal(context, () => time.signal()));
  } finally {
    time.end();
  }
}

/** The time of a query, which begins when it is asked for. */
class LimitedTime {
  readonly #context: RequestContext;
  readonly #milliseconds: number;
  #controller: AbortController | null = null;
  #timer: NodeJS.Timeout | null = null;
  #ended = false;

  constructor(context: RequestContext, milliseconds: number) {
    this.#context = context;
    this.#milliseconds = milliseconds;
  }

  signal(): AbortSignal | undefined {
    if (this.#controller !== null) return this.#controller.signal;
    const client = this.#context.signal;
    if (this.#ended || client?.aborted === true) return client;
    const controller = new AbortController();
    this.#controller = controller;
    this.#timer = callAfter(this.#milliseconds, () => controller.abort(tooLong(this.#milliseconds)));
    client?.addEventListener("abort", () => controller.abort(client.reason), { once: true });
    return controller.signal;
  }

  end(): void {
    this.#ended = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

function tooLong(milliseconds: number): ScimError {
  return new ScimError(
    "tooMany",
    `Going through the resources took longer than ${milliseconds / 1000} s: narrow the filter by an attribute that ` +
      "has an index ('eq' or 'sw' on it, joined by 'and'), sort by one, or page by 'cursor'.",
  );
}

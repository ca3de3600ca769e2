/**
 * When an answer is over: sent whole, or its client gone.
 * @module
 */
import type { ServerResponse } from "node:http";

/** What it takes to know. */
type Answer = Pick<ServerResponse, "destroyed" | "once" | "writableFinished">;

/** Calls once an answer is over; at once where it is over already. */
export function onceOver(response: Answer, over: () => void): void {
  // A client may go while it is looked up who it is: `close` has been told by then, and is not told again.
  if (response.destroyed) over();
  else response.once("close", over);
}

/** A signal that aborts when the client goes away before it has the whole answer. */
export function abortedWith(response: Answer): AbortSignal {
  const controller = new AbortController();
  onceOver(response, () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * When an answer is over: sent whole, or its client gone.
 * @module
 */
import type { ServerResponse } from "node:http";

/** What it takes to know: of `node:http2`, the stream alone says that it is destroyed, and that its client gave it up. */
interface Answer extends Pick<ServerResponse, "writableFinished"> {
  once(event: "close", listener: () => void): unknown;
  readonly destroyed?: boolean;
  readonly stream?: { readonly destroyed: boolean; readonly aborted: boolean };
}

/** Whether nothing can be sent any more. */
export function isClosed({ destroyed, stream }: Pick<Answer, "destroyed" | "stream">): boolean {
  return destroyed ?? stream?.destroyed ?? false;
}

/** Calls once an answer is over; at once where it is over already. */
export function onceOver(response: Answer, over: () => void): void {
  // A client may go while it is looked up who it is: `close` has been told by then, and is not told again.
  if (isClosed(response)) over();
  else response.once("close", over);
}

/** A signal that aborts when the client goes away before it has the whole answer. */
export function abortedWith(response: Answer): AbortSignal {
  const controller = new AbortController();
  onceOver(response, () => {
    if (!response.writableFinished || response.stream?.aborted === true) controller.abort();
  });
  return controller.signal;
}

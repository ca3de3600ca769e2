/**
 * When an answer is over: sent whole, or its client gone.
 * @module
 */
import type { FastifyReply } from "fastify";

/** Calls once an answer is over; at once where it is over already. */
export function onceOver({ raw }: FastifyReply, over: () => void): void {
  // A client may go while it is looked up who it is: `close` has been told by then, and is not told again.
  if (raw.destroyed) over();
  else raw.once("close", over);
}

/** A signal that aborts when the client goes away before it has the whole answer. */
export function abortedWith(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  onceOver(reply, () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * `@scim/http/node`: what the handler can do on Node.js, and SCIM for `node:http` and Express. This file is the whole public surface.
 * @module
 */
import type { LongBodyReader } from "../long-body/read-long-body.ts";
import { BodyThreads, type BodyThreadLimits } from "./body-threads.ts";
import { readWith } from "./read-long-body.ts";

export type { BodyThreadLimits };
export { abortedWith, onceOver } from "./answer-over.ts";
export { arrivedBody } from "./arrived-body.ts";
export type { NodeRequest, NodeResponse } from "./framework-request.ts";
export { inviteBodiesThatAreRead } from "./invited-body.ts";
export { createNodeHandler, type NodeHandler, type NodeHandlerOptions } from "./node-handler.ts";
export { readableOf } from "./send-answer.ts";
export { sendingTurn } from "./sending-turn.ts";
export { closeAfterUnreadBodies } from "./unread-body.ts";

/**
 * Makes a reader of bodies that are too long to be held in memory, for the option `longBodies` of a handler: each is
 * read on a thread of its own. Threads start when they are needed, and end when nobody needs them.
 *
 * @example
 * const handler = createScimHandler({ service, authenticate, longBodies: createBodyThreads() });
 * @throws TypeError in a bundle that the files of this package do not stand beside
 */
export function createBodyThreads(limits?: BodyThreadLimits): LongBodyReader {
  const threads = new BodyThreads(limits);
  return async (source) => {
    const thread = await threads.take(source.tenant, source.signal);
    try {
      return await readWith(thread, source);
    } finally {
      thread.release();
    }
  };
}

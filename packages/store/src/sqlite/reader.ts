/**
 * A reader thread as the thread of the requests sees it.
 * @module
 */
import { AskedThread } from "./asked-thread.ts";
import type { ReaderSettings, ThreadReply, ThreadRequest } from "./thread-messages.ts";

/** A thread with a connection of its own. */
export class Reader extends AskedThread<ThreadRequest, ThreadReply> {
  constructor(settings: ReaderSettings) {
    super({ program: "reader-thread", name: "scim-reader", settings });
  }
}

/**
 * Ids of requests: what a client quotes, and log, request log and audit trail know the request by.
 * @module
 */
import { randomBytes } from "node:crypto";

/** Makes ids: unlike over restarts and processes, and short. Ids of clients are not taken: they may be anything. */
export function requestIds(): () => string {
  const process = randomBytes(4).toString("hex");
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}

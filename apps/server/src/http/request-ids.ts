/**
 * Ids of requests: what a client quotes, and log, request log and audit trail know the request by.
 * @module
 */
import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";

/** Name of the header that tells a client the id of its request. */
export const REQUEST_ID_HEADER = "x-request-id";

/** Makes ids: unlike over restarts and processes, and short. Ids of clients are not taken: they may be anything. */
export function requestIds(): () => string {
  const process = randomBytes(4).toString("hex");
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}

/** Tells the id in every answer. */
export function addRequestIds(app: FastifyInstance): void {
  // A hook without a promise: it runs for every request.
  app.addHook("onRequest", ({ id }, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, id);
    done();
  });
}

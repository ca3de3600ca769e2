/**
 * Headers of every answer: the id of its request, and what keeps browsers from making of an answer what it is not
 * (OWASP Secure Headers).
 * @module
 */
import type { FastifyInstance } from "fastify";
import { refusalOfMessage } from "./plain-message.ts";

/** Name of the header that tells a client the id of its request. */
export const REQUEST_ID_HEADER = "x-request-id";

/** Answers are data: nothing in them is to be run, framed or guessed at. Pages state a policy of their own. */
export const SECURE_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  // What is answered to a token must not be kept for others (RFC 9111 §5.2.2.5).
  "cache-control": "no-store",
};

/** Adds the headers to every answer; one that states others has those. A request that is not plain is answered at once. */
export function addAnswerHeaders(app: FastifyInstance): void {
  // One hook, and without a promise: it runs for every request.
  app.addHook("onRequest", ({ id, raw }, reply, done) => {
    void reply.headers(SECURE_HEADERS).header(REQUEST_ID_HEADER, id);
    const refusal = refusalOfMessage(raw);
    if (refusal === null) return done();
    const { status, headers, body } = refusal;
    void reply
      .code(status)
      .headers({ ...headers, connection: "close" })
      .send(body);
  });
}

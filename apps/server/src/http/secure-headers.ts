/**
 * Headers that keep browsers from making of an answer what it is not (OWASP Secure Headers).
 * @module
 */
import type { FastifyInstance } from "fastify";

/** Answers are data: nothing in them is to be run, framed or guessed at. Pages state a policy of their own. */
export const SECURE_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  // What is answered to a token must not be kept for others (RFC 9111 §5.2.2.5).
  "cache-control": "no-store",
};

const NAMES = Object.entries(SECURE_HEADERS);

/** Adds the headers to every answer that does not state them itself. */
export function addSecureHeaders(app: FastifyInstance): void {
  // A hook without a promise: it runs for every answer.
  app.addHook("onSend", (_request, reply, _payload, done) => {
    for (const [name, value] of NAMES) if (!reply.hasHeader(name)) void reply.header(name, value);
    done();
  });
}

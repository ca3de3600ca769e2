/**
 * Answers that go on for as long as their client likes: they end with the right to them, as everything that is revoked is
 * refused within a second.
 * @module
 */
import { onceOver } from "@scim/http/node";
import type { FastifyReply, FastifyRequest } from "fastify";

const admissions = new WeakMap<FastifyRequest, () => Promise<void>>();

/** Notes how a request is admitted. */
export function noteAdmission(request: FastifyRequest, admit: () => Promise<void>): void {
  admissions.set(request, admit);
}

/**
 * Aborts where the client of an answer is gone, or may not ask for it any more: its token ended or was revoked, or its
 * role or tenant is another.
 * @param interval milliseconds between two looks
 */
export function endOfAdmission(request: FastifyRequest, reply: FastifyReply, interval: number): AbortSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  const look = (): void => void admissions.get(request)?.().catch(end);
  // Beside what is sent: a client that has much to take would otherwise be let in until it has all of it.
  const timer = setInterval(look, interval).unref();
  onceOver(reply.raw, () => {
    clearInterval(timer);
    end();
  });
  return controller.signal;
}

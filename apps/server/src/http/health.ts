/**
 * `/healthz`: whether the process answers, so that one that hangs is started again. `/readyz`: whether it is to be sent
 * requests: not while it stops, and not while its database does not answer, lacks migrations or tables, or takes no writes.
 * @module
 */
import { isScimError, ScimError } from "@scim/schemas";
import type { FastifyInstance } from "fastify";
import { inTime } from "../in-time.ts";

/** Milliseconds that the database has to answer: less than those who ask are used to wait. */
const PATIENCE_MS = 3000;

/** Looks at a database that does not answer which may wait at once: each holds a session that requests need. */
const MOST_WAITING = 2;

/** Milliseconds for which an answer of the database stands: however many ask, it has little to do. */
const STANDS_FOR_MS = 1000;

/** What is not ready may be asked again when the database is looked at anew (RFC 9110 §15.6.4). */
const RETRY_AFTER = { "retry-after": String(STANDS_FOR_MS / 1000) };

/** What readiness depends on. */
export interface Readiness {
  /** Rejects where the store does not answer, lacks migrations or takes no writes; with a ScimError, its reason is told. */
  readonly check: () => Promise<void>;
  /** Whether the server has been told to stop. */
  readonly isStopping: () => boolean;
}

/** Adds both addresses to an application. */
export function addHealthRoutes(app: FastifyInstance, { check, isStopping }: Readiness): void {
  const checked = standing(check);
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    if (isStopping()) return reply.code(503).headers(RETRY_AFTER).send({ status: "stopping" });
    try {
      await inTime(checked(), { most: PATIENCE_MS, late: refuseLate });
      return { status: "ok" };
    } catch (error) {
      request.log.error({ err: error }, "the store cannot be used");
      const reason = isScimError(error) ? { reason: error.message } : {};
      return reply
        .code(503)
        .headers(RETRY_AFTER)
        .send({ status: "unavailable", ...reason });
    }
  });
}

/**
 * Tells clients with each answer of a server that stops that its connection ends: whoever keeps one sends the next request
 * elsewhere, and not into a connection that is being closed, where nobody knows what became of it.
 */
export function closeWhileStopping(
  app: FastifyInstance,
  { isStopping }: Pick<Readiness, "isStopping">,
): void {
  // oxlint-disable-next-line max-params -- the form of a hook without a promise, since it runs for every request
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (isStopping()) void reply.header("connection", "close");
    done(null, payload);
  });
}

/** A check whose outcome stands for a while; all who ask while it is under way wait for the same one. */
function standing(check: () => Promise<void>): () => Promise<void> {
  let outcome: Promise<void> | null = null;
  let end = 0;
  let waiting = 0;
  return () => {
    if (outcome !== null && (performance.now() < end || waiting === MOST_WAITING)) return outcome;
    const begun = check();
    outcome = begun;
    waiting += 1;
    end = performance.now() + PATIENCE_MS;
    const stand = (): void => {
      waiting -= 1;
      if (outcome === begun) end = performance.now() + STANDS_FOR_MS;
    };
    begun.then(stand, stand);
    return begun;
  };
}

function refuseLate(): never {
  throw new ScimError("unavailable", "The database does not answer in time.");
}

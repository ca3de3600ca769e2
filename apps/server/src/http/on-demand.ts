/**
 * Part of the addresses of a server by an application of its own, which is made when the first request comes: most servers
 * start without being administered, and a start waits for each route.
 * @module
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { OnFirstUse } from "../on-first-use.ts";

/**
 * Serves what is below a prefix, at which the application itself must have no route.
 * @param make makes the application that does; its routes have the prefix
 */
export function serveOnDemand(
  app: FastifyInstance,
  prefix: string,
  make: () => Promise<FastifyInstance>,
): void {
  const made = new OnFirstUse(async () => {
    const other = await make();
    await other.ready();
    return other;
  });

  async function hand(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const other = await made.get();
    reply.hijack();
    other.routing(request.raw, reply.raw);
  }

  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404 || !isBelow(prefix, request.url)) return done();
    hand(request, reply).catch((error: unknown) => void reply.send(error));
  });
  app.addHook("preClose", async () => {
    await (await made.found())?.close();
  });
}

/** The scheme and the host of an address in absolute form. */
const ORIGIN = /^https?:\/\/[^/?]*/iu;

/** Whether an address, which can be decoded, is at a prefix or below it. */
function isBelow(prefix: string, url: string): boolean {
  const [path = ""] = url.replace(ORIGIN, "").split("?", 1);
  const decoded = decodeURI(path);
  return decoded === prefix || decoded.startsWith(`${prefix}/`);
}

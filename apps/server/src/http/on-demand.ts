/**
 * Part of the addresses of a server by an application of its own, which is made when the first request comes: most servers
 * start without being administered, and a start waits for each route.
 * @module
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * Serves what is below a prefix, at which the application itself must have no route.
 * @param make makes the application that does; its routes have the prefix
 */
export function serveOnDemand(
  app: FastifyInstance,
  prefix: string,
  make: () => Promise<FastifyInstance>,
): void {
  let made: Promise<FastifyInstance> | null = null;

  async function ready(): Promise<FastifyInstance> {
    const other = await make();
    await other.ready();
    return other;
  }

  async function hand(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const other = await (made ??= ready());
    reply.hijack();
    other.routing(request.raw, reply.raw);
  }

  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404 || !isBelow(prefix, request.url)) return done();
    hand(request, reply).catch((error: unknown) => {
      made = null;
      void reply.send(error);
    });
  });
  app.addHook("preClose", async () => {
    await (await made)?.close();
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

/** The clock of the server itself says when something moves next: that its client has been idle. */
import { once } from "node:events";
import { Readable } from "node:stream";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { clientLimits, limitConnections } from "../../src/http/client-limits.ts";

const IDLE = {
  "client.headersTimeout": 20_000,
  "client.requestTimeout": 20_000,
  "client.idleTimeout": 50,
  "client.keepAliveTimeout": 20_000,
  "client.maxConnections": 10,
};

test("a client that has taken what was made of its answer waits for the rest, however long that is not there", async () => {
  const app = Fastify(clientLimits(IDLE));
  onTestFinished(() => app.close());
  limitConnections(app, IDLE);
  async function* pieces(): AsyncGenerator<string, void, undefined> {
    yield "one, ";
    await once(app.server, "timeout");
    yield "two";
  }
  app.get("/", (_request, reply) => reply.send(Readable.from(pieces(), { objectMode: false })));
  const answer = await fetch(await app.listen({ host: "127.0.0.1", port: 0 }));
  expect(await answer.text()).toBe("one, two");
});

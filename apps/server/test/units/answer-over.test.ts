import { once } from "node:events";
import { connect } from "node:net";
import { abortedWith } from "@scim/http/node";
import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { endOfAdmission, noteAdmission } from "../../src/admin/admission.ts";

/** What a route finds whose client went while the route was on its way to it. */
async function afterItsClient<Found>(
  find: (request: FastifyRequest, reply: FastifyReply) => Found,
): Promise<Found> {
  const app = fastify();
  onTestFinished(() => app.close());
  const found = Promise.withResolvers<Found>();
  app.get("/", async (request, reply) => {
    client.destroy();
    await once(reply.raw, "close");
    found.resolve(find(request, reply));
    return "";
  });
  const { port, hostname } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const client = connect(Number(port), hostname);
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return found.promise;
}

test("work for a client that went before it began is told so", async () => {
  const signal = await afterItsClient((_, reply) => abortedWith(reply.raw));
  expect(signal.aborted).toBe(true);
});

test("whether a client may still have its answer is asked no more once it is gone", async () => {
  const signal = await afterItsClient((request, reply) => {
    noteAdmission(request, async () => undefined);
    return endOfAdmission(request, reply, 1);
  });
  expect(signal.aborted).toBe(true);
});

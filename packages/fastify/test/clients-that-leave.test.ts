import { once } from "node:events";
import { connect as connectHttp2, constants, createServer as createHttp2Server } from "node:http2";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { HttpRequest, ScimHandler } from "@scim/http";
import { createNodeHandler } from "@scim/http/node";
import Fastify from "fastify";
import { describe, expect, onTestFinished, test } from "vitest";
import { scimPlugin } from "../src/index.ts";
import { ADAPTER_NAMES, type AdapterName, listen } from "./adapters.ts";

/** What a handler is given of a client that sends this. */
interface Reached {
  readonly request: HttpRequest;
  readonly client: Socket;
  /** When the server knows that the client has gone. */
  readonly gone: Promise<void>;
}

function closed(connection: Socket): Promise<void> {
  return new Promise((resolve) => connection.once("close", () => resolve()));
}

async function reach(adapter: AdapterName, text: string): Promise<Reached> {
  const reached = Promise.withResolvers<HttpRequest>();
  const finished = Promise.withResolvers<void>();
  const handler: ScimHandler = {
    handle: async (request) => {
      reached.resolve(request);
      await finished.promise;
      return { status: 204, headers: {}, body: null };
    },
  };
  const server = await listen(adapter, handler);
  onTestFinished(() => finished.resolve());
  const accepted = once(server, "connection");
  // It listens on a port.
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.write(text);
  const [connection] = (await accepted) as [Socket];
  return { request: await reached.promise, client, gone: closed(connection) };
}

const GET = "GET /scim/v2/Users HTTP/1.1\r\nHost: x\r\n\r\n";
const POST = "POST /scim/v2/Users HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{ \r\n";

describe.each(ADAPTER_NAMES)("a client of %s that goes away", (adapter) => {
  test("aborts the signal", async () => {
    const { request, client } = await reach(adapter, GET);
    expect(request.signal?.aborted).toBe(false);
    client.destroy();
    await expect.poll(() => request.signal?.aborted).toBe(true);
  });

  test("is known to have gone when the signal is asked for late", async () => {
    const { request, client, gone } = await reach(adapter, GET);
    client.destroy();
    await gone;
    await expect.poll(() => request.signal?.aborted).toBe(true);
  });

  test("while it sends fails the reading: nobody takes what came for the whole", async () => {
    const { request, client } = await reach(adapter, POST);
    if (request.body === null || request.body instanceof Uint8Array) throw new TypeError("No stream");
    const pieces = request.body[Symbol.asyncIterator]();
    expect(Buffer.from((await pieces.next()).value ?? "").toString()).toBe("{ ");
    client.destroy();
    await expect(pieces.next()).rejects.toBeInstanceOf(Error);
  });
});

test.each(ADAPTER_NAMES)("a request that %s has answered never aborts", async (adapter) => {
  const asked = Promise.withResolvers<AbortSignal | undefined>();
  const handler: ScimHandler = {
    handle: async (request) => {
      asked.resolve(request.signal);
      return { status: 204, headers: {}, body: null };
    },
  };
  const server = await listen(adapter, handler);
  const accepted = once(server, "connection");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.write(GET);
  const [connection] = (await accepted) as [Socket];
  await once(client, "data");
  client.destroy();
  await closed(connection);
  expect((await asked.promise)?.aborted).toBe(false);
});

test("a client of HTTP/2 that gives a request up aborts its signal, and goes on with others", async () => {
  const reached = Promise.withResolvers<HttpRequest>();
  const finished = Promise.withResolvers<void>();
  onTestFinished(() => finished.resolve());
  const handler: ScimHandler = {
    handle: async (request) => {
      if (request.target === "/Users/late") {
        reached.resolve(request);
        await finished.promise;
      }
      return { status: 200, headers: {}, body: request.baseUrl };
    },
  };
  const app = Fastify({ http2: true });
  await app.register(scimPlugin, { prefix: "/scim/v2", handler });
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  const client = connectHttp2(origin);
  onTestFinished(async () => {
    client.destroy();
    await app.close();
  });
  const late = client.request({ ":path": "/scim/v2/Users/late" });
  const { signal } = await reached.promise;
  expect(signal?.aborted).toBe(false);
  late.close(constants.NGHTTP2_CANCEL);
  await expect.poll(() => signal?.aborted).toBe(true);
  const other = client.request({ ":path": "/scim/v2/Users" });
  expect((await other.toArray()).join("")).toBe(`${origin}/scim/v2`);
});

/** Listens for HTTP/2 until the test is finished; answers the origin. */
const HTTP2: Readonly<Record<"fastify" | "node", (handler: ScimHandler) => Promise<string>>> = {
  fastify: async (handler) => {
    const app = Fastify({ http2: true });
    await app.register(scimPlugin, { prefix: "/scim/v2", handler });
    onTestFinished(() => app.close());
    return app.listen({ host: "127.0.0.1", port: 0 });
  },
  node: async (handler) => {
    const server = createHttp2Server(createNodeHandler(handler, { prefix: "/scim/v2" }));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    // It listens on a port.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};

test.each(["fastify", "node"] as const)(
  "a client of HTTP/2 by %s that has sent JSON as if whole, and not its end, fails the reading when it gives up",
  async (name) => {
    const reached = Promise.withResolvers<HttpRequest>();
    const finished = Promise.withResolvers<void>();
    const origin = await HTTP2[name]({
      handle: async (request) => {
        reached.resolve(request);
        await finished.promise;
        return { status: 204, headers: {}, body: null };
      },
    });
    const client = connectHttp2(origin);
    onTestFinished(() => {
      finished.resolve();
      client.destroy();
    });
    const sending = client.request({ ":path": "/scim/v2/Users", ":method": "POST" }, { endStream: false });
    sending.once("error", () => undefined);
    sending.write("{}");
    const { body, signal } = await reached.promise;
    expect(signal?.aborted).toBe(false);
    if (body === null || body instanceof Uint8Array) throw new TypeError("No stream");
    const pieces = body[Symbol.asyncIterator]();
    expect(Buffer.from((await pieces.next()).value ?? "").toString()).toBe("{}");
    // `close` would send the end of the body before it gives up.
    sending.destroy(new Error("The client has gone"));
    await expect(pieces.next()).rejects.toBeInstanceOf(Error);
    await expect.poll(() => signal?.aborted).toBe(true);
  },
);

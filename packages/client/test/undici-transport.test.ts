import { createServer } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo } from "node:net";
import { createScimClient, createUndiciTransport, type UndiciTransportOptions } from "@scim/client";
import { Agent, buildConnector, MockAgent, type Dispatcher } from "undici";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aUser } from "./support/scripted.ts";
import { aService, listen, serve, TOKEN } from "./support/service.ts";

function clientOf(baseUrl: string, options: UndiciTransportOptions) {
  const transport = createUndiciTransport(options);
  onTestFinished(() => transport.close());
  return createScimClient({ baseUrl, auth: TOKEN, transport, retries: { attempts: 1 } });
}

describe("connections", () => {
  test("are as many as they may be, and are used again", async () => {
    const sockets = new Set<unknown>();
    const baseUrl = await listen((request, response) => {
      sockets.add(request.socket);
      setImmediate(() => response.end(JSON.stringify(aUser())));
    });
    const client = clientOf(baseUrl, { connections: 2 });
    await Promise.all(Array.from({ length: 20 }, () => client.users.get("1", { fresh: true })));
    expect(sockets.size).toBe(2);
  });

  test("go through a proxy, also by the environment", async () => {
    const targets: string[] = [];
    const proxy = createServer();
    proxy.on("connect", (request, socket) => {
      targets.push(request.url ?? "");
      const [host = "", port] = (request.url ?? "").split(":");
      const through = connect(Number(port), host, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        through.pipe(socket).pipe(through);
      });
      for (const each of [through, socket]) each.on("error", () => undefined);
    });
    proxy.on("request", (request, response) => {
      targets.push(new URL(request.url ?? "").host);
      response.end(JSON.stringify(aUser()));
    });
    await new Promise<void>((resolve) => {
      proxy.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const baseUrl = await serve(aService());
    const { host } = new URL(baseUrl);
    expect(await clientOf(baseUrl, { proxy: address }).users.exists("1")).toBeTypeOf("boolean");
    vi.stubEnv("http_proxy", address);
    vi.stubEnv("no_proxy", "");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await clientOf(baseUrl, { proxy: "environment" }).users.exists("1")).toBeTypeOf("boolean");
    expect(targets).toEqual([host, host]);
  });

  test.each([undefined, "a proxy", "environment"])(
    "speak HTTP/1.1 over TLS, so that a request which is given up ends its own: by %s",
    async (way) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const server = createTcpServer((socket) => {
        socket.on("error", () => undefined);
        socket.on("data", (data: Buffer) => {
          const text = data.toString("latin1");
          if (text.startsWith("CONNECT ")) return void socket.write("HTTP/1.1 200 OK\r\n\r\n");
          resolve(text);
          return void socket.destroy();
        });
      });
      await new Promise<void>((listening) => {
        server.listen(0, "127.0.0.1", listening);
      });
      onTestFinished(() => void server.close());
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      vi.stubEnv("https_proxy", `http://${host}`);
      vi.stubEnv("no_proxy", "");
      onTestFinished(() => void vi.unstubAllEnvs());
      const proxy = way === "a proxy" ? `http://${host}` : way;
      const client = clientOf(`https://${host}/scim/v2`, proxy === undefined ? {} : { proxy });
      await client.users.get("1").catch(() => undefined);
      // What may be spoken stands in the clear, each behind its length (RFC 7301 §3.1).
      const offered = await promise;
      expect([offered.includes("\x08http/1.1"), offered.includes("\x02h2")]).toEqual([true, false]);
    },
  );

  test("are those of a dispatcher of one's own, which stays open", async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    const pool = agent.get("https://id.example");
    pool.intercept({ path: "/scim/v2/Users/1" }).reply(200, aUser());
    const close = vi.spyOn(agent, "close");
    const transport = createUndiciTransport({ dispatcher: agent });
    const client = createScimClient({ baseUrl: "https://id.example/scim/v2", auth: "t", transport });
    expect(await client.users.get("1")).toMatchObject({ userName: "bjensen" });
    await transport.close();
    await client.close();
    expect(close).not.toHaveBeenCalled();
  });

  test("are closed once, however often", async () => {
    const baseUrl = await listen((_request, response) => void response.end(JSON.stringify(aUser())));
    const client = createScimClient({ baseUrl, auth: TOKEN });
    await client.users.get("1");
    await client.close();
    await expect(client[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });

  test("are made for nothing that is sent behind the end of a client, and it says so at once", async () => {
    const served = vi.fn<() => void>();
    const client = createScimClient({ baseUrl: await listen(served), auth: TOKEN });
    await client.close();
    await expect(client.users.get("1")).rejects.toMatchObject({ code: "closed" });
    expect(served).not.toHaveBeenCalled();
  });

  test("are refused where no dispatcher makes them, before anything is sent", () => {
    // As a program without types may give it, and Bun in the place of undici's.
    const lacking = {} as Dispatcher;
    expect(() => createUndiciTransport({ dispatcher: lacking })).toThrow(
      expect.objectContaining({ code: "invalidOption", message: expect.stringContaining("'dispatcher'") }),
    );
  });

  test("that are no more than begun can be given up", async () => {
    const client = clientOf(await listen(() => undefined), {});
    const controller = new AbortController();
    const reading = client.users.get("1", { signal: controller.signal }).catch((error: unknown) => error);
    setTimeout(() => controller.abort(), 20);
    expect(await reading).toMatchObject({ code: "aborted", request: { attempts: 1 } });
  });

  test("that do not come about in time carry nothing, also when they come about later", async () => {
    const methods: (string | undefined)[] = [];
    const baseUrl = await listen((request, response) => {
      methods.push(request.method);
      response.end(JSON.stringify(aUser()));
    });
    const connector = buildConnector({});
    const held: (() => void)[] = [];
    let isHeld = true;
    const agent = new Agent({
      connections: 1,
      connect: (options, callback) => {
        const open = (): void => connector(options, callback);
        if (isHeld) held.push(open);
        else open();
      },
    });
    onTestFinished(() => agent.destroy());
    const client = clientOf(baseUrl, { dispatcher: agent });
    const change = client.users.patch("1", [{ op: "add", path: "title", value: "x" }], { timeout: 20 });
    await expect(change).rejects.toMatchObject({ name: "ConnectionError", code: "timeout" });
    isHeld = false;
    for (const open of held) open();
    expect(await client.users.get("1")).toMatchObject({ id: "1" });
    expect(methods).toEqual(["GET"]);
  });
});

/** Raw connections: what proxies send into one is not what clients of HTTP would. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createScimHandler } from "../../src/index.ts";
import { closeAfterUnreadBodies, createNodeHandler, inviteBodiesThatAreRead } from "../../src/node/index.ts";
import { FakeService, principalOf } from "../fake-service.ts";

const BODY = '{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"bjensen"}';
const MIB = 1024 ** 2;

interface Dialled {
  readonly socket: Socket;
  readonly text: () => string;
}

async function dialled(listener: RequestListener): Promise<Dialled> {
  const dial = await listening(listener);
  return dial();
}

/** Listens until the test is finished; answers what opens a connection. */
async function listening(listener: RequestListener): Promise<() => Dialled> {
  const server = createServer(listener);
  inviteBodiesThatAreRead(server);
  closeAfterUnreadBodies(server);
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  // It listens on a port. The client goes on sending after it has seen the end, as proxies do.
  const { port } = server.address() as AddressInfo;
  return () => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    let text = "";
    socket.setEncoding("utf8").on("data", (part) => (text += String(part)));
    return { socket, text: () => text };
  };
}

const scim = (): RequestListener =>
  createNodeHandler(
    createScimHandler({ service: new FakeService(), authenticate: async (token) => principalOf(token) }),
  );

const post = (...headers: readonly string[]): string =>
  ["POST /Users HTTP/1.1", "Host: x", "Content-Type: application/json", ...headers, "", ""].join("\r\n");
const GET = "GET /ServiceProviderConfig HTTP/1.1\r\nHost: x\r\n\r\n";

const OF_8_MIB = `Content-Length: ${8 * MIB}`;

test.each([
  ["of a client without a token", [OF_8_MIB], 401],
  ["that is too long", ["Authorization: Bearer token:scim", OF_8_MIB], 413],
  ["in chunks, of a client without a token", ["Transfer-Encoding: chunked"], 401],
  ["that was not invited", ["Authorization: Bearer token:scim", OF_8_MIB, "Expect: 100-continue"], 413],
])("a body %s is answered at once, with the end of the connection", async (_, headers, status) => {
  const { socket, text } = await dialled(scim());
  socket.write(post(...headers));
  await once(socket, "end");
  expect(text()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(text()).toMatch(/^Connection: close\r$/m);
});

test("what comes into such a connection is no request, and resets nothing before all of the body has come", async () => {
  const { socket, text } = await dialled(scim());
  socket.write(post(OF_8_MIB));
  await once(socket, "end");
  const failures: unknown[] = [];
  socket.on("error", (error) => failures.push(error));
  for (let sent = 0; sent < 8; sent++)
    await new Promise((resolve) => void socket.write(Buffer.alloc(MIB, GET), resolve));
  expect(failures).toEqual([]);
  await once(socket.end(), "close");
  expect(text().match(/HTTP\/1.1 \d/g)).toHaveLength(1);
});

test("a body that has come leaves the connection to the next request", async () => {
  const { socket, text } = await dialled(scim());
  socket.write(post("Authorization: Bearer token:scim", `Content-Length: ${BODY.length}`) + BODY);
  await expect.poll(text).toMatch(/^HTTP\/1.1 201 /);
  socket.write(post(`Content-Length: ${BODY.length}`) + BODY);
  await expect.poll(text).toMatch(/HTTP\/1.1 401 /);
  socket.write(GET);
  await expect.poll(() => text().match(/HTTP\/1.1 \d/g)).toHaveLength(3);
  expect(text()).not.toMatch(/^Connection: close/m);
});

test("bodies that have come leave their connections, however many are refused in one turn of the event loop", async () => {
  const dial = await listening(scim());
  const clients = Array.from({ length: 100 }, dial);
  for (const { socket } of clients) socket.write(GET);
  for (const { text } of clients) await expect.poll(text).toMatch(/^HTTP\/1.1 401 /);
  for (const { socket } of clients)
    socket.write(`${post("Authorization: Bearer token:scim", "Content-Length: 1")}{`);
  for (const { text } of clients) await expect.poll(text).toMatch(/HTTP\/1.1 400 /);
  expect(clients.filter(({ text }) => /^Connection: close/m.test(text()))).toEqual([]);
});

test.each<readonly [string, readonly string[], readonly string[], "bytes" | "stream"]>([
  ["with its headers", [`Content-Length: ${BODY.length}`], [BODY], "bytes"],
  ["in parts", [`Content-Length: ${BODY.length}`], [BODY.slice(0, 9), BODY.slice(9)], "stream"],
  ["with more of the same connection", [`Content-Length: ${BODY.length}`], [BODY + GET], "bytes"],
  ["in chunks", ["Transfer-Encoding: chunked"], [`4f\r\n${BODY}\r\n0\r\n\r\n`], "stream"],
  ["uninvited", [`Content-Length: ${BODY.length}`, "Expect: 100-continue"], [BODY], "bytes"],
])("a body that came %s is read whole", async (_, headers, parts, as) => {
  const read: string[] = [];
  const listener = createNodeHandler({
    handle: async (request) => {
      await Promise.resolve();
      if (request.method === "GET") return { status: 204, headers: {}, body: null };
      read.push(request.body instanceof Uint8Array ? "bytes" : "stream");
      const pieces: Uint8Array[] = [];
      if (request.body instanceof Uint8Array) pieces.push(request.body);
      else for await (const piece of request.body ?? []) pieces.push(piece);
      read.push(Buffer.concat(pieces).toString());
      return { status: 201, headers: {}, body: "{}" };
    },
  });
  const { socket, text } = await dialled(listener);
  const [first = "", ...others] = parts;
  socket.write(post(...headers) + first);
  for (const part of others) {
    await expect.poll(() => read).toEqual([as]);
    socket.write(part);
  }
  await expect.poll(text).toMatch(/HTTP\/1.1 201 /);
  expect(read).toEqual([as, BODY]);
  expect(text()).not.toMatch(/^Connection: close/m);
});

/** A connection on which nobody answers any more, be it that the network lost it, must not hold up what is sent behind it. */
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createSender, type Sender } from "../../src/delivery/sender.ts";

function sending(timeout: number): Sender {
  const sender = createSender({ allowed: { privateAddresses: true, plainHttp: true }, timeout });
  onTestFinished(() => sender.close());
  return sender;
}

/** Listens on a port until the test is over; answers what each connection is in the order in which they came. */
async function listening(server: Server): Promise<{ readonly host: string; readonly sockets: Socket[] }> {
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A server that listens on a port has an address with one.
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

test("an attempt that is not answered in time ends its connection, and the next makes another", async () => {
  const arrived: number[] = [];
  const server = createHttpServer((request, response) => {
    request.resume().on("end", () => {
      arrived.push(sockets.indexOf(request.socket));
      if (arrived.length !== 2) response.writeHead(204).end();
    });
  });
  const { host, sockets } = await listening(server);
  const sender = sending(500);
  const kinds = [];
  for (let sent = 0; sent < 3; sent += 1)
    kinds.push((await sender.send({ url: `http://${host}/hook`, headers: {}, body: "{}" })).kind);
  expect(kinds).toEqual(["answered", "failed", "answered"]);
  expect(arrived[2]).not.toBe(arrived[1]);
});

test("over TLS HTTP/1.1 alone is offered, of which this holds", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const server = createServer((socket) => {
    socket.once("data", (hello: Buffer) => {
      resolve(hello.toString("latin1"));
      socket.destroy();
    });
  });
  const { host } = await listening(server);
  await sending(5000).send({ url: `https://${host}/hook`, headers: {}, body: "{}" });
  // What may be spoken stands in the clear, each behind its length (RFC 7301 §3.1).
  const offered = await promise;
  expect([offered.includes("\x08http/1.1"), offered.includes("\x02h2")]).toEqual([true, false]);
});

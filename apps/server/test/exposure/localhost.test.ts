import dns from "node:dns";
import { once } from "node:events";
import { connect } from "node:net";
import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { startInProcess } from "../over-http/in-process.ts";

const BOTH = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

test("localhost is one address, whatever else the machine calls so: each that listens has the bounds and the end of all", async () => {
  const resolve = dns.lookup;
  const asked = (host: string, options: dns.LookupOptions, callback: (...found: unknown[]) => void): void => {
    if (host !== "localhost") resolve(host, options, callback);
    else if (options.all === true) callback(null, BOTH);
    else callback(null, "127.0.0.1", 4);
  };
  // As machines do that speak both. Of its forms, the one with options and callback is called.
  const lookup = vi.spyOn(dns, "lookup").mockImplementation(asked as typeof dns.lookup);
  onTestFinished(() => lookup.mockRestore());
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const server = await startInProcess(
    { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_HOST: "localhost", SCIM_PORT: "0" },
    log,
  );
  const { port } = new URL(server.origin);
  const told = lines.flatMap(
    (line) => /listening at (?<address>[^"]*)/.exec(line)?.groups?.["address"] ?? [],
  );
  expect(told).toEqual([`http://127.0.0.1:${port}`]);
  // Whoever keeps a connection holds up no stop.
  const socket = connect(Number(port), "127.0.0.1");
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  await server.stop();
  await once(socket, "close");
});

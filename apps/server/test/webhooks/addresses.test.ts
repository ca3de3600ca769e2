import type { LookupAddress } from "node:dns";
import { faultOfUrl, isPublicAddress } from "@scim/events";
import { expect, test } from "vitest";
import { AddressRefused, guardedLookup } from "../../src/delivery/guarded-lookup.ts";
import { createSender } from "../../src/delivery/sender.ts";
import { startReceiver } from "./receiver.ts";

const STRICT = { privateAddresses: false, plainHttp: false };

test.each([
  ["93.184.215.14", true],
  ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", true],
  ["127.0.0.1", false],
  ["0.0.0.0", false],
  ["10.1.2.3", false],
  ["172.16.0.1", false],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["192.0.2.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["::7f00:1", false],
  ["4000::1", false],
  ["::ffff:93.184.215.14", true],
  ["64:ff9b::7f00:1", false],
  ["fe80::1", false],
  ["fc00::1", false],
  ["fd12:3456::1", false],
  ["2002:7f00:1::", false],
  ["2001:db8::1", false],
  ["ff02::1", false],
  ["localhost", false],
])("%s is an address of the public internet: %s", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

test.each([
  "https://127.0.0.1/",
  "https://2130706433/",
  "https://0x7f.1/",
  "https://127.1/",
  "https://[::1]/",
  "https://[::ffff:a9fe:a9fe]/",
  "https://[::127.0.0.1]/",
  "https://169.254.169.254/latest/meta-data",
])("%s is refused as the address of a receiver, and where it is called", async (url) => {
  expect(faultOfUrl(url, STRICT)).toMatch(/private network/);
  const sender = createSender({ allowed: STRICT, timeout: 1000 });
  expect(await sender.send({ url, headers: {}, body: "" })).toMatchObject({
    kind: "failed",
    problem: expect.stringContaining("private network"),
  });
  await sender.close();
});

test("a receiver at an http: address is called only while the settings allow it", async () => {
  const receiver = await startReceiver();
  const sent = { url: receiver.url, headers: {}, body: "{}" };
  const sender = createSender({ allowed: { privateAddresses: true, plainHttp: false }, timeout: 2000 });
  expect(await sender.send(sent)).toEqual({
    kind: "failed",
    problem: expect.stringContaining("http:"),
  });
  expect(receiver.arrived).toEqual([]);
  await sender.close();
});

test.each([
  ["https://localhost/", true],
  ["https://LOCALHOST.:8443/hook", true],
  ["https://hooks.localhost/", true],
  ["https://localhost.example.com/", false],
  ["https://notlocalhost/", false],
])("what is known of the name in %s is told when it is given", (url, isRefused) => {
  expect(faultOfUrl(url, STRICT)).toEqual(isRefused ? expect.stringMatching(/private network/) : null);
  expect(faultOfUrl(url, { ...STRICT, privateAddresses: true })).toBeNull();
});

test.each([
  ["http://hooks.example.com/", "must begin with https:", ", unless the service allows http: (my.http)"],
  ["https://10.0.0.1/", "must not lead to a private network", ", unless the service allows it (my.networks)"],
])("what would allow %s is named by whoever knows it", (url, fault, unless) => {
  const liftedBy = { plainHttp: "my.http", privateAddresses: "my.networks" };
  expect(faultOfUrl(url, STRICT)).toBe(fault);
  expect(faultOfUrl(url, STRICT, liftedBy)).toBe(`${fault}${unless}`);
});

test.each([
  ["https://hooks.example.com/", null],
  ["https://ann@hooks.example.com/", "must not hold a user name or password"],
  ["https://:secret@hooks.example.com/", "must not hold a user name or password"],
  ["https://hooks.example.com/#part", "must not hold a fragment"],
  [`https://hooks.example.com/${"x".repeat(2022)}`, null],
  [`https://hooks.example.com/${"x".repeat(2023)}`, "must be an absolute address of at most 2048 characters"],
])("what is wrong with the address %s: %s", (url, fault) => {
  expect(faultOfUrl(url, STRICT)).toBe(fault);
});

function looked(addresses: readonly string[], all: boolean, allowed = STRICT): Promise<unknown> {
  const found: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(":") ? 6 : 4,
  }));
  let asked = 0;
  const lookup = guardedLookup({
    allowed,
    find: (_name, done) => {
      asked += 1;
      done(null, asked === 1 ? found : [{ address: "127.0.0.1", family: 4 }]);
    },
  });
  return new Promise((resolve) => {
    lookup("hooks.example.com", { all }, (error, ...rest) => resolve(error ?? rest));
  });
}

test("a name is looked up once, and the connection goes to what was checked", async () => {
  const [first, second] = ["93.184.215.14", "93.184.215.15"];
  expect(await looked([first, second], false)).toEqual([first, 4]);
  expect(await looked(["10.0.0.1", first, "::1"], true)).toEqual([[{ address: first, family: 4 }]]);
  expect(await looked(["10.0.0.1", "::1"], true)).toBeInstanceOf(AddressRefused);
  expect(await looked([], false)).toBeInstanceOf(AddressRefused);
  expect(await looked(["10.0.0.1"], false, { ...STRICT, privateAddresses: true })).toEqual(["10.0.0.1", 4]);
});

test("a name that leads to this machine is not called", async () => {
  const receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  const sender = createSender({ allowed: { ...STRICT, plainHttp: true }, timeout: 2000 });
  const outcome = await sender.send({ url: `http://localhost:${port}/`, headers: {}, body: "{}" });
  expect(outcome).toMatchObject({ kind: "failed", problem: expect.stringContaining("private network") });
  expect(receiver.arrived).toEqual([]);
  await sender.close();
});

test.each([
  ["a body without end", "x".repeat(100_000)],
  ["a body that stops half-way", "half"],
])("an answer counts by its status, with %s", async (_name, text) => {
  const receiver = await startReceiver((_request, response) => {
    response.writeHead(429, { "retry-after": "30" });
    response.write(text);
  });
  const sender = createSender({ allowed: { privateAddresses: true, plainHttp: true }, timeout: 500 });
  const outcome = await sender.send({ url: receiver.url, headers: {}, body: "{}" });
  expect(outcome).toEqual({ kind: "answered", status: 429, retryAfter: 30, body: text.slice(0, 65_536) });
  await sender.close();
});

test.each([
  ["Fri, 31 Dec 9999 23:59:59 GMT", expect.closeTo((Date.UTC(9999, 11, 31) - Date.now()) / 1000, -6)],
  ["Wed, 21 Oct 1998 07:28:00 GMT", 0],
  ["soon", null],
  ["9".repeat(400), null],
])("Retry-After may be a date: %s", async (header, retryAfter) => {
  const receiver = await startReceiver((_request, response) => {
    response.writeHead(503, { "retry-after": header }).end();
  });
  const sender = createSender({ allowed: { privateAddresses: true, plainHttp: true }, timeout: 2000 });
  const outcome = await sender.send({ url: receiver.url, headers: {}, body: "{}" });
  expect(outcome).toEqual({ kind: "answered", status: 503, retryAfter, body: "" });
  await sender.close();
});

test("what cannot be reached, or is no HTTP, is told by its code alone", async () => {
  const receiver = await startReceiver((_request, response) => {
    response.socket?.end("\u0000 no HTTP\r\n\r\n");
  });
  const sender = createSender({ allowed: { privateAddresses: true, plainHttp: true }, timeout: 2000 });
  const send = (url: string) => sender.send({ url, headers: {}, body: "{}" });
  expect(await send("http://127.0.0.1:1/")).toEqual({
    kind: "failed",
    problem: "The receiver cannot be reached (ECONNREFUSED).",
  });
  expect(await send(receiver.url)).toEqual({ kind: "failed", problem: "The receiver cannot be reached." });
  await sender.close();
});

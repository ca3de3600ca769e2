import { createSocket } from "node:dgram";
import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { addressFinder, type FindOptions } from "../../src/delivery/find-addresses.ts";
import { newFolder } from "../command-line/program.ts";

const [ANSWERED, NAME_UNKNOWN] = [0x8180, 0x8183];
const TYPES = { 1: "A", 28: "AAAA" } as const;

/** What a name server has: by name and type, addresses as bytes; null: it does not answer. */
type Zone = Readonly<
  Record<string, Readonly<Partial<Record<"A" | "AAAA", readonly number[] | null>>> | null>
>;

/** A name server of this machine, which notes the types that it is asked for. Resolves to its address. */
async function nameServer(zone: Zone, asked: string[] = []): Promise<string> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString("latin1", at + 1, at + 1 + length));
      at += length + 1;
    }
    const known = zone[labels.join(".").toLowerCase()];
    if (known === null) return;
    const type = TYPES[query.readUInt16BE(at + 1) as keyof typeof TYPES];
    asked.push(type);
    if (known?.[type] === null) return;
    const data = Buffer.from(known?.[type] ?? []);
    const head = Buffer.alloc(12);
    head.writeUInt16BE(query.readUInt16BE(0), 0);
    head.writeUInt16BE(known === undefined ? NAME_UNKNOWN : ANSWERED, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(data.length === 0 ? 0 : 1, 6);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(query.readUInt16BE(at + 1), 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    const answer = [head, query.subarray(12, at + 5), ...(data.length === 0 ? [] : [record, data])];
    socket.send(Buffer.concat(answer), port, address);
  });
  await new Promise<void>((resolve) => void socket.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

async function hostsFile(text: string): Promise<string> {
  const file = join(newFolder(), "hosts");
  await writeFile(file, text);
  return file;
}

/** Finds by a name server. The file of hosts has nothing, and the system knows nobody, where none are given. */
function finder(server: string, of: FindOptions = {}) {
  const find = addressFinder({ servers: [server], hosts: "/nowhere", system: nobody, ...of });
  return (name: string): Promise<readonly string[]> =>
    new Promise((resolve, reject) => {
      find(name, (error, addresses) => {
        if (error === null) resolve(addresses.map(({ address, family }) => `${family} ${address}`));
        else reject(error);
      });
    });
}

function nobody(_name: string, done: (error: Error, addresses: readonly LookupAddress[]) => void): void {
  done(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }), []);
}

/** The code by which it is not found. */
async function codeOf(finding: Promise<unknown>): Promise<unknown> {
  const error = await finding.then(() => null).catch((thrown: unknown) => thrown);
  return error instanceof Error && "code" in error ? error.code : null;
}

const FOUR = [93, 184, 215, 14];
const SIX = [0x26, 0x06, 0x28, 0, ...Array.from({ length: 11 }, () => 0), 1];
const HANGING = Array.from({ length: 20 }, (_, at) => `hanging${at}.example`);

test("names whose name servers do not answer hold up no other, and take no thread of the process", async () => {
  const zone = Object.fromEntries(HANGING.map((name) => [name, null]));
  const server = await nameServer({ ...zone, "good.example": { A: FOUR } });
  const outcomes = HANGING.map((name) => codeOf(finder(server, { timeout: 100 })(name)));
  expect(await finder(server)("good.example")).toEqual(["4 93.184.215.14"]);
  expect((await lookup("localhost")).family).toBeGreaterThan(0);
  expect(await Promise.all(outcomes)).toEqual(HANGING.map(() => "EAI_AGAIN"));
});

test.each<[silent: "A" | "AAAA", zone: Zone[string], found: string]>([
  ["AAAA", { A: FOUR, AAAA: null }, "4 93.184.215.14"],
  ["A", { A: null, AAAA: SIX }, "6 2606:2800::1"],
])(
  "a name server that keeps silent when it is asked for %s is not asked again where it told others",
  async (silent, zone, found) => {
    const asked: string[] = [];
    const find = finder(await nameServer({ "half.example": zone }, asked), { timeout: 60_000 });
    expect(await find("half.example")).toEqual([found]);
    expect(asked.filter((type) => type === silent)).toEqual([silent]);
  },
);

test.each([
  ["both.example", ["4 93.184.215.14", "6 2606:2800::1"]],
  ["FOUR.example", ["4 93.184.215.14"]],
  ["six.example", ["6 2606:2800::1"]],
  ["listed.example", ["4 192.0.2.7", "6 2001:db8::7"]],
  ["Also.listed.example.", ["4 192.0.2.7"]],
  ["gone.example", "ENOTFOUND"],
  [`${"x".repeat(64)}.example`, "EBADNAME"],
])("%s leads to %j", async (name, expected) => {
  const hosts = await hostsFile(
    "# 192.0.2.1 four.example\n192.0.2.7\tlisted.example  also.listed.EXAMPLE # x\r\n\n2001:db8::7 listed.example\n",
  );
  const zone: Zone = {
    "both.example": { A: FOUR, AAAA: SIX },
    "four.example": { A: FOUR },
    "six.example": { AAAA: SIX },
    "listed.example": { A: FOUR },
  };
  const find = finder(await nameServer(zone), { hosts });
  expect(await (typeof expected === "string" ? codeOf(find(name)) : find(name))).toEqual(expected);
});

test("what no name server knows the system is asked for, one name at a time, and one time for who asks meanwhile", async () => {
  const asked: string[] = [];
  const { promise: isAsked, resolve: begin } = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  const find = finder(await nameServer({}), {
    system: (name, done) => {
      asked.push(name);
      most = Math.max(most, (running += 1));
      begin();
      setImmediate(() => {
        running -= 1;
        done(null, [{ address: "10.0.0.7", family: 4 }]);
      });
    },
  });
  const found = Promise.all(["receiver", "other", "receiver"].map(find));
  await isAsked;
  expect(await found).toEqual(Array.from({ length: 3 }, () => ["4 10.0.0.7"]));
  expect([most, asked.filter((name) => name === "other")]).toEqual([1, ["other"]]);
});

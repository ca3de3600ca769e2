import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { connect, type AddressInfo, type Socket } from "node:net";
import { getPriority, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import workerThreads from "node:worker_threads";
import { createScimService, type LongBody, PROFILES, type RequestContext } from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { createDefaultRegistry } from "@scim/schemas";
import { build } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEFAULT_HTTP_LIMITS, type LongBodySource, type ReadLongBody } from "../../src/index.ts";
import { createBodyThreads } from "../../src/node/index.ts";

const CONTEXT: RequestContext = {
  tenant: "default",
  connection: "default",
  subject: null,
  profile: PROFILES.tolerant,
  baseUrl: "https://id.example/scim/v2",
  signal: undefined,
  onSwitch: () => undefined,
};

async function openLong(): Promise<LongBody> {
  const service = createScimService({
    registry: createDefaultRegistry(),
    store: createMemoryStore(),
    sources: { now: () => 0, newId: () => "1", newNonce: () => "n", digest: (text) => text },
  });
  const long = await service.longBody(CONTEXT, "Group")?.();
  if (long === undefined) throw new TypeError("Groups have no long bodies");
  return long;
}

/** A body that comes when the test says so. */
class Coming {
  readonly #pieces: (Uint8Array | null)[] = [];
  #asked: PromiseWithResolvers<void> | null = null;
  asked = 0;

  send(text: string | null): void {
    this.#pieces.push(text === null ? null : new TextEncoder().encode(text));
    this.#asked?.resolve();
  }

  next = async (): Promise<Uint8Array | null> => {
    this.asked += 1;
    while (this.#pieces.length === 0) {
      this.#asked = Promise.withResolvers();
      await this.#asked.promise;
    }
    return this.#pieces.shift() ?? null;
  };
}

interface Asking {
  readonly tenant?: string;
  readonly signal?: AbortSignal;
}

type Read = (body: Coming, asking?: Asking) => Promise<ReadLongBody>;

function readerOf(limits: Parameters<typeof createBodyThreads>[0]): Read {
  const read = createBodyThreads(limits);
  return async (body, { tenant = "default", signal } = {}) => {
    const source: LongBodySource = {
      tenant,
      open: openLong,
      next: body.next,
      limits: DEFAULT_HTTP_LIMITS,
      signal,
    };
    return read(source);
  };
}

const WHOLE = '{"displayName":"x","members":[{"value":"a"},{"value":"a","display":"A"}]}';

/** What runs in this process. */
const tasks = (): readonly string[] => readdirSync("/proc/self/task");

describe("long bodies on threads", () => {
  test.runIf(process.platform === "linux")(
    "one stands back from its process, however far that does",
    async () => {
      const own = getPriority();
      setPriority(own + 1);
      const before = new Set(tasks());
      const body = new Coming();
      const reading = readerOf({})(body);
      const priorities = (): readonly number[] =>
        tasks().flatMap((task) => (before.has(task) ? [] : [getPriority(Number(task))]));
      await expect.poll(priorities).toContain(own + 11);
      body.send(WHOLE);
      body.send(null);
      await reading;
    },
  );

  test("the rest comes back with an empty list, and what was found in it", async () => {
    const body = new Coming();
    const reading = readerOf({})(body);
    for (const character of WHOLE) body.send(character);
    body.send(null);
    const read = await reading;
    expect(read.body).toEqual({ displayName: "x", members: [] });
    expect([...read.staged.lists.values()]).toEqual([
      expect.objectContaining({ count: 2, unreadable: null }),
    ]);
    const target = { type: "Group", id: "none", path: "members" };
    expect(await read.staged.stage.compare(target, (held) => held.rest)).toEqual({
      kind: "short",
      delta: { path: "members", remove: [], add: [{ value: "a", rest: { display: "A" } }] },
    });
  });

  test("so many are read at once, so many wait, and more are told to come again", async () => {
    const read = readerOf({ most: 1, waiting: 1 });
    const [first, second, third] = [new Coming(), new Coming(), new Coming()];
    const reading = read(first);
    await expect.poll(() => first.asked).toBe(1);
    const waiting = read(second);
    await expect(read(third)).rejects.toMatchObject({ code: "unavailable", headers: { "retry-after": "5" } });
    expect([second.asked, third.asked]).toEqual([0, 0]);
    for (const body of [first, second]) {
      body.send(WHOLE);
      body.send(null);
    }
    expect((await reading).body).toEqual((await waiting).body);
  });

  test("one whose turn does not come in time is told to come again", async () => {
    const read = readerOf({ most: 1, patience: 20 });
    const [first, second] = [new Coming(), new Coming()];
    const reading = read(first);
    await expect.poll(() => first.asked).toBe(1);
    await expect(read(second)).rejects.toMatchObject({
      code: "unavailable",
      headers: { "retry-after": "5" },
    });
    expect(second.asked).toBe(0);
    first.send(WHOLE);
    first.send(null);
    await reading;
  });

  test("a client that goes away makes room for the next", async () => {
    const read = readerOf({ most: 1, waiting: 1 });
    const [first, second, third] = [new Coming(), new Coming(), new Coming()];
    const reading = read(first);
    await expect.poll(() => first.asked).toBe(1);
    const leaving = new AbortController();
    const left = read(second, { signal: leaving.signal });
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    const waiting = read(third);
    for (const body of [first, third]) {
      body.send(WHOLE);
      body.send(null);
    }
    await Promise.all([reading, waiting]);
  });

  test("a body that breaks off leaves its thread to the next", async () => {
    const read = readerOf({ most: 1 });
    const broken = new Coming();
    broken.send('{"members":[{"value":"a"');
    broken.next = async () => {
      throw new Error("connection reset");
    };
    await expect(read(broken)).rejects.toThrow("connection reset");
    const whole = new Coming();
    whole.send(WHOLE);
    whole.send(null);
    expect((await read(whole)).body).toEqual({ displayName: "x", members: [] });
  });

  test("a thread that the system does not give leaves its turn to the next body", async () => {
    const read = readerOf({ most: 1, patience: 20 });
    const { Worker } = workerThreads;
    const lacking = function (): never {
      throw new Error("ERR_WORKER_INIT_FAILED: EAGAIN");
    };
    Object.assign(workerThreads, { Worker: lacking });
    syncBuiltinESMExports();
    await expect(read(new Coming())).rejects.toMatchObject({
      code: "unavailable",
      headers: { "retry-after": "1" },
    });
    Object.assign(workerThreads, { Worker });
    syncBuiltinESMExports();
    const body = new Coming();
    body.send(WHOLE);
    body.send(null);
    await expect(read(body)).resolves.toHaveProperty("body");
  });

  test("tenants have their turns, and one holds half of the places to wait at most", async () => {
    const read = readerOf({ most: 1, waiting: 4 });
    const order: string[] = [];
    const bodies: Coming[] = [];
    const send = async (tenant: string): Promise<void> => {
      const body = new Coming();
      bodies.push(body);
      await read(body, { tenant });
      order.push(tenant);
    };
    const sent = ["busy", "busy", "busy"].map(send);
    await expect(send("busy")).rejects.toMatchObject({ code: "unavailable" });
    sent.push(send("other"));
    for (const body of bodies) {
      body.send(WHOLE);
      body.send(null);
    }
    await Promise.all(sent);
    expect(order).toEqual(["busy", "other", "busy", "busy"]);
  });

  test("a tenant whose clients send slowly leaves a thread to others", async () => {
    const read = readerOf({ most: 2 });
    const slow = [new Coming(), new Coming()];
    const held = slow.map((body) => read(body, { tenant: "slow" }));
    const other = new Coming();
    other.send(WHOLE);
    other.send(null);
    await expect(read(other, { tenant: "other" })).resolves.toHaveProperty("body");
    for (const body of slow) {
      body.send(WHOLE);
      body.send(null);
    }
    await Promise.all(held);
  });

  test("no place is opened for what clients sent that went away while they waited", async () => {
    const served = await serve({ most: 1 });
    const first = await served.send('{"members":[');
    await expect.poll(() => served.opened()).toBe(1);
    for (let client = 0; client < 4; client += 1) {
      const gone = await served.send(`{"members":[{"value":"${"a".repeat(131_072)}`);
      gone.destroy();
      await once(gone, "close");
    }
    const last = await served.send(WHOLE, "\r\n0\r\n\r\n");
    await expect.poll(() => served.requests()).toBe(6);
    first.write(chunk("]}", "\r\n0\r\n\r\n"));
    expect(await answerOf(first)).toContain("200 OK");
    expect(await answerOf(last)).toContain("200 OK");
    expect(served.opened()).toBe(2);
  });
});

interface Served {
  /** Begins a request, and sends some of its body; `end` stands behind it. */
  send(text: string, end?: string): Promise<Socket>;
  readonly requests: () => number;
  /** For how many of them a place was opened. */
  readonly opened: () => number;
}

/** A server on a socket that reads long bodies. */
async function serve(limits: Parameters<typeof createBodyThreads>[0]): Promise<Served> {
  const read = createBodyThreads(limits);
  let requests = 0;
  let opened = 0;
  const server: Server = createServer((request, response) => {
    requests += 1;
    const gone = new AbortController();
    response.once("close", () => gone.abort(new Error("gone")));
    const open = (): Promise<LongBody> => {
      opened += 1;
      return openLong();
    };
    const source = { tenant: "default", open, next: piecesOf(request), limits: DEFAULT_HTTP_LIMITS };
    read({ ...source, signal: gone.signal }).then(
      () => response.end(),
      () => response.destroy(),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  const { port } = server.address() as AddressInfo;
  return {
    send: async (text, end = "\r\n") => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      const head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
      await new Promise((resolve) => socket.write(head + chunk(text, end), resolve));
      return socket;
    },
    requests: () => requests,
    opened: () => opened,
  };
}

function piecesOf(request: IncomingMessage): () => Promise<Uint8Array | null> {
  const pieces: AsyncIterator<Uint8Array> = request[Symbol.asyncIterator]();
  return async () => {
    const piece = await pieces.next();
    return piece.done === true ? null : piece.value;
  };
}

/** Text as a chunk of a body. */
function chunk(text: string, end: string): string {
  return `${text.length.toString(16)}\r\n${text}${end}`;
}

async function answerOf(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, "data")) as [Buffer];
  return bytes.toString();
}

test.each(["esm", "cjs"] as const)(
  "a bundle in %s, which has no files for threads, is told so at once",
  async (format) => {
    const program = `import { createBodyThreads, createNodeHandler } from "@scim/http/node";
    try { createBodyThreads(); } catch (error) { globalThis.told = [error.name, error.message, typeof createNodeHandler]; }`;
    const result = await build({
      stdin: { contents: program, resolveDir: import.meta.dirname, loader: "js" },
      bundle: true,
      write: false,
      format,
      platform: "node",
      conditions: ["@scim/source"],
      logLevel: "silent",
    });
    const folder = mkdtempSync(join(tmpdir(), "scim-bundle-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, format === "esm" ? "bundle.mjs" : "bundle.cjs");
    writeFileSync(file, result.outputFiles[0]?.text ?? "");
    await import(pathToFileURL(file).href);
    expect(Reflect.get(globalThis, "told")).toEqual([
      "TypeError",
      expect.stringContaining("a bundler must leave the package beside the bundle"),
      "function",
    ]);
    Reflect.deleteProperty(globalThis, "told");
  },
);

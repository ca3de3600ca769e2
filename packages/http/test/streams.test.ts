import { setTimeout as delay } from "node:timers/promises";
import type { AnswerStream, StreamedCollection } from "@scim/core";
import type { JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import {
  createScimHandler,
  type BodyStream,
  type HttpLimits,
  type HttpResponse,
  type RequestRecord,
} from "../src/index.ts";
import { FakeService, principalOf } from "./fake-service.ts";

/** Values in batches, which may break off; notes how many were asked for. */
class Batches implements StreamedCollection {
  asked = 0;
  readonly keys: readonly string[];
  readonly #batches: readonly (readonly JsonValue[] | Error)[];

  constructor(keys: readonly string[], batches: readonly (readonly JsonValue[] | Error)[]) {
    this.keys = keys;
    this.#batches = batches;
  }

  get batches(): AsyncIterable<readonly JsonValue[]> {
    const batches = this.#batches;
    const note = (): void => void (this.asked += 1);
    async function* all(): AsyncGenerator<readonly JsonValue[], void, undefined> {
      for (const batch of batches) {
        note();
        if (batch instanceof Error) throw batch;
        yield batch;
      }
    }
    return all();
  }
}

class Open implements AnswerStream {
  closed = 0;
  readonly collections: readonly (readonly StreamedCollection[])[];

  constructor(...collections: readonly (readonly StreamedCollection[])[]) {
    this.collections = collections;
  }

  async close(): Promise<void> {
    this.closed += 1;
  }
}

interface Asked {
  readonly response: HttpResponse;
  readonly records: readonly RequestRecord[];
}

/** How a request is made, and how long its client may take. */
interface Asking extends Partial<Pick<HttpLimits, "streamPatience" | "streamDuration">> {
  readonly method?: string;
}

async function ask(stream: AnswerStream, { method = "GET", ...times }: Asking = {}): Promise<Asked> {
  const service = new FakeService();
  const records: RequestRecord[] = [];
  const { read, list } = service;
  service.read = async (context, request) => ({ ...(await read(context, request)), stream });
  service.list = async (context, request) => ({ ...(await list(context, request)), stream });
  const handler = createScimHandler({
    service,
    authenticate: async (token) => principalOf(token),
    limits: times,
    onRequestDone: (record) => void records.push(record),
  });
  const response = await handler.handle({
    method,
    target: stream.collections.length === 1 ? "/Groups/2819c223" : "/Groups",
    headers: { authorization: "Bearer token:scim" },
    body: null,
    baseUrl: "https://id.example/scim/v2",
    tenant: null,
    signal: undefined,
    id: "request-1",
  });
  return { response, records };
}

function streamOf({ body }: HttpResponse): BodyStream {
  if (body === null || typeof body === "string") throw new TypeError("The answer is no stream");
  return body;
}

async function textOf(response: HttpResponse): Promise<string> {
  let text = "";
  for await (const piece of streamOf(response)) text += piece;
  return text;
}

const RESOURCE = { id: "2819c223", userName: "bjensen", nickName: "Jürgen" };

describe("an answer with long collections", () => {
  test.each<readonly [string, readonly StreamedCollection[], object]>([
    ["one", [new Batches(["members"], [[1, 2], [], [{ value: "é" }]])], { members: [1, 2, { value: "é" }] }],
    ["several", [new Batches(["a"], [[1]]), new Batches(["b"], [[2]])], { a: [1], b: [2] }],
    ["without values", [new Batches(["a"], [[]]), new Batches(["b"], [[2]])], { b: [2] }],
    [
      "in extensions",
      [
        new Batches(["urn:x", "a"], [[1]]),
        new Batches(["members"], [[3]]),
        new Batches(["urn:x", "b"], [[2]]),
      ],
      { members: [3], "urn:x": { a: [1], b: [2] } },
    ],
    [
      "in extensions that have no values",
      [new Batches(["urn:x", "a"], [[]]), new Batches(["members"], [[3]]), new Batches(["urn:y", "b"], [])],
      { members: [3] },
    ],
    ["in what is there", [new Batches(["userName", "a"], [[1]])], { userName: { a: [1] } }],
  ])("holds them: %s", async (_, collections, expected) => {
    const open = new Open(collections);
    const { response } = await ask(open);
    expect(response.headers).toMatchObject({ etag: 'W/"v1"', location: expect.any(String) });
    expect(JSON.parse(await textOf(response))).toEqual({ ...RESOURCE, ...expected });
    expect(open.closed).toBe(1);
  });

  test("of a page, each in its resource", async () => {
    const open = new Open([new Batches(["members"], [[1]])], []);
    const { response } = await ask(open);
    expect(JSON.parse(await textOf(response))).toMatchObject({
      totalResults: 12,
      itemsPerPage: 2,
      Resources: [{ id: "1", members: [1] }, { id: "2" }],
    });
    expect(open.closed).toBe(1);
  });

  test("to HEAD has neither body nor length, and reads nothing", async () => {
    const members = new Batches(["members"], [[1]]);
    const open = new Open([members]);
    const { response, records } = await ask(open, { method: "HEAD" });
    expect(response.body).toBeNull();
    expect(response.headers).not.toHaveProperty("content-length");
    expect([members.asked, open.closed, records.length]).toEqual([0, 1, 1]);
  });

  test("is read batch by batch, as it is taken; the log is told at the end", async () => {
    const members = new Batches(["members"], [[1], [2], [3]]);
    const { response, records } = await ask(new Open([members]));
    const pieces = streamOf(response)[Symbol.asyncIterator]();
    await pieces.next();
    expect(members.asked).toBe(0);
    await pieces.next();
    expect([members.asked, records.length]).toEqual([1, 0]);
    while ((await pieces.next()).done !== true);
    expect(members.asked).toBe(3);
    expect(records).toEqual([expect.objectContaining({ status: 200, errorCode: null, aborted: false })]);
  });

  test("lets go of what it reads from when the client goes away", async () => {
    const members = new Batches(["members"], [[1], [2], [3]]);
    const open = new Open([members]);
    const { response, records } = await ask(open);
    for await (const piece of streamOf(response)) if (piece.includes("members")) break;
    await streamOf(response).cancel();
    expect([members.asked, open.closed, records.length]).toEqual([1, 1, 1]);
    expect((await streamOf(response)[Symbol.asyncIterator]().next()).done).toBe(true);
  });

  test("that breaks off is thrown to the adapter, and told to the log", async () => {
    const fault = new Error("disk I/O error");
    const open = new Open([new Batches(["members"], [[1], fault])]);
    const { response, records } = await ask(open);
    await expect(textOf(response)).rejects.toBe(fault);
    expect(open.closed).toBe(1);
    expect(records).toEqual([expect.objectContaining({ errorCode: "internal", failure: fault })]);
  });

  test("waits for a client no longer than it has patience", async () => {
    const open = new Open([new Batches(["members"], [[1], [2]])]);
    const { response, records } = await ask(open, { streamPatience: 20 });
    const pieces = streamOf(response)[Symbol.asyncIterator]();
    await pieces.next();
    await expect.poll(() => open.closed).toBe(1);
    await expect(pieces.next()).rejects.toThrow("took too long");
    // Told before the client comes back, which it may never do: nothing failed.
    expect(records).toEqual([expect.objectContaining({ status: 200, errorCode: null, late: true })]);
  });

  test("is given no longer than the whole may take, however steadily it is read", async () => {
    const open = new Open([
      new Batches(
        ["members"],
        Array.from({ length: 10_000 }, () => [1]),
      ),
    ]);
    const { response, records } = await ask(open, { streamDuration: 50 });
    const body = streamOf(response);
    const read = async (): Promise<void> => {
      for await (const piece of body) {
        expect(piece).not.toBe("}");
        await delay(5);
      }
    };
    await expect(read()).rejects.toThrow("took too long");
    expect(body.signal.aborted).toBe(true);
    expect(open.closed).toBe(1);
    expect(records).toEqual([expect.objectContaining({ errorCode: null, late: true, aborted: false })]);
  });

  describe("of which nothing can be let go", () => {
    function stuck(): Open {
      const open = new Open([new Batches(["members"], [[1], [2]])]);
      const close = async (): Promise<void> => {
        open.closed += 1;
        throw new Error("connection lost");
      };
      return Object.assign(open, { close });
    }

    test("ends no process where its client did not come back", async () => {
      const open = stuck();
      const { response } = await ask(open, { streamPatience: 20 });
      await expect.poll(() => open.closed).toBe(1);
      await expect(textOf(response)).rejects.toThrow("took too long");
    });

    test("is told to the log where its client goes away", async () => {
      const { response, records } = await ask(stuck());
      await expect(streamOf(response).cancel()).rejects.toThrow("connection lost");
      expect(records).toEqual([expect.objectContaining({ status: 200 })]);
    });

    test("is answered to HEAD as ever", async () => {
      const { response, records } = await ask(stuck(), { method: "HEAD" });
      expect([response.status, response.body, records.length]).toEqual([200, null, 1]);
    });
  });
});

describe("a change whose resource cannot be read whole", () => {
  test.each([
    ["POST", "/Groups", 201],
    ["PUT", "/Groups/2819c223", 204],
    ["PATCH", "/Groups/2819c223", 204],
  ])("%s %s is answered as done, without the resource", async (method, target, status) => {
    const service = new FakeService();
    const { create } = service;
    service.create = async (context, request) => ({ ...(await create(context, request)), isPartial: true });
    service.replace = service.create;
    service.patch = service.create;
    const handler = createScimHandler({ service, authenticate: async (token) => principalOf(token) });
    const response = await handler.handle({
      method,
      target,
      headers: {
        authorization: "Bearer token:scim",
        "content-type": "application/scim+json",
        prefer: "return=representation",
      },
      body: new TextEncoder().encode("{}"),
      baseUrl: "https://id.example/scim/v2",
      tenant: null,
      signal: undefined,
      id: "request-1",
    });
    expect(response).toMatchObject({ status, body: null });
    expect(response.headers).toMatchObject({ etag: 'W/"v1"', location: expect.any(String) });
    expect(response.headers).not.toHaveProperty("preference-applied");
  });
});

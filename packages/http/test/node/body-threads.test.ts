import { createScimService, type LongBody, PROFILES, type RequestContext } from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { createDefaultRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
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
  const long = await service.longBody(CONTEXT, "Group");
  if (long === null) throw new TypeError("Groups have no long bodies");
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

type Read = (body: Coming, signal?: AbortSignal) => Promise<ReadLongBody>;

function readerOf(limits: Parameters<typeof createBodyThreads>[0]): Read {
  const read = createBodyThreads(limits);
  return async (body, signal) => {
    const long = await openLong();
    const source: LongBodySource = { long, next: body.next, limits: DEFAULT_HTTP_LIMITS, signal };
    return read(source);
  };
}

const WHOLE = '{"displayName":"x","members":[{"value":"a"},{"value":"a","display":"A"}]}';

describe("long bodies on threads", () => {
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

  test("a client that goes away makes room for the next", async () => {
    const read = readerOf({ most: 1, waiting: 1 });
    const [first, second, third] = [new Coming(), new Coming(), new Coming()];
    const reading = read(first);
    await expect.poll(() => first.asked).toBe(1);
    const leaving = new AbortController();
    const left = read(second, leaving.signal);
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
});

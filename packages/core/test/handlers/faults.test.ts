import { createDefaultRegistry, ScimError, SERVICE_PROVIDER_CONFIG_EXTENSION_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { HandledResource, HandlerContext, HandlerList, ResourceHandler } from "../../src/index.ts";
import { createMemoryHandler } from "../../src/testing/index.ts";
import { user } from "../support/bodies.ts";
import { idOf, type TestClient } from "../support/client.ts";
import { handledStore } from "../support/handled-store.ts";
import { refusal } from "../support/refusal.ts";
import { PLAIN, testService, type TestService } from "../support/service.ts";

const REGISTRY = createDefaultRegistry();

function served(User: Partial<ResourceHandler>, timeout = 10_000): TestService {
  const handlers = { User: { ...createMemoryHandler(), ...User } };
  return testService(undefined, { wrap: () => handledStore(REGISTRY, { handlers, timeout }) });
}

const forever = (): Promise<never> => new Promise<never>(() => {});
const RESOURCE: HandledResource = { id: "u1", attributes: { userName: "a" } };

type Act = (client: TestClient) => Promise<unknown>;

const CALLS: readonly (readonly [string, Partial<ResourceHandler>, Act])[] = [
  ["get", { get: forever }, (client) => client.get("User", "u1")],
  ["list", { list: forever }, (client) => client.list("User")],
  ["the next of a list", { list: () => ({ resources: endless() }) }, (client) => client.list("User")],
  ["create", { create: forever }, (client) => client.post("User", user())],
  ["replace", { get: () => RESOURCE, replace: forever }, (client) => client.put("User", "u1", user())],
  ["delete", { get: () => RESOURCE, delete: forever }, (client) => client.delete("User", "u1")],
];

async function* endless(): AsyncGenerator<HandledResource, void, undefined> {
  yield RESOURCE;
  await forever();
}

describe("a handler that takes too long", () => {
  test.each(CALLS)("%s: 503 with Retry-After", async (_, handler, act) => {
    const { answer, headers } = await refusal(act(served(handler, 5).as("strict")));
    expect([answer, headers]).toEqual(["503", { "retry-after": "1" }]);
  });

  test("is told by its signal", async () => {
    const contexts: HandlerContext[] = [];
    const get = (context: HandlerContext): Promise<never> => {
      contexts.push(context);
      return forever();
    };
    await refusal(served({ get }, 5).as("strict").get("User", "u1"));
    expect(contexts[0]?.signal.aborted).toBe(true);
  });

  test("is told by the signal of its list that the next resource came too late", async () => {
    const contexts: HandlerContext[] = [];
    const { answer } = await refusal(served(telling(contexts), 5).as("strict").list("User"));
    expect([answer, contexts[0]?.signal.aborted]).toEqual(["503", true]);
  });
});

/** A handler whose list gives one resource, and then waits for ever. */
function telling(contexts: HandlerContext[], onEndless?: () => void): Partial<ResourceHandler> {
  async function* resources(): AsyncGenerator<HandledResource, void, undefined> {
    yield RESOURCE;
    onEndless?.();
    await forever();
  }
  return {
    list: (context) => {
      contexts.push(context);
      return { resources: resources() };
    },
  };
}

describe("a client that goes away", () => {
  const READS = CALLS.filter(([name]) => ["get", "list", "the next of a list"].includes(name));

  test.each(READS)("ends %s", async (_, handler, act) => {
    const controller = new AbortController();
    const pending = act(served(handler).as("strict", { signal: controller.signal }));
    controller.abort(new Error("gone"));
    await expect(pending).rejects.toThrow("gone");
  });

  test("is told to a list that it waits for", async () => {
    const controller = new AbortController();
    const gone = new Error("gone");
    const contexts: HandlerContext[] = [];
    const handler = telling(contexts, () => controller.abort(gone));
    const client = served(handler).as("strict", { signal: controller.signal });
    await expect(client.list("User")).rejects.toBe(gone);
    expect(contexts[0]?.signal.reason).toBe(gone);
  });

  test("ends the list that it was reading", async () => {
    const controller = new AbortController();
    let ended = false;
    const resources: AsyncIterable<HandledResource> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          controller.abort(new Error("gone"));
          return { done: false, value: RESOURCE };
        },
        return: async () => {
          ended = true;
          return { done: true, value: undefined };
        },
      }),
    };
    const client = served({ list: () => ({ resources }) }).as("strict", { signal: controller.signal });
    await expect(client.list("User", { filter: 'userName eq "a"' })).rejects.toThrow("gone");
    expect(ended).toBe(true);
  });

  test("leaves a write to its end", async () => {
    const controller = new AbortController();
    const create: ResourceHandler["create"] = async (_, { id, attributes }) => {
      controller.abort(new Error("gone"));
      return { id, attributes, version: "v1" };
    };
    const client = served({ create }).as("strict", { signal: controller.signal });
    expect((await client.post("User", user())).version).toBe("v1");
  });
});

describe("what a handler throws", () => {
  const fail = (error: Error): Partial<ResourceHandler> => ({
    get: async () => raise(error),
    list: async () => raise(error),
    create: async () => raise(error),
  });
  const raise = (error: Error): never => {
    throw error;
  };
  const ACTS: readonly (readonly [string, Act])[] = [
    ["get", (client) => client.get("User", "u1")],
    ["list", (client) => client.list("User")],
    ["create", (client) => client.post("User", user())],
  ];

  test.each(ACTS)("%s: a ScimError reaches the client as it is", async (_, act) => {
    const client = served(fail(new ScimError("unavailable", "The directory is down."))).as("strict");
    expect(await refusal(act(client))).toMatchObject({ answer: "503", detail: "The directory is down." });
  });

  test.each(ACTS)("%s: anything else is a fault of the service", async (_, act) => {
    const error = new RangeError("host db.internal refused");
    await expect(act(served(fail(error)).as("strict"))).rejects.toBe(error);
  });
});

describe("what a handler must not answer", () => {
  const one = (resource: unknown): Partial<ResourceHandler> => ({ get: () => resource as HandledResource });
  const listing = (list: HandlerList): Partial<ResourceHandler> => ({ list: () => list });
  const read: Act = (client) => client.get("User", "u1");
  const list: Act = (client) => client.list("User", { filter: "userName pr" });
  const page: Act = (client) => client.list("User", { count: 1 });
  const all: Act = (client) => client.list("User");
  const post: Act = (client) => client.post("User", user());
  const put: Act = (client) => client.put("User", "u1", user());
  const remove: Act = (client) => client.delete("User", "u1");
  const two = [RESOURCE, { ...RESOURCE, id: "u0" }];
  const both = { resources: [RESOURCE, RESOURCE], served: "all", total: 2 } as const;
  /** What code without types may answer. */
  const answer = (value: unknown): never => value as never;

  test.each<[string, Partial<ResourceHandler>, Act, string]>([
    ["another id", one({ ...RESOURCE, id: "u2" }), read, "another id"],
    ["no id", listing({ resources: [{ ...RESOURCE, id: "" }] }), list, "no id"],
    ["a version that is no part of a tag", one({ ...RESOURCE, version: 'a"b' }), read, "version"],
    ["a date that is none", one({ ...RESOURCE, created: "2026-01-31 08:00" }), read, "date and time"],
    ["an object for plain text", one({ ...RESOURCE, attributes: { userName: { x: 1 } } }), read, "userName"],
    [
      "1 for true",
      one({ ...RESOURCE, attributes: { active: 1 } }),
      read,
      "The handler of User stated attribute 'active' as no",
    ],
    ["a BigInt for text", one({ ...RESOURCE, attributes: { title: 5n } }), read, "title"],
    ["no attributes", one({ id: "u1" }), read, "'attributes'"],
    [
      "the promise of attributes",
      one(answer({ id: "u1", attributes: Promise.resolve({}) })),
      read,
      "plain object",
    ],
    [
      "a Map of attributes",
      listing({ resources: answer([{ id: "u1", attributes: new Map() }]) }),
      list,
      "plain",
    ],
    ["a Map for an object", one({ ...RESOURCE, attributes: answer({ name: new Map() }) }), read, "name"],
    ["an id that its form forbids", listing({ resources: [{ ...RESOURCE, id: "a b" }] }), list, "'ids'"],
    ["null for a version", one({ ...RESOURCE, version: null }), read, "version"],
    ["an array for a list", { list: () => answer([RESOURCE]) }, list, "no list"],
    ["nothing for a list", { list: () => answer(undefined) }, list, "no list"],
    ["null in a list", listing({ resources: answer([null]) }), list, "no resource"],
    [
      "nothing for many",
      { getMany: async () => answer(undefined), list: () => ({ resources: [RESOURCE] }) },
      page,
      "getMany",
    ],
    ["nothing for what it created", { create: () => answer(undefined) }, post, "no resource"],
    [
      "nothing for what it replaced",
      { ...one(RESOURCE), replace: () => answer(undefined) },
      put,
      "no resource",
    ],
    ["nothing for what it deleted", { ...one(RESOURCE), delete: () => answer(undefined) }, remove, "neither"],
    ["a total that is none", listing({ resources: [], served: "all", total: Number.NaN }), page, "total"],
    ["text for an object", one({ ...RESOURCE, attributes: { name: "Jensen" } }), read, "name"],
    ["one resource twice", listing({ resources: [RESOURCE, RESOURCE] }), list, "twice"],
    ["one resource twice on a page", listing(both), all, "twice"],
    ["an order that is not kept", listing({ resources: two, order: "id" }), list, "ascending order"],
    ["a page without its total", listing({ resources: [], served: "all" }), page, "total"],
    ["more than its page", listing({ resources: two, served: "all", total: 2 }), page, "more than its page"],
  ])("%s is a fault of the service that names the handler", async (_, handler, act, words) => {
    const error: unknown = await act(served(handler).as("strict")).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(words);
  });
});

test("undefined is no resource, as null is", async () => {
  expect(
    await refusal(
      served({ get: () => undefined as never })
        .as("strict")
        .get("User", "u1"),
    ),
  ).toMatchObject({
    answer: "404",
  });
});

test("null is no date, as none is: a column that holds NULL", async () => {
  const dated = { ...RESOURCE, version: "v1", created: null, lastModified: null };
  const client = served({ get: () => dated, list: () => ({ resources: [dated] }) }).as("strict");
  const meta = { resourceType: "User", version: 'W/"v1"' };
  const { meta: shown } = await client.resource("User", "u1");
  expect(shown).toEqual({ ...meta, location: expect.any(String) });
  expect((await client.list("User")).totalResults).toBe(1);
});

test("R7643-7-03 a resource whose id has other letters than the one asked for is another, which is not there", async () => {
  const found = { ...RESOURCE, version: "v1" };
  const client = served({ get: () => found, replace: () => found, delete: () => "deleted" }).as("strict");
  const acts: readonly (readonly [Act, string])[] = [
    [(each) => each.get("User", "U1"), "404"],
    [(each) => each.put("User", "U1", user()), "404"],
    [(each) => each.delete("User", "U1"), "404"],
  ];
  for (const [act, answer] of acts) expect(await refusal(act(client))).toMatchObject({ answer });
});

test("a total is never below what a page shows", async () => {
  const resources = [RESOURCE, { ...RESOURCE, id: "u2" }];
  const client = served({ list: () => ({ resources, served: "all", total: 1 }) }).as("strict");
  expect((await client.list("User")).totalResults).toBe(2);
});

test("a list that is there at once, and has no end, leaves others their turn, and ends with its time", async () => {
  function* numbers(): Generator<HandledResource, void, undefined> {
    for (let n = 0; ; n += 1) yield { ...RESOURCE, id: String(n).padStart(12, "0") };
  }
  const list = (): HandlerList => ({ resources: numbers(), order: "id" });
  const handlers = { User: { ...createMemoryHandler(), list } };
  const tested = testService(undefined, {
    wrap: () => handledStore(REGISTRY, { handlers }),
    limits: { queryTimeout: 20 },
  });
  const query = tested.as("strict").list("User", { filter: 'userName eq "z"' });
  expect(await refusal(query)).toMatchObject({ answer: "400 tooMany" });
});

describe("dry runs", () => {
  test("a handler that cannot try changes out: 501, and not offered; nothing is written", async () => {
    const tested = served(createMemoryHandler({ previews: false }));
    const trial = tested.service.dryRun(tested.context(), {
      operation: "create",
      request: { ...PLAIN, type: "User", body: user() },
    });
    expect(await trial).toMatchObject({ valid: false, status: 501 });
    expect((await tested.as().list("User")).totalResults).toBe(0);
    const attributes = [SERVICE_PROVIDER_CONFIG_EXTENSION_URN];
    const config = await tested.service.serviceProviderConfig(tested.context(), {
      ...PLAIN.precondition,
      attributes,
    });
    expect(JSON.stringify(config)).toContain('"dryRun":{"supported":false}');
  });

  test("one that can is told of it, and nothing stays", async () => {
    const tested = served({});
    const client = tested.as("strict");
    const id = idOf(await client.post("User", user({ userName: "a" })));
    const trial = await tested.service.dryRun(tested.context(), {
      operation: "replace",
      request: { ...PLAIN, type: "User", id, body: user({ userName: "b" }) },
    });
    expect(trial).toMatchObject({ valid: true, status: 200, diff: [{ path: "userName", value: "b" }] });
    expect(await client.resource("User", id)).toMatchObject({ userName: "a" });
  });
});

import type { ClientEvent, ClientOptions, TransportRequest } from "@scim/client";
import { createScimClient } from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aUser, scripted, type Step } from "./support/scripted.ts";
import { aService, TOKEN, type ServiceOptions } from "./support/service.ts";

const CURSORS: Step = { body: { pagination: { cursor: true, index: true, maxPageSize: 1000 } } };
const INDEX: Step = { body: { filter: { supported: true, maxResults: 1000 } } };

const users = (from: number, to: number): readonly object[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => aUser({ id: String(from + n) }));
const ids = (from: number, to: number): readonly string[] => users(from, to).map((_, n) => String(from + n));

function parameters({ path }: TransportRequest): URLSearchParams {
  return new URL(path, "https://id.example").searchParams;
}

/** A list of a script, gone through to its end. */
async function read(steps: readonly Step[], options: object = {}, more: Partial<ClientOptions> = {}) {
  const events: ClientEvent[] = [];
  const script = scripted(steps, {
    retries: { attempts: 1 },
    ...more,
    onEvent: (event) => {
      if (event.kind === "tolerance") events.push(event);
    },
  });
  const list = script.client.users.list(options);
  const found: string[] = [];
  let error: unknown = null;
  try {
    for await (const { id } of list) found.push(id);
  } catch (thrown) {
    error = thrown;
  }
  return { found, error, report: list.report, tolerances: events, requests: script.requests.slice(1) };
}

/** A service over resources that may change between two pages; it gives pages of `most` and tells `total`. */
function indexed(
  resources: () => readonly object[],
  { most = 1000, total }: { readonly most?: number; readonly total?: number } = {},
): Step {
  return (request) => {
    const query = parameters(request);
    const startIndex = Number(query.get("startIndex") ?? 1);
    const all = resources();
    const page = all.slice(startIndex - 1, startIndex - 1 + Math.min(most, Number(query.get("count"))));
    return {
      body: { totalResults: total ?? all.length, startIndex, itemsPerPage: page.length, Resources: page },
    };
  };
}

describe("a real service", () => {
  const open = async (options: ServiceOptions = {}) => {
    const client = createScimClient({
      baseUrl: "https://id.example/scim/v2",
      auth: TOKEN,
      transport: createInProcessTransport(aService(options)),
    });
    for (let n = 0; n < 25; n += 1) await client.users.create({ userName: `user-${n}`, active: n % 2 === 0 });
    return client;
  };

  test.each([
    ["by cursor", {}],
    ["by index", { cursors: false }],
  ])("is read %s, in pages as large as they may be", async (_how, options) => {
    const { users: handle } = await open({ ...options, limits: { maxResults: 7, pageSize: 3 } });
    for (const list of [handle.list(), handle.search({ pageSize: 5 }), handle.list({ prefetch: false })]) {
      const all = await list.toArray();
      expect(new Set(all.map(({ userName }) => userName)).size).toBe(25);
      expect(list.report).toMatchObject({ resources: 25, totalResults: 25, repeated: [], rereads: 0 });
    }
    const some = handle.list({ filter: "active eq true", sortBy: "userName", attributes: ["userName"] });
    expect((await some.toArray()).map(({ userName }) => userName)).toHaveLength(13);
    expect(await handle.list({ filter: 'userName eq "nobody"' }).first()).toBeNull();
    await expect(handle.list().toArray(24)).rejects.toThrow(RangeError);
  });

  test("is not asked for more when the loop is left", async () => {
    const client = await open();
    const pages: number[] = [];
    for await (const page of client.users.list({ pageSize: 2 }).pages()) {
      pages.push(page.resources.length);
      break;
    }
    expect(pages).toEqual([2]);
  });
});

describe("by index", () => {
  test("each page begins with the last resource of the one before, and the last is believed if it is short", async () => {
    const { found, requests } = await read([INDEX, indexed(() => users(1, 25))], { pageSize: 10 });
    expect(found).toEqual(ids(1, 25));
    expect(requests.map((request) => parameters(request).get("startIndex"))).toEqual(["1", "10", "19"]);
  });

  test.each([
    ["nothing", 0, 1],
    ["one resource", 1, 1],
    ["a page", 10, 2],
    ["a page and one", 11, 2],
  ])("a list of %s takes no more requests than it needs", async (_what, length, most) => {
    const { found, requests } = await read([INDEX, indexed(() => users(1, length))], { pageSize: 10 });
    expect(found).toHaveLength(length);
    expect(requests).toHaveLength(most);
  });

  test("a total that is the length of the page, too small, too large or missing loses nothing", async () => {
    for (const total of [10, 5, 12]) {
      const lying = await read([INDEX, indexed(() => users(1, 35), { total })], { pageSize: 10 });
      expect(lying.found).toEqual(ids(1, 35));
      expect(lying.tolerances).toMatchObject([{ what: "wrongTotal" }]);
    }
    const ownLength: Step = (request) => {
      const startIndex = Number(parameters(request).get("startIndex"));
      const page = users(1, 35).slice(startIndex - 1, startIndex + 19);
      return { body: { totalResults: page.length, Resources: page } };
    };
    expect((await read([{ status: 404 }, ownLength])).found).toEqual(ids(1, 35));
    const untold: Step = (request) => {
      const startIndex = Number(parameters(request).get("startIndex"));
      return { body: { Resources: users(1, 35).slice(startIndex - 1, startIndex + 9) } };
    };
    expect((await read([INDEX, untold])).found).toEqual(ids(1, 35));
    const large = await read([INDEX, indexed(() => users(1, 35), { total: 99 })], { pageSize: 10 });
    expect(large.found).toEqual(ids(1, 35));
    expect(large.error).toMatchObject({ code: "pagesMissing", read: 35 });
  });

  test("a service that gives one resource at a time is read", async () => {
    const { found } = await read([INDEX, indexed(() => users(1, 5), { most: 1 })]);
    expect(found).toEqual(ids(1, 5));
  });

  test("a service that gives the same page for every place is an error", async () => {
    const same: Step = { body: { totalResults: 100, Resources: users(1, 10) } };
    const { found, error } = await read([INDEX, same], { pageSize: 10 });
    expect(found).toEqual(ids(1, 10));
    expect(error).toMatchObject({ code: "pagesRepeat", read: 10 });
    const honest: Step = { body: { totalResults: 100, startIndex: 1, Resources: users(1, 10) } };
    expect((await read([INDEX, honest], { pageSize: 10 })).error).toMatchObject({ code: "pagesRepeat" });
  });

  test.each([
    ["fewer than are asked for", { status: 404 }, 25],
    ["more than are asked for", INDEX, 250],
  ])("a service without pages, which gives all there is, is read: %s", async (_what, config, length) => {
    const all: Step = { body: { totalResults: length, Resources: users(1, length) } };
    const { found, error, tolerances } = await read([config, all]);
    expect({ found, error, tolerances }).toEqual({ found: ids(1, length), error: null, tolerances: [] });
  });

  test("a page of as many as were asked for that comes for every place may be cut: it is an error", async () => {
    const same: Step = { body: { totalResults: 10, Resources: users(1, 10) } };
    expect((await read([INDEX, same], { pageSize: 10 })).error).toMatchObject({ code: "pagesRepeat" });
  });

  test("a resource that is listed twice is given out once, and told", async () => {
    const twice = [...users(1, 15), ...users(3, 4), ...users(16, 20)];
    const { found, report, tolerances } = await read([INDEX, indexed(() => twice)], { pageSize: 10 });
    expect(found).toEqual(ids(1, 20));
    expect(report.repeated).toEqual(["3", "4"]);
    expect(tolerances).toMatchObject([{ what: "repeatedResource", ids: ["3", "4"] }, { what: "wrongTotal" }]);
  });

  test("whoever is there all the time is met once, whatever comes and goes", async () => {
    const change = fc.record({ at: fc.nat(59), kind: fc.constantFrom("add", "remove") });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 12 }), async (rounds) => {
        const resources = users(1, 40).map((user, n) => ({ ...user, id: String((n + 1) * 1000) }));
        const stable = new Set(resources.map(({ id }) => id));
        let round = 0;
        const changing: Step = (request) => {
          for (const { at, kind } of rounds[round] ?? []) {
            const place = at % (resources.length + 1);
            if (kind === "add") {
              const low = Number(resources[place - 1]?.id ?? 0);
              const high = Number(resources[place]?.id ?? low + 1000);
              const id = String((low + high) / 2);
              resources.splice(place, 0, { ...aUser(), id });
            } else {
              for (const gone of resources.splice(place, 1)) stable.delete(gone.id);
            }
          }
          round += 1;
          const step = indexed(() => resources);
          return typeof step === "function" ? step(request) : step;
        };
        const { found, error } = await read([INDEX, changing], { pageSize: 5, prefetch: false });
        expect(error).toBeNull();
        expect(new Set(found).size).toBe(found.length);
        expect([...stable].filter((id) => !found.includes(id))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test("resources that move faster than they are read end in an error", async () => {
    let next = 1000;
    const restless: Step = (request) => {
      const page = users(next, next + 9);
      next += 10;
      return {
        body: {
          totalResults: 500,
          startIndex: Number(parameters(request).get("startIndex")),
          Resources: page,
        },
      };
    };
    const { error } = await read([INDEX, restless], { pageSize: 3 });
    expect(error).toMatchObject({ code: "pagesUnstable" });
  });
});

describe("by cursor", () => {
  /** Pages of 10 by cursor: `c1` names the second. */
  const paged =
    (resources: readonly object[]): Step =>
    (request) => {
      const page = Number(parameters(request).get("cursor")?.slice(1) ?? 0) || 0;
      const next = (page + 1) * 10 < resources.length ? { nextCursor: `c${page + 1}` } : {};
      return {
        body: {
          totalResults: resources.length,
          Resources: resources.slice(page * 10, page * 10 + 10),
          ...next,
        },
      };
    };

  test("a list is read until no cursor comes", async () => {
    const { found, requests } = await read([CURSORS, paged(users(1, 25))]);
    expect(found).toEqual(ids(1, 25));
    expect(requests.map((request) => parameters(request).get("cursor"))).toEqual(["", "c1", "c2"]);
  });

  test("a service that ignores cursors is read by index", async () => {
    const lax = indexed(() => users(1, 25), { most: 10 });
    for (const [config, options] of [
      [CURSORS, {}],
      [INDEX, { by: "cursor" }],
    ] as const) {
      const { found, error, requests } = await read([config, lax], options);
      expect({ found, error }).toEqual({ found: ids(1, 25), error: null });
      expect(requests.map((request) => parameters(request).has("cursor"))[0]).toBe(true);
    }
  });

  test("the page behind is asked for before the text of one is read", async () => {
    const broken = '{"Resources": [}';
    const cursor = await read([CURSORS, { body: `{"nextCursor": "c1", ${broken}` }]);
    const behind = await read([CURSORS, { body: `{${broken}, "nextCursor": "c1"}` }]);
    const index = await read([INDEX, { body: `{"totalResults": 20, "itemsPerPage": 10, ${broken}` }]);
    const last = await read([INDEX, { body: `{"totalResults": 10, "itemsPerPage": 10, ${broken}` }]);
    const sole = await read([CURSORS, { body: `{"nextCursor": "c1", ${broken}` }], { prefetch: false });
    for (const { error } of [cursor, behind, index, last, sole]) {
      expect(error).toMatchObject({ code: "invalidJson" });
    }
    const asked = [cursor, behind, index, last, sole].map(({ requests }) =>
      requests.slice(1).map((request) => request.path.split("?")[1]),
    );
    const second = "count=100&cursor=c1";
    expect(asked).toEqual([[second], [second], ["startIndex=10&count=100"], [], []]);
  });

  test("a page that is asked for by mistake is given up and counts for nothing", async () => {
    const misleading = aUser({ id: "11", nextCursor: "c9" });
    const only = { body: { totalResults: 11, Resources: [...users(1, 10), misleading] } };
    const steps: Step = (request) => (parameters(request).get("cursor") === "c9" ? "silence" : only);
    const { found, error, requests } = await read([CURSORS, steps]);
    expect({ found, error }).toEqual({ found: ids(1, 11), error: null });
    const mistaken = requests.filter((request) => parameters(request).get("cursor") === "c9");
    expect(mistaken.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  test("that is given up within a page ends there", async () => {
    const controller = new AbortController();
    const { client } = scripted([CURSORS, { body: { totalResults: 9, Resources: users(1, 9) } }]);
    const found: string[] = [];
    const reading = (async () => {
      for await (const { id } of client.users.list({ signal: controller.signal })) {
        found.push(id);
        if (id === "3") controller.abort(new Error("enough"));
      }
    })();
    await expect(reading).rejects.toMatchObject({
      code: "aborted",
      request: { path: "/Users" },
      cause: { message: "enough" },
    });
    expect(found).toEqual(ids(1, 3));
  });

  test("a service that gives the same page again and again is left, by cursor and by index", async () => {
    let cursor = 0;
    const anew: Step = () => {
      cursor += 1;
      return { body: { totalResults: 9, Resources: users(1, 2), nextCursor: `c${cursor}` } };
    };
    const { error, requests } = await read([CURSORS, anew]);
    expect(error).toMatchObject({ code: "pagesRepeat", read: 2 });
    expect(requests.length).toBeLessThan(200);
    let total = 9;
    const growing: Step = () => {
      total += 1;
      return { body: { totalResults: total, Resources: users(1, 2) } };
    };
    expect((await read([INDEX, growing])).error).toMatchObject({ code: "pagesRepeat", read: 2 });
  });

  test("empty pages that lead on are gone through", async () => {
    let left = 300;
    const sparse: Step = () => {
      left -= 1;
      const more = left > 0 ? { Resources: [], nextCursor: `c${left}` } : { Resources: users(1, 2) };
      return { body: { totalResults: 2, ...more } };
    };
    expect((await read([CURSORS, sparse])).found).toEqual(ids(1, 2));
  });

  test("empty pages that lead on and on are left", async () => {
    let given = 0;
    const endless: Step = () => {
      given += 1;
      return { body: { Resources: [], nextCursor: `c${given}` } };
    };
    const { error, requests } = await read([CURSORS, endless], { prefetch: false });
    expect(error).toMatchObject({ code: "pagesEndless", read: 0 });
    expect(requests).toHaveLength(10_001);
  });

  test("cursors that lead in a circle are an error", async () => {
    const { error } = await read([CURSORS, { body: { Resources: users(1, 2), nextCursor: "c1" } }]);
    expect(error).toMatchObject({ code: "pagesRepeat", read: 2 });
  });

  test("a cursor that expires begins the list again, and nobody is given out twice", async () => {
    const expired: Step = { status: 400, body: { scimType: "expiredCursor" } };
    const pages = paged(users(1, 25));
    const { found, report, tolerances } = await read([CURSORS, pages, pages, expired, pages]);
    expect(found).toEqual(ids(1, 25));
    expect(report).toMatchObject({ rereads: 1, repeated: [] });
    expect(tolerances).toMatchObject([{ what: "expiredCursor" }]);
    const never: Step = (request) => {
      const step = parameters(request).get("cursor") === "" ? pages : expired;
      return step;
    };
    expect(await read([CURSORS, never])).toMatchObject({ error: { code: "pagesExpired", read: 10 } });
  });

  test("a resource that is listed twice is given out once, and told", async () => {
    const { found, report } = await read([CURSORS, paged([...users(1, 12), ...users(5, 5)])]);
    expect(found).toEqual(ids(1, 12));
    expect(report.repeated).toEqual(["5"]);
  });
});

describe("a page", () => {
  test.each<readonly [string, unknown]>([
    ["without Resources", { totalResults: 5 }],
    ["whose Resources are no list", { totalResults: 1, Resources: {} }],
    ["that holds what is no resource", { totalResults: 1, Resources: [1] }],
    ["that holds a resource without id", { totalResults: 1, Resources: [{ userName: "a" }] }],
    ["that is empty", undefined],
  ])("%s is an error", async (_what, body) => {
    const { error } = await read([INDEX, { body }]);
    expect(error).toMatchObject({ code: "invalidMessage" });
  });

  test.each([Number.NaN, 2.5, Infinity])("of no whole number is not asked for: %d", async (number) => {
    const { client, requests } = scripted([{ body: { totalResults: 0 } }]);
    const { users: handle } = client;
    for (const ask of [
      () => handle.page({ count: number }),
      () => handle.page({ startIndex: number }),
      () => handle.list({ pageSize: number }).toArray(),
    ])
      await expect(ask()).rejects.toMatchObject({ name: "UsageError", code: "invalidInput" });
    expect(requests.filter(({ path }) => path.includes("/Users"))).toEqual([]);
  });

  test.each<readonly [string, object]>([
    ["without Resources, of nothing", { totalResults: 0 }],
    ["with null for Resources", { totalResults: 0, Resources: null }],
    ["with numbers as text", { totalResults: "0", itemsPerPage: "0", Resources: [] }],
  ])("%s is forgiven", async (_what, body) => {
    expect(await read([INDEX, { body }])).toMatchObject({ found: [], error: null });
  });
});

import { createDefaultRegistry, ENTERPRISE_USER_URN } from "@scim/schemas";
import { parseFilter } from "@scim/filter";
import { describe, expect, test } from "vitest";
import {
  createHandlerStore,
  type HandledResource,
  type HandlerList,
  type HandlerQuery,
  type ResourceHandler,
} from "../../src/index.ts";
import { createMemoryHandler } from "../../src/testing/index.ts";
import { user } from "../support/bodies.ts";
import { namesOf, TEST_SEAL, walk } from "../support/cursors.ts";
import { handledStore } from "../support/handled-store.ts";
import type { Query } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";
import { testSources } from "../support/sources.ts";

const REGISTRY = createDefaultRegistry();

/** A handler of some users that notes its queries. */
function listing(answer: (query: HandlerQuery) => HandlerList): {
  readonly tested: TestService;
  readonly queries: HandlerQuery[];
} {
  const queries: HandlerQuery[] = [];
  const list: ResourceHandler["list"] = (_, query) => {
    queries.push(query);
    return answer(query);
  };
  const get: ResourceHandler["get"] = (_, id) =>
    USERS.find((each) => each.id === id) ?? { id, attributes: { userName: id }, version: "v" };
  const handlers = { User: { ...createMemoryHandler(), list, get } };
  const tested = testService(undefined, {
    wrap: () => handledStore(REGISTRY, { handlers }),
    cursorSeal: TEST_SEAL,
  });
  return { tested, queries };
}

const USERS: readonly HandledResource[] = ["c", "a", "b", "d"].map((name, index) => ({
  id: `u${String(index)}`,
  attributes: { userName: name, title: index % 2 === 0 ? "even" : "odd" },
  version: "v",
}));

const EVERY = (): HandlerList => ({ resources: USERS });

describe("the filter that a handler is shown", () => {
  test.each([
    ['USERNAME EQ "Anna"', 'userName eq "anna"'],
    ['name.GivenName sw "Ä"', 'name.givenName sw "ä"'],
    ['externalId eq "E1"', 'externalId eq "E1"'],
    [`${ENTERPRISE_USER_URN}:Department eq "X"`, `${ENTERPRISE_USER_URN}:department eq "x"`],
    ['emails[TYPE eq "Work" and primary eq true]', 'emails[type eq "work" and primary eq true]'],
    ["not (active eq true) or title pr", "not (active eq true) or title pr"],
    ['emails eq "A@x"', 'emails.value eq "a@x"'],
    [
      'meta.lastModified gt "2026-01-31T10:00:00+02:00"',
      'meta.lastModified gt "2026-01-31T08:00:00.000000000"',
    ],
    // Of what a text holds, the text itself is shown: an instant has many.
    ['meta.lastModified sw "2026-01-31T10"', 'meta.lastModified sw "2026-01-31t10"'],
    [
      'meta.lastModified gt "2026-01-31T08:00:00.12345678901Z"',
      'meta.lastModified gt "2026-01-31T08:00:00.12345678901"',
    ],
    ["title eq null", "not (title pr)"],
  ])("%s", async (text, plain) => {
    const { tested, queries } = listing(EVERY);
    await tested.as("strict").list("User", { filter: text });
    expect(queries[0]?.filter).toEqual(parseFilter(plain));
  });

  test("names that another type has do not come to it: a filter over all types that none of its resources meets", async () => {
    const { tested, queries } = listing(EVERY);
    const { resources } = await tested.as("strict").list(null, { filter: 'members.value eq "x"' });
    expect([resources, queries]).toEqual([[], []]);
  });
});

describe("what a handler leaves to the service", () => {
  test.each<[string, Query, readonly string[], number]>([
    ["everything", {}, ["u0", "u1", "u2", "u3"], 4],
    ["a filter", { filter: 'title eq "ODD"' }, ["u1", "u3"], 2],
    ["a sort", { sortBy: "userName", sortOrder: "descending" }, ["u3", "u0", "u2", "u1"], 4],
    ["a page", { startIndex: 2, count: 2 }, ["u1", "u2"], 4],
    ["all of it", { filter: "title pr", sortBy: "userName", startIndex: 2, count: 1 }, ["u2"], 4],
    ["a count alone", { count: 0 }, [], 4],
  ])("%s", async (_, query, ids, total) => {
    const { tested } = listing(EVERY);
    const answer = await tested.as("strict").list("User", query);
    expect([answer.resources.map(({ id }) => id), answer.totalResults]).toEqual([ids, total]);
  });

  test("candidates that do not match are left out, so that a handler may take a part of a filter", async () => {
    const { tested } = listing(() => ({ resources: USERS.slice(0, 3), served: "candidates" }));
    expect(await tested.as("strict").matches("User", 'userName eq "a"')).toEqual(["u1"]);
  });

  test("candidates may be sent in order of id, one by one, and read no further than a page by cursor needs", async () => {
    let read = 0;
    async function* resources(): AsyncGenerator<HandledResource, void, undefined> {
      for (let index = 0; index < 5000; index += 1) {
        read += 1;
        yield {
          id: `u${String(index).padStart(4, "0")}`,
          attributes: { userName: `n${String(index)}` },
          version: "v",
        };
      }
    }
    const { tested } = listing(() => ({ resources: resources(), order: "id" }));
    const client = tested.as("strict");
    const query = { filter: "userName pr", count: 3 };
    const first = await client.list("User", { ...query, cursor: "" });
    const second = await client.list("User", { ...query, cursor: first.nextCursor ?? "none" });
    expect(second.resources.map(({ id }) => id)).toEqual(["u0003", "u0004", "u0005"]);
    expect(read).toBeLessThan(1000);
    expect((await client.list("User", query)).totalResults).toBe(5000);
  });
});

test.each<[string, () => never]>([
  [
    "throws",
    () => {
      throw new TypeError("The connection is closed");
    },
  ],
  // What code without types may answer.
  ["answers no promise", () => undefined as never],
])("what was read of a list whose iterator %s at its end is answered", async (_, end) => {
  let read = 0;
  const next = async (): Promise<IteratorResult<HandledResource>> => {
    read += 1;
    const id = `u${String(read).padStart(4, "0")}`;
    if (read > 5000) return { done: true, value: undefined };
    return { done: false, value: { id, attributes: { userName: id }, version: "v" } };
  };
  const resources = { [Symbol.asyncIterator]: () => ({ next, return: end }) };
  const { tested } = listing(() => ({ resources, order: "id" }));
  const { resources: page } = await tested.as("strict").list("User", { cursor: "", count: 2 });
  expect(page.map(({ id }) => id)).toEqual(["u0001", "u0002"]);
  expect(read).toBeLessThan(1000);
});

describe("what a handler does by itself", () => {
  test("a page by number is asked for as it is, and answered as it comes", async () => {
    const { tested, queries } = listing(() => ({ resources: USERS.slice(2, 3), served: "all", total: 9 }));
    const query = { filter: 'title eq "even"', sortBy: "userName", startIndex: 3, count: 5 };
    const answer = await tested.as("strict").list("User", query);
    expect(answer).toMatchObject({ totalResults: 9, startIndex: 3, filterPlan: null });
    expect(answer.resources.map(({ id }) => id)).toEqual(["u2"]);
    expect(queries).toEqual([
      {
        filter: parseFilter('title eq "even"'),
        sort: { path: "userName", descending: false },
        page: { offset: 2, limit: 5 },
      },
    ]);
  });

  test("pages by cursor are those behind an id, with one more that tells whether there is more", async () => {
    const { tested, queries } = listing(({ page }) => {
      const after = page !== null && "after" in page ? (page.after ?? "") : "";
      const limit = page?.limit ?? 0;
      return { resources: USERS.filter(({ id }) => id > after).slice(0, limit), served: "all" };
    });
    const client = tested.as("strict");
    const first = await client.list("User", { cursor: "", count: 2 });
    const second = await client.list("User", { cursor: first.nextCursor ?? "none", count: 2 });
    expect([first, second].map(({ resources }) => resources.map(({ id }) => id))).toEqual([
      ["u0", "u1"],
      ["u2", "u3"],
    ]);
    expect(second.nextCursor).toBeNull();
    expect(queries.map(({ page }) => page)).toEqual([
      { after: null, limit: 3 },
      { after: "u1", limit: 3 },
    ]);
  });

  test("a page by cursor of a sorted list is the service's: the handler is shown none", async () => {
    const { tested, queries } = listing(EVERY);
    const client = tested.as("strict");
    const first = await client.list("User", { cursor: "", count: 3, sortBy: "userName" });
    const second = await client.list("User", {
      cursor: first.nextCursor ?? "",
      count: 3,
      sortBy: "userName",
    });
    expect([...first.resources, ...second.resources].map(({ userName }) => userName)).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
    expect(queries.every(({ page }) => page === null)).toBe(true);
  });
});

test("a list of all types by cursor asks no handler for what stands behind an id of another form", async () => {
  const ids = { pattern: /^[1-9]$/, words: "a digit" };
  const places: (string | null)[] = [];
  const numbered = (path: string): ResourceHandler => {
    const all = [1, 2, 3].map((id) => ({
      id: `${id}`,
      attributes: { [path]: `${path} ${id}` },
      version: "v",
    }));
    return {
      ...createMemoryHandler(),
      ids,
      get: (_, id) => all.find((each) => each.id === id) ?? null,
      list: (_, { page }) => {
        if (page === null || "offset" in page) return { resources: all, order: "id" };
        const { after, limit } = page;
        places.push(after);
        const behind = all.filter(({ id }) => after === null || id > after);
        return { resources: behind.slice(0, limit), served: "all", total: all.length };
      },
    };
  };
  const handlers = { User: numbered("userName"), Group: numbered("displayName") };
  const tested = testService(undefined, {
    wrap: () => handledStore(REGISTRY, { handlers }),
    cursorSeal: TEST_SEAL,
  });
  const pages = await walk(tested.as("strict"), null, { query: { count: 2 } });
  expect(namesOf(pages).join(", ")).toBe(
    "userName 1, userName 2, userName 3, displayName 1, displayName 2, displayName 3",
  );
  const back = pages.at(-1)?.previousCursor ?? "none";
  const before = await tested.as("strict").list(null, { count: 2, cursor: back });
  expect(namesOf([before]).join(", ")).toBe("userName 3, displayName 1");
  expect(places.filter((after) => after !== null && !ids.pattern.test(after))).toEqual([]);
});

test("R7644-3.4.2-04 a query over all types finds those that are kept, where nobody keeps the others", async () => {
  const store = createHandlerStore({
    registry: REGISTRY,
    sources: testSources(),
    handlers: { User: createMemoryHandler() },
  });
  const client = testService(undefined, { wrap: () => store, cursorSeal: TEST_SEAL }).as();
  const { resource } = await client.post("User", user());
  for (const query of [{}, { sortBy: "id" }, { cursor: "" }, { filter: "id pr", count: 0 }])
    expect((await client.list(null, query)).totalResults).toBe(1);
  expect((await client.list(null)).resources).toEqual([resource]);
  expect((await refusal(client.list("Group"))).answer).toBe("501");
});

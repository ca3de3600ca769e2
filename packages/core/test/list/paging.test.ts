import { beforeAll, describe, expect, test } from "vitest";
import type { ResourceStore, ServiceLimits, StoreQuery } from "../../src/index.ts";
import { user } from "../support/bodies.ts";
import type { Query } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";
import { recordingStore } from "../support/store-wrappers.ts";

const COUNT = 7;
const LIMITS = { pageSize: 3, maxResults: 5 };

/** A store that leaves filtering, sorting and paging to the caller, and hands out two at a time. */
function candidatesOnly(store: ResourceStore): ResourceStore {
  return {
    ...recordingStore(store, {}),
    query: async (scope, query) => {
      const everything = { kind: "index", offset: 0, limit: Number.MAX_SAFE_INTEGER } as const;
      const page = await store.query(scope, { ...query, filter: null, sort: null, page: everything });
      const resources = page.kind === "page" ? page.resources : [];
      async function* batches(): AsyncGenerator<typeof resources> {
        for (let at = 0; at < resources.length; at += 2) yield resources.slice(at, at + 2);
      }
      return { kind: "candidates", order: "id", batches: batches(), plan: "scan" };
    },
  };
}

const WRAPPINGS: readonly (readonly [string, (store: ResourceStore) => ResourceStore])[] = [
  ["a store that pages", (store) => store],
  ["a store that gives candidates", candidatesOnly],
];

describe.each(WRAPPINGS)("index paging, by %s", (_name, wrap) => {
  let tested: TestService;
  beforeAll(async () => {
    tested = testService(undefined, { limits: LIMITS, wrap });
    for (let index = 0; index < COUNT; index += 1) {
      await tested.as().post("User", user({ userName: `u${String(index)}` }));
    }
  });

  /** startIndex of the answer, totalResults, and the userNames shown. */
  async function page(query: Query): Promise<unknown> {
    const { startIndex, totalResults, resources } = await tested.as().list("User", query);
    return [startIndex, totalResults, resources.map((each) => each["userName"]).join(" ")];
  }

  const ROWS: readonly (readonly [string, Query, number, string])[] = [
    ["R7644-3.4.2.4-01 nothing given: from 1, a page", {}, 1, "u0 u1 u2"],
    ["R7644-3.4.2.4-02 a count", { count: 2 }, 1, "u0 u1"],
    ["a startIndex", { startIndex: 3 }, 3, "u2 u3 u4"],
    ["both", { startIndex: 4, count: 1 }, 4, "u3"],
    ["the last page", { startIndex: 6 }, 6, "u5 u6"],
    ["R7644-3.4.2.4-01 startIndex 0", { startIndex: 0, count: 1 }, 1, "u0"],
    ["R7644-3.4.2.4-01 startIndex -5", { startIndex: -5, count: 1 }, 1, "u0"],
    ["R7644-3.4.2.4-05 startIndex behind the end", { startIndex: 8 }, 8, ""],
    [
      "R7644-3.4.2.4-05 a huge startIndex",
      { startIndex: Number.MAX_SAFE_INTEGER },
      Number.MAX_SAFE_INTEGER,
      "",
    ],
    ["R7644-3.4.2.4-02 count 0", { count: 0 }, 1, ""],
    ["R7644-3.4.2.4-02 count -1", { count: -1 }, 1, ""],
    ["R7644-3.4.2-10 a count above maxResults is cut", { count: 6 }, 1, "u0 u1 u2 u3 u4"],
    ["a huge count", { count: Number.MAX_SAFE_INTEGER }, 1, "u0 u1 u2 u3 u4"],
  ];

  test.each(ROWS)("%s", async (_title, query, startIndex, shown) => {
    expect(await page(query)).toEqual([startIndex, COUNT, shown]);
    const filtered = { ...query, filter: 'userName sw "u"' };
    expect(await page(filtered)).toEqual([startIndex, COUNT, shown]);
    expect(await page({ ...filtered, sortBy: "userName" })).toEqual([startIndex, COUNT, shown]);
  });

  test("totalResults counts what matches, not what is shown", async () => {
    expect(await page({ filter: 'userName gt "u2"', count: 1, startIndex: 2 })).toEqual([2, 4, "u4"]);
    expect(await page({ filter: 'userName eq "nobody"' })).toEqual([1, 0, ""]);
  });

  test("R7644-3.4.2.4-03 nothing is remembered between pages: what comes before one moves it", async () => {
    const changing = testService(undefined, { limits: LIMITS, wrap });
    const client = changing.as();
    for (const userName of ["a", "b", "c"]) await client.post("User", user({ userName }));
    const names = async (startIndex: number): Promise<unknown> =>
      (await client.list("User", { startIndex, count: 1 })).resources.map((each) => each["userName"]);
    expect(await names(2)).toEqual(["b"]);
    await client.delete("User", "id-1");
    expect(await names(2)).toEqual(["c"]);
  });

  test("pages one after another show every resource once", async () => {
    const seen: unknown[] = [];
    for (let startIndex = 1; startIndex <= COUNT; startIndex += 2) {
      const { resources } = await tested.as().list("User", { startIndex, count: 2 });
      seen.push(...resources.map((each) => each["userName"]));
    }
    expect(seen).toEqual(["u0", "u1", "u2", "u3", "u4", "u5", "u6"]);
  });
});

describe("what the store is asked", () => {
  async function queryOf(query: Query, limits: Partial<ServiceLimits> = {}): Promise<StoreQuery | undefined> {
    const queries: StoreQuery[] = [];
    const tested = testService(undefined, { limits, wrap: (store) => recordingStore(store, { queries }) });
    await tested.as().list("User", query);
    return queries[0];
  }

  test.each<readonly [string, Query, { readonly offset: number; readonly limit: number }]>([
    ["by default", {}, { offset: 0, limit: 100 }],
    ["a page", { startIndex: 11, count: 10 }, { offset: 10, limit: 10 }],
    ["startIndex below 1", { startIndex: -3 }, { offset: 0, limit: 100 }],
    ["count below 0", { count: -3 }, { offset: 0, limit: 0 }],
    ["count above the maximum", { count: 5000 }, { offset: 0, limit: 1000 }],
  ])("%s", async (_name, query, expected) => {
    expect(await queryOf(query)).toMatchObject({ type: "User", filter: null, sort: null, page: expected });
  });

  test("the whole filter and sort, bound to attributes", async () => {
    const query = await queryOf({
      filter: 'EMAILS.value eq "A"',
      sortBy: "NAME.familyName",
      sortOrder: "descending",
    });
    expect(query?.filter).toMatchObject({
      kind: "comparison",
      operator: "eq",
      key: "a",
      target: { path: "emails.value", keys: ["emails", "value"], type: "string", caseExact: false },
    });
    expect(query?.sort).toMatchObject({ target: { path: "name.familyName" }, descending: true });
  });

  test("nothing, where the query is refused", async () => {
    const queries: StoreQuery[] = [];
    const client = testService(undefined, { wrap: (store) => recordingStore(store, { queries }) }).as();
    for (const query of [{ filter: "x" }, { sortBy: "x" }, { attributes: ["x"] }]) {
      expect((await refusal(client.list("User", query))).answer).toMatch(/^400 /);
    }
    expect(queries).toEqual([]);
  });

  test("how the filter was served is told where it did not go to the store whole", async () => {
    const plain = testService().as();
    expect((await plain.list("User")).filterPlan).toBeNull();
    const scanned = testService(undefined, { wrap: candidatesOnly }).as();
    expect((await scanned.list("User", { filter: "title pr" })).filterPlan).toBe("scan");
  });

  test("a scan ends when the client goes away", async () => {
    const controller = new AbortController();
    const wrap = (store: ResourceStore): ResourceStore => ({
      ...candidatesOnly(store),
      query: async (scope, query) => {
        const answer = await candidatesOnly(store).query(scope, query);
        controller.abort(new Error("gone"));
        return answer;
      },
    });
    const tested = testService(undefined, { wrap });
    await tested.as().post("User", user());
    const client = tested.as("strict", { signal: controller.signal });
    await expect(client.list("User", { filter: "title pr" })).rejects.toThrow("gone");
  });
});

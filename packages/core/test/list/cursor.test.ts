import { beforeAll, describe, expect, test } from "vitest";
import type { RequestContext, ServiceLimits } from "../../src/index.ts";
import { user } from "../support/bodies.ts";
import type { Query } from "../support/client.ts";
import { namesOf, TEST_SEAL, walk } from "../support/cursors.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";

const LIMITS = { pageSize: 3, maxResults: 5 };

function started(limits: Partial<ServiceLimits> = {}): TestService {
  return testService(undefined, { limits: { ...LIMITS, ...limits }, cursorSeal: TEST_SEAL });
}

/** Users whose titles repeat, and are missing for some. */
async function populate(tested: TestService, count = 7): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const title = index % 3 === 0 ? {} : { title: `t${index % 2}` };
    await tested.as().post("User", user({ userName: `u${index}`, ...title }));
  }
}

let tested: TestService;
beforeAll(async () => {
  tested = started();
  await populate(tested);
});

describe("a walk by cursor", () => {
  const ROWS: readonly (readonly [string, Query, string, readonly number[]])[] = [
    ["R9865-2-03 of all", { count: 3 }, "u0 u1 u2 u3 u4 u5 u6", [3, 3, 1]],
    ["of exact pages", { count: 2, filter: "title pr" }, "u1 u2 u4 u5", [2, 2]],
    ["R9865-2-03 of one page", { count: 5, filter: "title pr" }, "u1 u2 u4 u5", [4]],
    ["of none", { filter: 'userName eq "nobody"' }, "", [0]],
    ["with the page that the service chooses", {}, "u0 u1 u2 u3 u4 u5 u6", [3, 3, 1]],
    ["R9865-2.2-01 sorted", { count: 2, sortBy: "title" }, "u2 u4 u1 u5 u0 u3 u6", [2, 2, 2, 1]],
    [
      "R9865-2.2-01 sorted descending",
      { count: 2, sortBy: "title", sortOrder: "descending" },
      "u0 u3 u6 u1 u5 u2 u4",
      [2, 2, 2, 1],
    ],
    ["sorted and filtered", { count: 1, sortBy: "title", filter: "title pr" }, "u2 u4 u1 u5", [1, 1, 1, 1]],
    [
      "sorted by what is the same for all",
      { count: 4, sortBy: "meta.resourceType" },
      "u0 u1 u2 u3 u4 u5 u6",
      [4, 3],
    ],
  ];

  test.each(ROWS)("%s", async (_name, query, names, sizes) => {
    const client = tested.as();
    const pages = await walk(client, "User", { query });
    expect(namesOf(pages).join(" ")).toBe(names);
    expect(pages.map(({ resources }) => resources.length)).toEqual(sizes);
    expect(pages.map(({ startIndex }) => startIndex)).toEqual(sizes.map(() => null));
    for (const page of pages) expect([null, namesOf(pages).length]).toContain(page.totalResults);
  });

  test.each(ROWS)("R9865-2-04 back again: %s", async (_name, query) => {
    const client = tested.as();
    const pages = await walk(client, "User", { query });
    const [first, ...others] = pages;
    expect(first?.previousCursor).toBeNull();
    expect(others.every(({ previousCursor }) => previousCursor !== null)).toBe(true);
    const cursor = pages.at(-1)?.previousCursor;
    if (cursor === null || cursor === undefined) return;
    const back = await walk(client, "User", { query: { ...query, cursor }, member: "previousCursor" });
    expect(namesOf(back.toReversed())).toEqual(namesOf(pages.slice(0, -1)));
    // And forward from the middle: the page that the walk came from.
    const again = await client.list("User", { ...query, cursor: back[0]?.nextCursor ?? null });
    expect(namesOf([again])).toEqual(namesOf(pages.slice(-1)));
  });

  test("R9865-2-02 a count of 0, or below, tells the number alone", async () => {
    for (const count of [0, -3]) {
      expect(await tested.as().list("User", { cursor: "", count })).toMatchObject({
        totalResults: 7,
        startIndex: null,
        resources: [],
        nextCursor: null,
        previousCursor: null,
      });
    }
  });

  test("R9865-2-07 totalResults is told where it costs nothing, and left out where it would", async () => {
    const client = tested.as();
    expect((await client.list("User", { cursor: "" })).totalResults).toBe(7);
    const filtered = { cursor: "", filter: "title pr", count: 2 };
    expect((await client.list("User", filtered)).totalResults).toBeNull();
    expect((await client.list("User", { ...filtered, count: 5 })).totalResults).toBe(4);
  });

  test("R9865-2.4-01 without cursor pages go by index", async () => {
    const answer = await tested.as().list("User");
    expect(answer).toMatchObject({ startIndex: 1, totalResults: 7, nextCursor: null, previousCursor: null });
  });

  test("a place stays when its resource goes; pages next to nothing lead back", async () => {
    const changing = started();
    await populate(changing, 5);
    const client = changing.as();
    const [first, second, third] = await walk(client, "User", { query: { count: 2 } });
    await client.delete("User", "id-2");
    const next = { count: 2, cursor: first?.nextCursor ?? null };
    expect(namesOf([await client.list("User", next)])).toEqual(["u2", "u3"]);
    await client.delete("User", "id-5");
    const empty = await client.list("User", { count: 2, cursor: second?.nextCursor ?? null });
    expect([empty.resources, empty.nextCursor]).toEqual([[], null]);
    const last = await client.list("User", { count: 2, cursor: empty.previousCursor });
    expect(namesOf([last])).toEqual(["u2", "u3"]);
    expect(last.nextCursor).toBeNull();
    for (const id of ["id-1", "id-3", "id-4"]) await client.delete("User", id);
    const nothing = await client.list("User", { count: 2, cursor: third?.previousCursor ?? null });
    expect([nothing.resources, nothing.previousCursor]).toEqual([[], null]);
    expect((await client.list("User", { count: 2, cursor: nothing.nextCursor })).resources).toEqual([]);
  });
});

/** The cursor of the second page of a query. */
async function cursorOf(query: Query, of: Partial<RequestContext> = {}): Promise<string> {
  return (await tested.as("strict", of).list("User", { cursor: "", ...query })).nextCursor ?? "";
}

describe("R9865-2-05 R9865-2-06 a cursor goes with its query", () => {
  const QUERY = {
    count: 2,
    filter: 'userName sw "u" and not (title eq "x" or active eq false)',
    sortBy: "userName",
    attributes: ["userName", "title"],
  };

  test.each<readonly [string, Query]>([
    ["as it was", {}],
    [
      "names and operators in other letter case",
      { filter: 'USERNAME SW "u" AND NOT (Title Eq "x" OR active eq false)' },
    ],
    [
      "other spaces and parentheses",
      { filter: '(userName  sw "u") and (not(title eq "x" or (active eq false)))' },
    ],
    ["attributes in another order, case and number", { attributes: ["TITLE", "username", "title"] }],
    ["the order that is the default", { sortOrder: "Ascending" }],
    ["sortBy in other letter case", { sortBy: "USERNAME" }],
    ["read from a body", { source: "body" }],
  ])("spelled otherwise: %s", async (_name, change) => {
    const cursor = await cursorOf({ ...QUERY, source: "address" });
    const page = await tested.as().list("User", { ...QUERY, ...change, cursor });
    expect(namesOf([page])).toEqual(["u2", "u3"]);
  });

  test.each<readonly [string, Query]>([
    ["another filter", { filter: 'userName sw "u"' }],
    ["a value in other letter case", { filter: QUERY.filter.replace('"u"', '"U"') }],
    ["no filter", { filter: null }],
    ["another sort", { sortBy: "title" }],
    ["no sort", { sortBy: null }],
    ["another order", { sortOrder: "descending" }],
    ["more attributes", { attributes: ["userName", "title", "name"] }],
    ["all attributes", { attributes: null }],
    ["the same excluded", { attributes: null, excludedAttributes: QUERY.attributes }],
  ])("400 invalidCursor: %s", async (_name, change) => {
    const cursor = await cursorOf(QUERY);
    const refused = await refusal(tested.as().list("User", { ...QUERY, ...change, cursor }));
    expect(refused.answer).toBe("400 invalidCursor");
  });

  test("R9865-2.1-01 400 invalidCount: another count", async () => {
    const cursor = await cursorOf({ count: 2 });
    for (const count of [1, 3, 0, null]) {
      expect((await refusal(tested.as().list("User", { cursor, count }))).answer).toBe("400 invalidCount");
    }
    const byDefault = await cursorOf({});
    expect(namesOf([await tested.as().list("User", { cursor: byDefault, count: 3 })])).toEqual([
      "u3",
      "u4",
      "u5",
    ]);
  });

  test("R9865-2.1-01 a count above the maximum: 400 invalidCount in strict, cut in tolerant", async () => {
    const query = { cursor: "", count: 6 };
    expect((await refusal(tested.as("strict").list("User", query))).answer).toBe("400 invalidCount");
    const client = tested.as("tolerant");
    const { resources, nextCursor } = await client.list("User", query);
    expect(resources).toHaveLength(5);
    expect(tested.fired).toContain("excessive-count count");
    expect(namesOf([await client.list("User", { count: 6, cursor: nextCursor })])).toEqual(["u5", "u6"]);
    // By index a greater count is cut everywhere.
    expect((await tested.as("strict").list("User", { count: 6 })).resources).toHaveLength(5);
  });

  test("R9865-2.4-02 400 invalidValue: startIndex beside it", async () => {
    for (const cursor of ["", await cursorOf({})]) {
      const refused = await refusal(tested.as().list("User", { cursor, startIndex: 1 }));
      expect(refused.answer).toBe("400 invalidValue");
    }
  });
});

describe("R9865-5.2-01 R9865-5.2-03 a cursor grants nothing, and none of them can be told from another", () => {
  const refused = async (cursor: string, of: Partial<RequestContext> = {}): Promise<string> => {
    const { answer, detail } = await refusal(tested.as("strict", of).list("User", { cursor }));
    expect(answer).toBe("400 invalidCursor");
    return detail;
  };

  test("of another tenant, connection or subject, of another type, forged, or no cursor at all", async () => {
    const cursor = await cursorOf({});
    const details = [
      await refused(cursor, { tenant: "other" }),
      await refused(cursor, { connection: "other" }),
      await refused(cursor, { subject: "id-1" }),
      await refused(await cursorOf({ filter: "title pr", count: 2 })),
      await refused(`${cursor}x`),
      await refused(`x${cursor}`),
      await refused("garbage"),
      await refused("__proto__"),
      ...(await Promise.all(
        [
          null,
          5,
          {},
          [],
          ["a"],
          ["a", 3, 1],
          ["a", 3, 1, "up", null],
          ["a", 3, 1, "forward", ["User", 1, null]],
        ].map(async (content) => refused(TEST_SEAL.seal(JSON.stringify(content)))),
      )),
      await refused(TEST_SEAL.seal("no JSON")),
    ];
    expect(new Set(details).size).toBe(1);
    const ofGroups = await refusal(tested.as().list("Group", { cursor }));
    expect([ofGroups.answer, ofGroups.detail]).toEqual(["400 invalidCursor", details[0]]);
  });
});

test("R9865-5.3-01 nothing is kept of a cursor: another process on the same store goes on", async () => {
  const { nextCursor } = await tested.as().list("User", { cursor: "", count: 2 });
  const other = testService(undefined, { limits: LIMITS, cursorSeal: TEST_SEAL, wrap: () => tested.store });
  const page = await other.as().list("User", { cursor: nextCursor, count: 2 });
  expect(namesOf([page])).toEqual(["u2", "u3"]);
});

describe("R9865-2.1-01 400 expiredCursor", () => {
  test("after the time that is advertised, and not before", async () => {
    let now = Date.UTC(2026, 0, 1);
    const timed = testService(undefined, {
      limits: { ...LIMITS, cursorTimeout: 60 },
      cursorSeal: TEST_SEAL,
      sources: { now: () => now },
    });
    await populate(timed);
    const { nextCursor } = await timed.as().list("User", { cursor: "" });
    now += 60_000;
    expect(namesOf([await timed.as().list("User", { cursor: nextCursor })])).toEqual(["u3", "u4", "u5"]);
    now += 1;
    const refused = await refusal(timed.as().list("User", { cursor: nextCursor }));
    expect(refused).toMatchObject({
      answer: "400 expiredCursor",
      detail: expect.stringContaining("60 seconds"),
    });
    const foreign = await refusal(
      timed.as("strict", { tenant: "other" }).list("User", { cursor: nextCursor }),
    );
    expect(foreign.answer).toBe("400 invalidCursor");
  });
});

describe("a service without a seal", () => {
  test("R9865-2.4-03 ignores the parameter, and R9865-4-01 does not advertise it", async () => {
    const plain = testService(undefined, { limits: LIMITS });
    await populate(plain);
    for (const cursor of ["", "garbage"]) {
      const answer = await plain.as().list("User", { cursor, startIndex: 2, count: 2 });
      expect(answer).toMatchObject({
        startIndex: 2,
        totalResults: 7,
        nextCursor: null,
        previousCursor: null,
      });
      expect(namesOf([answer])).toEqual(["u1", "u2"]);
    }
    const config = await plain.service.serviceProviderConfig(plain.context(), {
      ifMatch: null,
      ifNoneMatch: null,
    });
    const { pagination } = config.kind === "resource" ? config.resource : {};
    expect(pagination).toMatchObject({ cursor: false, index: true });
    expect(pagination).not.toHaveProperty("cursorTimeout");
  });

  test("R9865-4-01 one with a seal advertises both, and how long cursors hold", async () => {
    const config = await tested.service.serviceProviderConfig(tested.context(), {
      ifMatch: null,
      ifNoneMatch: null,
    });
    expect(config).toMatchObject({
      resource: {
        pagination: {
          cursor: true,
          index: true,
          defaultPaginationMethod: "index",
          defaultPageSize: 3,
          maxPageSize: 5,
          cursorTimeout: 3600,
        },
      },
    });
  });
});

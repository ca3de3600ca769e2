import { USER_RESOURCE_TYPE, type JsonObject, type JsonValue, type SchemaRegistry } from "@scim/schemas";
import { beforeAll, describe, expect, test } from "vitest";
import type { StoreQuery } from "../../src/index.ts";
import { enterprise, group, user } from "../support/bodies.ts";
import type { Query } from "../support/client.ts";
import { namesOf, TEST_SEAL, walk } from "../support/cursors.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";
import { recordingStore } from "../support/store-wrappers.ts";
import { addTeams, team } from "../support/teams.ts";

const queries: StoreQuery[] = [];
let tested: TestService;

/** Users b, a and c, Groups B and y, Teams x and b. */
beforeAll(async () => {
  tested = testService(addTeams, {
    limits: { pageSize: 100, maxResults: 100 },
    cursorSeal: TEST_SEAL,
    wrap: (store) => recordingStore(store, { queries }),
  });
  const client = tested.as();
  await client.post(
    "User",
    user({ userName: "b", displayName: "M", active: true, ...enterprise({ department: "d" }) }),
  );
  await client.post("Group", group({ displayName: "B", members: [{ value: "id-1" }] }));
  await client.post("User", user({ userName: "a", active: false }));
  await client.post("Team", team({ displayName: "x", budget: 5, owners: [{ value: "id-1", type: "User" }] }));
  await client.post("User", user({ userName: "c", displayName: "b", title: "" }));
  await client.post("Group", group({ displayName: "y" }));
  await client.post("Team", team({ displayName: "b", budget: -1 }));
});

async function names(query: Query): Promise<string> {
  return namesOf([await tested.as().list(null, query)]).join(" ");
}

/** The types that a query asked the store about. */
async function asked(query: Query): Promise<readonly string[]> {
  queries.length = 0;
  await tested.as().list(null, query);
  return [...new Set(queries.map(({ type }) => type))];
}

describe("R7644-3.4.2-04 a query at the root covers the resources of all types", () => {
  test("in the order of the types, then of ids; discovery resources are left out", async () => {
    const answer = await tested.as().list(null);
    expect(answer).toMatchObject({ totalResults: 7, startIndex: 1, nextCursor: null, previousCursor: null });
    expect(namesOf([answer]).join(" ")).toBe("b a c B y x b");
    expect(answer.resources.map(({ meta }) => (meta as JsonObject)["resourceType"])).toEqual([
      "User",
      "User",
      "User",
      "Group",
      "Group",
      "Team",
      "Team",
    ]);
  });

  test("each as its own address shows it", async () => {
    const client = tested.as();
    const { resources } = await client.list(null);
    expect(resources).toEqual([
      ...(await client.list("User")).resources,
      ...(await client.list("Group")).resources,
      ...(await client.list("Team")).resources,
    ]);
  });

  const FILTERS: readonly (readonly [string, string, string])[] = [
    ["R7644-3.4.2-07 an attribute that several types have", 'displayName eq "b"', "c B b"],
    ["R7644-3.4.2-06 R7644-F-21 one that only one type has", 'userName sw "b"', "b"],
    ["R7644-3.4.2-06 pr", "userName pr", "b a c"],
    ["R7644-3.4.2.2-T-04 pr counts what is not empty", "title pr", ""],
    ["R7644-3.4.2.2-T-04 pr counts false and numbers", "active pr or budget pr", "b a x b"],
    ["R7644-3.4.2-06 not pr", "not (userName pr)", "B y x b"],
    ["R7644-3.4.2-06 ne is true where the type lacks it", 'userName ne "b"', "a c B y x b"],
    ["R7644-3.4.2.2-T-06 eq null is true there", "userName eq null", "B y x b"],
    ["R7644-3.4.2.2-T-06 ne null is false there", "userName ne null", "b a c"],
    ["R7644-3.4.2-06 co, sw, ew, gt, ge, lt and le are false", 'budget ge -1 or userName co "nobody"', "x b"],
    ["R7644-F-21 no error where every type lacks it", 'nosuch eq "x"', ""],
    ["R7644-F-21 but ne", 'nosuch ne "x"', "b a c B y x b"],
    ["R7644-F-21 nor a URN that none has", 'urn:example:none:1.0:X:a.b eq "x"', ""],
    ["an extension's", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department pr", "b"],
    ["the base URN of one type", 'urn:ietf:params:scim:schemas:core:2.0:Group:displayName eq "b"', "B"],
    ["a value path that others lack", 'members[value eq "id-1"]', "B"],
    ["a sub-attribute in brackets that none has", 'emails[nosuch eq "x"]', ""],
    ["derived", 'groups.value eq "id-2"', "b"],
    ["references of a custom type", 'owners.value eq "id-1"', "x"],
    ["meta.resourceType", 'meta.resourceType eq "Group"', "B y"],
    [
      "meta.resourceType in a group",
      'meta.resourceType ne "User" and not (meta.resourceType eq "Team")',
      "B y",
    ],
    ["one type or a condition", 'meta.resourceType eq "Team" or userName eq "a"', "a x b"],
    ["schemas", 'schemas eq "urn:ietf:params:scim:schemas:core:2.0:Group"', "B y"],
    ["id", 'id eq "id-3"', "a"],
    ["meta.created", 'meta.created gt "2026-01-01T00:00:05Z"', "y b"],
  ];

  test.each(FILTERS)("%s", async (_name, filter, found) => {
    expect(await names({ filter })).toBe(found);
    expect((await tested.as().list(null, { filter })).totalResults).toBe(
      found === "" ? 0 : found.split(" ").length,
    );
    const pages = await walk(tested.as(), null, { query: { filter, count: 2 } });
    expect(namesOf(pages).join(" ")).toBe(found);
  });

  test.each<readonly [string, readonly string[]]>([
    ['meta.resourceType eq "User"', ["User"]],
    ['meta.resourceType eq "user"', []],
    ['meta.resourceType eq "Group" and displayName pr', ["Group"]],
    ['meta.resourceType eq "User" or meta.resourceType eq "Team"', ["User", "Team"]],
    ['not (meta.resourceType eq "User")', ["Group", "Team"]],
    ['userName eq "a"', ["User"]],
    ['meta.resourceType eq "Nothing"', []],
    ["title pr and budget pr", []],
  ])("leaves the types alone in which nothing can match: %s", async (filter, types) => {
    expect(await asked({ filter })).toEqual(types);
    expect(await asked({ filter, cursor: "" })).toEqual(types);
    expect(await asked({ filter, sortBy: "displayName" })).toEqual(types);
  });

  test("what cannot be compared in a type that has the attribute is an error", async () => {
    for (const filter of ["active gt true", "userName eq 5", 'password eq "x"', "name eq 1", "userName"]) {
      expect((await refusal(tested.as().list(null, { filter }))).answer).toBe("400 invalidFilter");
    }
  });
});

describe("sorted over all types", () => {
  const SORTS: readonly (readonly [string, Query, string])[] = [
    ["by what several have; ties in the order of types", { sortBy: "displayName" }, "c B b b x y a"],
    ["descending; ties all the same", { sortBy: "displayName", sortOrder: "descending" }, "a y x b c B b"],
    ["by what one has: others have no value", { sortBy: "userName" }, "a b c B y x b"],
    ["that, descending", { sortBy: "userName", sortOrder: "descending" }, "B y x b c b a"],
    ["by numbers of one type", { sortBy: "budget" }, "b x b a c B y"],
    ["R7644-3.4.2.3-07 by what none has", { sortBy: "nosuch" }, "b a c B y x b"],
    ["by id", { sortBy: "id" }, "b B a x c y b"],
    ["by id, descending", { sortBy: "id", sortOrder: "descending" }, "b y c x a B b"],
    ["by time", { sortBy: "meta.created", sortOrder: "descending" }, "b y c x a B b"],
    ["by type", { sortBy: "meta.resourceType" }, "B y x b b a c"],
    ["by type, descending", { sortBy: "meta.resourceType", sortOrder: "descending" }, "b a c x b B y"],
    ["and filtered", { sortBy: "displayName", filter: 'displayName eq "b" or budget pr' }, "c B b x"],
  ];

  /** The names alone do not tell `b` the User from `b` the Team. */
  async function idsBy(query: Query): Promise<readonly JsonValue[]> {
    return (await tested.as().list(null, query)).resources.map(({ id }) => id ?? null);
  }

  test.each(SORTS)("%s", async (_name, query, found) => {
    expect(await names(query)).toBe(found);
    const whole = await idsBy(query);
    for (const count of [1, 2, 3, 7]) {
      const pages = await walk(tested.as(), null, { query: { ...query, count } });
      expect(pages.flatMap(({ resources }) => resources.map(({ id }) => id))).toEqual(whole);
      const cursor = pages.at(-1)?.previousCursor ?? null;
      if (cursor !== null) {
        const back = await walk(tested.as(), null, {
          query: { ...query, count, cursor },
          member: "previousCursor",
        });
        const before = back.toReversed().flatMap(({ resources }) => resources.map(({ id }) => id));
        expect(before).toEqual(whole.slice(0, before.length));
        expect(before).toHaveLength(whole.length - (pages.at(-1)?.resources.length ?? 0));
      }
      for (let startIndex = 1; startIndex <= whole.length + 1; startIndex += count) {
        expect(await idsBy({ ...query, count, startIndex })).toEqual(
          whole.slice(startIndex - 1, startIndex - 1 + count),
        );
      }
    }
  });

  test("what cannot be sorted by in a type that has it: 400 invalidValue", async () => {
    for (const sortBy of ["name", "password", "meta", "1a"]) {
      expect((await refusal(tested.as().list(null, { sortBy }))).answer).toBe("400 invalidValue");
    }
    expect((await refusal(tested.as().list(null, { sortOrder: "up" }))).answer).toBe("400 invalidValue");
  });
});

describe("pages over all types", () => {
  test.each<readonly [string, Query, string]>([
    ["within the first type", { startIndex: 1, count: 2 }, "b a"],
    ["over two types", { startIndex: 3, count: 2 }, "c B"],
    ["over three types", { startIndex: 3, count: 4 }, "c B y x"],
    ["from the second type", { startIndex: 4, count: 2 }, "B y"],
    ["the last", { startIndex: 7, count: 5 }, "b"],
    ["behind the end", { startIndex: 8 }, ""],
    ["none", { count: 0 }, ""],
  ])("R7644-3.4.2.4-01 by index: %s", async (_name, query, found) => {
    const answer = await tested.as().list(null, query);
    expect([answer.totalResults, namesOf([answer]).join(" ")]).toEqual([7, found]);
    const sorted = await tested.as().list(null, { ...query, sortBy: "nosuch" });
    expect([sorted.totalResults, namesOf([sorted]).join(" ")]).toEqual([7, found]);
  });

  test("a cursor of the root is not one of a type, nor of another list of types", async () => {
    const client = tested.as();
    const { nextCursor } = await client.list(null, { cursor: "", count: 2 });
    const query = { cursor: nextCursor, count: 2 };
    expect((await refusal(client.list("User", query))).answer).toBe("400 invalidCursor");
    const ofUsers = await client.list("User", { cursor: "", count: 2 });
    const atRoot = client.list(null, { cursor: ofUsers.nextCursor, count: 2 });
    expect((await refusal(atRoot)).answer).toBe("400 invalidCursor");
    expect(namesOf([await client.list(null, query)])).toEqual(["c", "B"]);
  });

  test("a count of 0 by cursor tells the number alone", async () => {
    expect(await tested.as().list(null, { cursor: "", count: 0 })).toMatchObject({
      totalResults: 7,
      resources: [],
    });
  });
});

describe("projection over all types", () => {
  test("a name that one type has is fine; in the others it names nothing", async () => {
    const { resources } = await tested.as("strict").list(null, { attributes: ["userName", "budget"] });
    expect(
      resources.map((each) => Object.keys(each).filter((name) => !["schemas", "id", "meta"].includes(name))),
    ).toEqual([["userName"], ["userName"], ["userName"], [], [], ["budget"], ["budget"]]);
    const { resources: rest } = await tested
      .as("strict")
      .list(null, { excludedAttributes: ["members", "active"] });
    expect(rest[3]).not.toHaveProperty("members");
    expect(rest[0]).not.toHaveProperty("active");
  });

  test("one that no type has: 400 invalidValue in strict, dropped and told in tolerant", async () => {
    const query = { attributes: ["userName", "nosuch"] };
    expect((await refusal(tested.as("strict").list(null, query))).answer).toBe("400 invalidValue");
    await tested.as("tolerant").list(null, query);
    expect(tested.fired).toContain("unknown-projection-names nosuch");
  });

  test("no row is read for what is not shown, or passed over", async () => {
    for (const query of [
      { attributes: ["displayName"] },
      { attributes: ["displayName"], sortBy: "displayName" },
    ]) {
      queries.length = 0;
      await tested.as().list(null, query);
      expect(queries.flatMap(({ select }) => [...select.collections, ...select.inverses])).toEqual([]);
    }
  });

  test("places are found without the rows that the answer shows: these are read for the page alone", async () => {
    for (const query of [
      { sortBy: "displayName", startIndex: 3, count: 2 },
      { sortBy: "displayName", count: 0 },
      { cursor: "", count: 5 },
    ]) {
      queries.length = 0;
      await tested.as().list(null, query);
      expect(queries).not.toEqual([]);
      expect(queries.flatMap(({ select }) => [...select.collections, ...select.inverses])).toEqual([]);
    }
    const { resources } = await tested.as().list(null, { cursor: "", count: 5 });
    expect(resources.map((each) => ["members", "groups"].filter((name) => name in each))).toEqual([
      ["groups"],
      [],
      [],
      ["members"],
      [],
    ]);
  });
});

describe("types that take part", () => {
  const without = (registry: SchemaRegistry): void => {
    registry.addResourceType(
      { ...USER_RESOURCE_TYPE, operations: ["read", "create"] },
      { allowBreaking: true },
    );
  };

  test("one that cannot be queried does not", async () => {
    const client = testService(without).as();
    await client.post("User", user());
    await client.post("Group", group());
    expect(namesOf([await client.list(null)])).toEqual(["Tour Guides"]);
  });

  test("the tenant's own resources alone", async () => {
    expect(await tested.as("strict", { tenant: "other" }).list(null)).toMatchObject({
      totalResults: 0,
      resources: [],
    });
  });
});

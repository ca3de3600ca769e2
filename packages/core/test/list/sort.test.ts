import { ENTERPRISE_USER_URN, type JsonObject } from "@scim/schemas";
import { beforeAll, describe, expect, test } from "vitest";
import { enterprise, group, user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";
import { bindTestExtension, extended, TEST_URN } from "../support/test-extension.ts";

let tested: TestService;

/** By userName; `none` has no value of anything that is sorted by. */
const USERS: readonly JsonObject[] = [
  {
    userName: "c",
    displayName: "banana",
    emails: [{ value: "z@x.example" }, { value: "b@x.example", primary: true }],
    ...enterprise({ department: "Sales" }),
    ...extended({ code: "b", age: 10, joined: "2020-01-01T00:00:00Z", flag: true, tags: ["m", "a"] }),
  },
  {
    userName: "A",
    displayName: "Cherry",
    emails: [{ value: "a@x.example" }, { value: "y@x.example" }],
    ...enterprise({ department: "Tours" }),
    ...extended({ code: "C", age: 9, joined: "2020-01-01T00:30:00+01:00", flag: false, tags: ["k"] }),
  },
  {
    userName: "b",
    displayName: "Apple",
    emails: [{ value: "c@x.example" }],
    ...enterprise({ department: "sales" }),
    ...extended({ code: "a", age: -1, joined: "2019-12-31T23:59:59.5Z", flag: true, tags: ["z"] }),
  },
  { userName: "none" },
];

beforeAll(async () => {
  tested = testService(bindTestExtension());
  for (const each of USERS) await tested.as().post("User", user(each));
});

async function order(sortBy: string, sortOrder: string | null = null): Promise<string> {
  const { resources } = await tested.as().list("User", { sortBy, sortOrder });
  return resources.map((each) => each["userName"]).join(" ");
}

describe("R7644-3.4.2.3-01 sortBy", () => {
  const ROWS: readonly (readonly [string, string, string])[] = [
    ["R7644-3.4.2.3-05 caseExact false", "userName", "A b c none"],
    ["R7644-3.4.2.3-05 caseExact false, without a value last", "displayName", "b c A none"],
    ["R7644-3.4.2.3-05 caseExact true", `${TEST_URN}:code`, "A b c none"],
    ["R7644-3.4.2.3-05 numbers by value", `${TEST_URN}:age`, "b A c none"],
    ["R7644-3.4.2.3-05 dateTime by time", `${TEST_URN}:joined`, "A b c none"],
    ["booleans", `${TEST_URN}:flag`, "A c b none"],
    ["R7644-3.4.2.3-01 the primary value, else the first", "emails.value", "A c b none"],
    ["R7644-3.4.2.3-02 a complex list means its value", "emails", "A c b none"],
    ["a simple list by its first", `${TEST_URN}:tags`, "A c b none"],
    ["in any letter case", "EMAILS.VALUE", "A c b none"],
    ["an extension's, R7644-3.4.2.3-06 ties by id", `${ENTERPRISE_USER_URN}:department`, "c b A none"],
    ["id", "id", "c A b none"],
    ["meta.created", "meta.created", "c A b none"],
    ["meta.lastModified", "meta.lastModified", "c A b none"],
    ["what no resource has", "nickName", "c A b none"],
  ];

  test.each(ROWS)("%s", async (_name, sortBy, ascending) => {
    expect(await order(sortBy)).toBe(ascending);
    expect(await order(sortBy, "ascending")).toBe(ascending);
  });

  test("R7644-3.4.2.3-04 descending: without a value first, ties by id all the same", async () => {
    expect(await order("displayName", "descending")).toBe("none A c b");
    expect(await order("displayName", "DESCENDING")).toBe("none A c b");
    expect(await order(`${ENTERPRISE_USER_URN}:department`, "descending")).toBe("none A c b");
    expect(await order("nickName", "descending")).toBe("c A b none");
  });

  test("R7644-3.4.2.3-06 sortOrder without sortBy says nothing", async () => {
    const { resources } = await tested.as().list("User", { sortOrder: "descending" });
    expect(resources.map((each) => each["id"])).toEqual(["id-1", "id-2", "id-3", "id-4"]);
  });

  test("pages of a sorted list follow each other, filtered too", async () => {
    const client = tested.as();
    const page = async (startIndex: number): Promise<unknown> => {
      const query = { sortBy: "userName", startIndex, count: 2, filter: "emails pr" };
      const { resources, totalResults } = await client.list("User", query);
      return [totalResults, ...resources.map((each) => each["userName"])];
    };
    expect(await page(1)).toEqual([3, "A", "b"]);
    expect(await page(3)).toEqual([3, "c"]);
    expect(await page(4)).toEqual([3]);
  });
});

describe("what cannot be sorted by: 400 invalidValue", () => {
  test.each([
    ["R7644-3.4.2.3-02 a complex attribute", "name"],
    ["a complex list without value", "addresses"],
    ["R7644-3.4.2.3-07 an unknown one", "nosuch"],
    ["an unknown sub-attribute", "name.nosuch"],
    ["R7644-3.4.2.3-07 one never returned", "password"],
    ["an extension", ENTERPRISE_USER_URN],
    ["a value path", 'emails[type eq "work"]'],
    ["nothing", ""],
    ["no name", "1a"],
    ["meta as a whole", "meta"],
  ])("%s", async (_name, sortBy) => {
    for (const profile of ["strict", "tolerant"] as const) {
      expect((await refusal(tested.as(profile).list("User", { sortBy }))).answer).toBe("400 invalidValue");
    }
  });

  test("R7644-3.4.2.3-03 an unknown order", async () => {
    for (const query of [{ sortBy: "userName", sortOrder: "up" }, { sortOrder: "" }]) {
      expect((await refusal(tested.as("tolerant").list("User", query))).answer).toBe("400 invalidValue");
    }
  });
});

describe("groups by their members", () => {
  test("of several members the first counts", async () => {
    const client = testService().as();
    await client.post("Group", group({ displayName: "1", members: [{ value: "b" }, { value: "a" }] }));
    await client.post("Group", group({ displayName: "2", members: [{ value: "aa" }] }));
    await client.post("Group", group({ displayName: "3" }));
    const { resources } = await client.list("Group", { sortBy: "members", attributes: ["displayName"] });
    expect(resources.map((each) => each["displayName"])).toEqual(["2", "1", "3"]);
  });
});

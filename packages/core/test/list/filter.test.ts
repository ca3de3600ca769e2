import { ENTERPRISE_USER_URN, USER_URN } from "@scim/schemas";
import { beforeAll, describe, expect, test } from "vitest";
import type { ResourceStore } from "../../src/index.ts";
import { enterprise, group, metaOf, user } from "../support/bodies.ts";
import type { TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService, type TestService } from "../support/service.ts";
import { recordingStore } from "../support/store-wrappers.ts";
import { bindTestExtension, extended, TEST_URN } from "../support/test-extension.ts";

let tested: TestService;
let client: TestClient;
/** `id-1` has everything, `id-2` other values, `id-3` next to nothing; `id-4` and `id-5` are Groups. */
beforeAll(async () => {
  tested = testService(bindTestExtension());
  client = tested.as("strict");
  await client.post(
    "User",
    user({
      externalId: "E1",
      name: { familyName: "Jensen" },
      title: "Guide",
      active: true,
      emails: [
        { value: "b@x.example", type: "work", primary: true },
        { value: "b@home.example", type: "home" },
      ],
      addresses: [{ country: "US" }],
      ...enterprise({ department: "Tours", manager: { value: "id-2" } }),
      ...extended({
        age: 5,
        score: 1.5,
        joined: "2020-01-01T00:00:00Z",
        tags: ["red", "Blue"],
        code: "Code",
      }),
    }),
  );
  await client.post("User", user({ userName: "Alice", active: false, emails: [{ value: "a@x.example" }] }));
  await client.post("User", user({ userName: "zoe", nickName: "" }));
  await client.post("Group", group({ members: [{ value: "id-1", type: "User" }, { value: "id-9" }] }));
  await client.post("Group", group({ displayName: "Empty" }));
});

const ALL = ["id-1", "id-2", "id-3"];

describe("R7644-3.4.2.2-02 what a filter matches", () => {
  const ROWS: readonly (readonly [string, string, readonly string[]])[] = [
    ["R7644-3.4.2.2-03 names and operators in any letter case", 'USERNAME Eq "bjensen"', ["id-1"]],
    ["R7644-F-01 caseExact false", 'userName eq "BJENSEN"', ["id-1"]],
    ["R7644-F-01 caseExact true", 'externalId eq "e1"', []],
    ["R7644-F-01 caseExact true, the same", 'externalId eq "E1"', ["id-1"]],
    ["R7644-3.10-01 with the URN of the base schema", `${USER_URN}:userName eq "alice"`, ["id-2"]],
    ["R7644-F-24 a common attribute with it", `${USER_URN}:meta.resourceType eq "User"`, ALL],
    ["an extension's attribute", `${ENTERPRISE_USER_URN}:department eq "tours"`, ["id-1"]],
    ["its sub-attribute", `${ENTERPRISE_USER_URN}:manager.value eq "id-2"`, ["id-1"]],
    ["R7644-F-23 an extension pr", `${ENTERPRISE_USER_URN} pr`, ["id-1"]],
    ["R7644-3.4.2.2-13 schemas", `schemas eq "${ENTERPRISE_USER_URN}"`, ["id-1"]],
    ["id", 'id eq "id-2"', ["id-2"]],
    ["R7644-F-25 meta.resourceType", 'meta.resourceType eq "User"', ALL],
    ["R7644-F-25 meta.location", `meta.location eq "${BASE_URL}/Users/id-2"`, ["id-2"]],
    ["R7644-F-25 meta.created", 'meta.created gt "2026-01-01T00:00:01Z"', ["id-2", "id-3"]],
    ["meta.lastModified", 'meta.lastModified le "2026-01-01T00:00:01Z"', ["id-1"]],
    ["co", 'title co "UID"', ["id-1"]],
    ["sw", 'userName sw "AL"', ["id-2"]],
    ["ew", 'userName ew "E"', ["id-2", "id-3"]],
    ["R7644-F-02 order by code point", 'userName gt "b"', ["id-1", "id-3"]],
    ["R7644-F-04 ne on a missing attribute", 'title ne "Guide"', ["id-2", "id-3"]],
    ["R7644-F-06 an unassigned boolean is not false", "active eq false", ["id-2"]],
    ["R7644-F-06 but primary is", "emails[primary eq false]", ["id-1", "id-2"]],
    ["R7643-2.5-01 eq null", "title eq null", ["id-2", "id-3"]],
    ["R7644-F-05 an empty text is not present", "nickName pr", []],
    ["R7644-F-10 any value of several", 'emails.value eq "b@home.example"', ["id-1"]],
    ["R7644-F-11 a complex list means its value", 'emails co "x.example"', ["id-1", "id-2"]],
    ["R7644-F-12 met by two values", 'emails.type eq "work" and emails.value co "home"', ["id-1"]],
    ["R7644-F-12 met by one", 'emails[type eq "work" and value co "home"]', []],
    ["R7644-F-15 not in brackets", 'emails[not (type eq "work")]', ["id-1", "id-2"]],
    ["R7644-F-15 not around them", 'not (emails[type eq "work"])', ["id-2", "id-3"]],
    ["R7644-F-16 a value path on one value", 'name[familyName eq "jensen"]', ["id-1"]],
    [
      "the $ref of a reference, as it is answered",
      `${ENTERPRISE_USER_URN}:manager.$ref eq "${BASE_URL}/Users/id-2"`,
      ["id-1"],
    ],
    ["that there is one", `${ENTERPRISE_USER_URN}:manager.$ref pr`, ["id-1"]],
    ["the $ref of groups", `groups.$ref eq "${BASE_URL}/Groups/id-4"`, ["id-1"]],
    ["R7644-F-17 a simple list", `${TEST_URN}:tags[value eq "BLUE"]`, ["id-1"]],
    ["a simple list by itself", `${TEST_URN}:tags eq "blue"`, ["id-1"]],
    ["integer", `${TEST_URN}:age ge 5`, ["id-1"]],
    ["decimal", `${TEST_URN}:score lt 1.50001`, ["id-1"]],
    ["R7644-F-07 dateTime", `${TEST_URN}:joined eq "2020-01-01T02:00:00+02:00"`, ["id-1"]],
    ["R7644-3.4.2.2-05 precedence", 'userName eq "zoe" or userName eq "alice" and title pr', ["id-3"]],
    ["groups, which are derived", 'groups.value eq "id-4"', ["id-1"]],
    ["groups.display", 'groups[display eq "tour guides"]', ["id-1"]],
    ["R7644-3.4.2-02 nothing", 'userName eq "nobody"', []],
    ["a limit of letters is none of characters", 'userName eq "\\u0062jensen"', ["id-1"]],
  ];

  test.each(ROWS)("%s", async (_name, filter, ids) => {
    expect(await client.matches("User", filter)).toEqual(ids);
  });

  test.each([
    ["members.value", 'members.value eq "id-1"', ["id-4"]],
    ["members", 'members eq "id-9"', ["id-4"]],
    ["ids are case-exact", 'members eq "ID-9"', []],
    ["one member by both", 'members[value eq "id-1" and type eq "user"]', ["id-4"]],
    ["pr", "members pr", ["id-4"]],
    ["not pr", "not (members pr)", ["id-5"]],
    ["$ref, as it is answered", `members.$ref eq "${BASE_URL}/Users/id-1"`, ["id-4"]],
    ["$ref of one member", 'members[$ref co "/Users/" and value eq "id-1"]', ["id-4"]],
    ["no $ref where the type is not known", 'members[$ref pr and value eq "id-9"]', []],
    ["id and members, as a reference check", 'id eq "id-4" and members eq "id-1"', ["id-4"]],
  ])("a Group by %s", async (_name, filter, ids) => {
    expect(await client.matches("Group", filter)).toEqual(ids);
  });

  test("manager eq, as Entra sends it", async () => {
    const entra = tested.as("entra");
    expect(await entra.matches("User", 'id eq "id-1" and manager eq "id-2"')).toEqual(["id-1"]);
    expect(await entra.matches("User", 'manager eq "id-9"')).toEqual([]);
    expect(await entra.matches("User", "manager pr")).toEqual(["id-1"]);
  });

  test.each(["strict", "tolerant"] as const)(
    "R7644-F-16 a value path on one reference, in %s",
    async (profile) => {
      const asked = tested.as(profile);
      for (const inside of ['value eq "id-2"', `$ref eq "${BASE_URL}/Users/id-2"`, 'not (value eq "id-9")']) {
        expect(await asked.matches("User", `${ENTERPRISE_USER_URN}:manager[${inside}]`)).toEqual(["id-1"]);
      }
    },
  );

  test("a filter reads what it needs, also where the answer does not show it", async () => {
    const asked = { attributes: ["displayName"] };
    const { resources } = await client.list("Group", { filter: 'members eq "id-1"', ...asked });
    expect(resources.map((each) => each["displayName"])).toEqual(["Tour Guides"]);
    const { version } = await client.get("User", "id-1", { attributes: ["userName"] });
    for (const options of [{ attributes: ["userName"] }, { excludedAttributes: ["groups"] }]) {
      const users = await client.list("User", { filter: 'groups eq "id-4"', ...options });
      expect(users.resources.map((each) => each["id"])).toEqual(["id-1"]);
      expect(users.resources[0]).not.toHaveProperty("groups");
      expect(metaOf(users.resources[0] ?? {}, "version")).toBe(`W/"${version}"`);
    }
  });

  test("so it is with a store that answers the whole query itself", async () => {
    const wrap = (store: ResourceStore): ResourceStore => ({
      ...recordingStore(store, {}),
      query: async (scope, { type, select }) => {
        const resources = await store.readMany(scope, { type, ids: ["id-1"] }, select);
        const isRead = resources[0]?.inverses.has("groups") === true;
        return { kind: "page", total: 1, more: false, resources: isRead ? resources : [], plan: "index" };
      },
    });
    const paging = testService(undefined, { wrap }).as();
    const { version } = await paging.post("User", user());
    await paging.post("Group", group({ members: [{ value: "id-1" }] }));
    const { resources } = await paging.list("User", { filter: "groups pr", attributes: ["userName"] });
    expect(resources.map((each) => metaOf(each, "version"))).toEqual([`W/"${version}"`]);
  });

  test.each([["User"], [null]])(
    "what does not match any more when it is read for the answer is not in it (in a list of %s)",
    async (type) => {
      let between: () => Promise<unknown> = () => Promise.resolve();
      const wrap = (store: ResourceStore): ResourceStore => ({
        ...recordingStore(store, {}),
        readMany: async (...asked) => {
          await between();
          return store.readMany(...asked);
        },
      });
      const writer = testService(undefined, { wrap }).as();
      await writer.post("User", user({ userName: "anna", title: "Boss" }));
      await writer.post("User", user({ userName: "bert", title: "Boss" }));
      between = async () => {
        between = () => Promise.resolve();
        await writer.put("User", "id-1", user({ userName: "anna", title: "None" }));
        await writer.put("User", "id-2", user({ userName: "bernd", title: "Boss" }));
      };
      const { resources } = await writer.list(type, { filter: 'title eq "Boss"' });
      expect(resources.map((each) => each["userName"])).toEqual(["bernd"]);
    },
  );

  test("filters end at the tenant", async () => {
    const other = tested.as("strict", { tenant: "another" });
    for (const filter of ['userName eq "bjensen"', "userName pr", 'id eq "id-1"', 'not (title eq "x")']) {
      expect(await other.matches("User", filter)).toEqual([]);
    }
    expect((await other.list("User")).totalResults).toBe(0);
  });
});

describe("RFC 7644 §3.4.2.2: filters that are refused, in every profile", () => {
  const DEEP = `${"(".repeat(65)}title pr${")".repeat(65)}`;
  const ROWS: readonly (readonly [string, string, string])[] = [
    ["R7644-3.4.2.2-04 empty", "", ""],
    ["R7644-3.4.2.2-11 an unknown operator", 'userName regex "x"', "at character 10 of 18"],
    ["no value", "userName eq", ""],
    ["no group after not", "not userName pr", "at "],
    ["R7644-3.4.2.2-09 something behind", 'userName eq "a"b', "at "],
    ["an open bracket", 'emails[type eq "work"', "at "],
    ["R7644-F-20 an unknown attribute", 'nosuch eq "x"', "nosuch"],
    ["R7644-F-20 an unknown sub-attribute", 'name.nosuch eq "x"', "name.nosuch"],
    ["R7644-F-20 an unknown URN", 'urn:example:x:nosuch eq "x"', "nosuch"],
    ["R7644-F-14 an unknown one in brackets", 'emails[nosuch eq "x"]', "nosuch"],
    ["R7644-F-11 a complex list without value", 'addresses eq "x"', "addresses"],
    ["a complex attribute", 'name eq "x"', "name"],
    ["R7644-3.4.2.2-T-03 an order of booleans", "active gt false", "active"],
    ["R7644-3.4.2.2-T-02 co on a boolean", 'active co "t"', "active"],
    ["R7644-3.4.2.2-T-05 a literal of another type", "userName eq 5", "userName"],
    ["R7644-3.4.2.2-T-05 no dateTime", 'meta.created gt "yesterday"', "meta.created"],
    ["R7644-3.4.2.2-T-07 an order of null", "title gt null", "title"],
    ["R7644-3.4.2.2-10 too deep", DEEP, "64"],
    ["R7644-3.4.2.2-10 too long", `userName eq "${"x".repeat(8192)}"`, "8192"],
  ];

  test.each(ROWS)("%s", async (_name, filter, hint) => {
    for (const profile of ["strict", "tolerant"] as const) {
      const refused = await refusal(tested.as(profile).list("User", { filter }));
      expect(refused.answer).toBe("400 invalidFilter");
      expect(refused.detail).toContain(hint);
    }
  });

  test("limits are settings", async () => {
    const limited = testService(undefined, { limits: { filterDepth: 2, filterLength: 40 } }).as();
    await limited.list("User", { filter: "((title pr))" });
    expect((await refusal(limited.list("User", { filter: "(((title pr)))" }))).answer).toBe(
      "400 invalidFilter",
    );
    const long = `userName eq "${"x".repeat(40)}"`;
    expect((await refusal(limited.list("User", { filter: long }))).answer).toBe("400 invalidFilter");
  });

  test("R7644-F-18, R7644-F-19 an operator behind a value path, in strict", async () => {
    for (const filter of ['emails[type eq "work"] pr', 'emails[type eq "work"].value eq "x"']) {
      expect((await refusal(client.list("User", { filter }))).answer).toBe("400 invalidFilter");
    }
  });

  test("R7644-F-22 an extension's attribute without its URN, in strict", async () => {
    const refused = await refusal(client.list("User", { filter: 'department eq "x"' }));
    expect(refused).toMatchObject({
      answer: "400 invalidFilter",
      detail: expect.stringContaining("department"),
    });
  });
});

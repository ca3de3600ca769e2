import { beforeAll, describe, expect, test } from "vitest";
import type { ServiceLimits } from "../../src/index.ts";
import { enterprise, group, user } from "../support/bodies.ts";
import type { Query } from "../support/client.ts";
import { namesOf, TEST_SEAL, walk } from "../support/cursors.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";

const COUNT = 12;

/** A service with users by number, of which the title falls where the number rises, and a group. */
async function started(limits: Partial<ServiceLimits>): Promise<TestService> {
  const tested = testService(undefined, { limits, cursorSeal: TEST_SEAL });
  for (let index = 0; index < COUNT; index += 1) {
    const title = `t${String(COUNT - index).padStart(2, "0")}`;
    await tested
      .as()
      .post("User", user({ userName: `u${index}`, title, emails: [{ value: `e${index}@x.example` }] }));
  }
  await tested.as().post("Group", group({ displayName: "g" }));
  return tested;
}

describe("R7644-3.4.2-05 400 tooMany: what would have to be sorted for a page", () => {
  let tested: TestService;
  beforeAll(async () => {
    tested = await started({ sortedResults: 10, pageSize: 2 });
  });

  test.each<readonly [string, Query]>([
    ["the first page", { sortBy: "title" }],
    ["up to the ceiling", { sortBy: "title", startIndex: 9 }],
    ["behind the end of a short list", { sortBy: "title", filter: 'title sw "t0"', startIndex: 1000 }],
    ["any page without sort", { startIndex: 11 }],
    ["the number of resources alone", { sortBy: "title", startIndex: 11, count: 0 }],
  ])("answered: %s", async (_name, query) => {
    for (const type of ["User", null]) {
      expect((await tested.as().list(type, query)).totalResults).toBeGreaterThan(0);
    }
  });

  test.each<readonly [string, Query]>([
    ["over the ceiling", { sortBy: "title", startIndex: 10 }],
    ["a large page", { sortBy: "title", count: 11 }],
    ["filtered", { sortBy: "title", sortOrder: "descending", filter: "title pr", startIndex: 10 }],
  ])("refused, with the limit and what to do: %s", async (_name, query) => {
    for (const type of ["User", null]) {
      const refused = await refusal(tested.as().list(type, query));
      expect(refused.answer).toBe("400 tooMany");
      for (const hint of ["10", "'cursor'", "filter", "index"]) expect(refused.detail).toContain(hint);
    }
  });

  test("no page by cursor is too deep", async () => {
    const expected = Array.from({ length: COUNT }, (_, index) => `u${COUNT - 1 - index}`);
    const query = { sortBy: "title", count: 5 };
    expect(namesOf(await walk(tested.as(), "User", { query }))).toEqual(expected);
    expect(namesOf(await walk(tested.as(), null, { query }))).toEqual([...expected, "g"]);
  });
});

describe("R7644-7.5.2-02 403 sensitive: a filter in an address", () => {
  const URN = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
  const CORE = "urn:ietf:params:scim:schemas:core:2.0:User";
  let tested: TestService;
  beforeAll(async () => {
    const ofUsers = [`${URN}:employeeNumber`, `${CORE.toUpperCase()}:phoneNumbers.value`, `${CORE}:photos`];
    tested = await started({
      sensitiveAttributes: ["USERNAME", "emails.value", "name", ...ofUsers, "members"],
    });
    await tested.as().post("User", user({ userName: "x", ...enterprise({ employeeNumber: "7" }) }));
  });

  const ROWS: readonly (readonly [string, string, string])[] = [
    ["User", 'userName eq "u1"', "userName"],
    ["User", 'title pr and not (USERNAME sw "u")', "userName"],
    ["User", 'emails.value eq "e1@x.example"', "emails.value"],
    ["User", 'emails eq "e1@x.example"', "emails.value"],
    ["User", 'emails[type eq "work" or value eq "e1@x.example"]', "emails.value"],
    ["User", 'name.familyName eq "x"', "name.familyName"],
    ["User", 'name[familyName eq "x"]', "name"],
    ["User", `${URN}:employeeNumber eq "7"`, "employeeNumber"],
    ["User", 'phoneNumbers.value eq "1"', "phoneNumbers.value"],
    ["User", `${CORE}:photos[type eq "photo"]`, "photos"],
    ["Group", 'members.value eq "id-1"', "members.value"],
    ["Group", 'members[value eq "id-1"]', "members"],
  ];

  test.each(ROWS)("%s: %s", async (type, filter, attribute) => {
    for (const where of [type, null]) {
      const refused = await refusal(tested.as().list(where, { filter, source: "address" }));
      expect(refused.answer).toBe("403 sensitive");
      expect(refused.detail).toContain(`${attribute}'`);
      expect(refused.detail).toContain("/.search");
      expect(refused.detail).not.toContain("x.example");
      await expect(tested.as().list(where, { filter, source: "body" })).resolves.toMatchObject({
        kind: "list",
      });
    }
  });

  test.each([
    ["User", 'title eq "t01"'],
    ["User", 'emails.type eq "work"'],
    ["User", 'emails[type eq "work"]'],
    ["User", 'nickName eq "userName"'],
    ["Group", 'displayName eq "g"'],
  ])("other attributes, and other parts of them, may be named: %s %s", async (type, filter) => {
    await expect(tested.as().list(type, { filter, source: "address" })).resolves.toMatchObject({
      kind: "list",
    });
  });

  test("by default nothing is held sensitive", async () => {
    const plain = testService().as();
    await expect(plain.list("User", { filter: 'userName eq "x"', source: "address" })).resolves.toMatchObject(
      {
        totalResults: 0,
      },
    );
  });
});

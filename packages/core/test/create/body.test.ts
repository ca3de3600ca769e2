import { ENTERPRISE_USER_URN, GROUP_URN, USER_URN, type JsonObject, type JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { enterprise, group, metaOf, ownValues, user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService } from "../support/service.ts";
import { bindTestExtension, extended, TEST_URN } from "../support/test-extension.ts";

const UNKNOWN_URN = "urn:example:unknown";

describe("what comes back", () => {
  test("R7643-3.1-06, R7643-3.1-07, R7644-3.3-06 id and meta are the service's", async () => {
    const answer = await testService().as().post("Group", group());
    const at = "2026-01-01T00:00:01.000Z";
    expect(answer).toEqual({
      kind: "resource",
      version: answer.version,
      location: `${BASE_URL}/Groups/id-1`,
      resource: {
        schemas: [GROUP_URN],
        id: "id-1",
        displayName: "Tour Guides",
        meta: {
          resourceType: "Group",
          created: at,
          lastModified: at,
          location: `${BASE_URL}/Groups/id-1`,
          version: `W/"${answer.version}"`,
        },
      },
    });
  });

  test("what is answered is what a read answers", async () => {
    const client = testService().as();
    const created = await client.post("User", user({ name: { givenName: "Barbara" } }));
    expect(await client.get("User", "id-1")).toEqual(created);
  });
});

describe("normal form", () => {
  const NORMALISED: readonly (readonly [string, JsonObject, JsonObject])[] = [
    [
      "R7643-2.1-01 names in any letter case",
      { NICKNAME: "Babs", nAmE: { GIVENname: "Barbara" }, EMails: [{ VALUE: "b@x.example" }] },
      { nickName: "Babs", name: { givenName: "Barbara" }, emails: [{ value: "b@x.example" }] },
    ],
    [
      "R7643-2.5-01 null, [] and {} are no values",
      { nickName: null, emails: [], name: {}, phoneNumbers: [null, {}], groups: [], title: "Guide" },
      { title: "Guide" },
    ],
    [
      "R7643-2.5-01 null, [] and {} within values",
      { name: { givenName: null, familyName: "Jensen" }, emails: [{ value: "b@x.example", type: null }] },
      { name: { familyName: "Jensen" }, emails: [{ value: "b@x.example" }] },
    ],
    ["an empty string is a value", { nickName: "" }, { nickName: "" }],
    [
      "A-SCH-07 one object for a list",
      { emails: { value: "b@x.example" } },
      { emails: [{ value: "b@x.example" }] },
    ],
    [
      "R7643-2.1-01 the URN of an extension in any letter case",
      { [ENTERPRISE_USER_URN.toUpperCase()]: { DEPARTMENT: "Tours" } },
      enterprise({ department: "Tours" }),
    ],
    ["an extension whose values are all null is none", enterprise({ department: null }), {}],
  ];

  test.each(NORMALISED)("%s", async (_name, sent, kept) => {
    const { resource } = await testService().as().post("User", user(sent));
    expect(ownValues(resource)).toEqual({ userName: "bjensen", ...kept });
  });

  test("R7643-2.1-04 names that differ in letter case alone are refused", async () => {
    const client = testService().as("tolerant");
    for (const body of [
      user({ USERNAME: "other" }),
      user({ name: { givenName: "a", GivenName: "b" } }),
      user({ emails: [{ value: "a@x.example", Value: "b@x.example" }] }),
      user(enterprise({ department: "a", Department: "b" })),
    ]) {
      expect((await refusal(client.post("User", body))).answer).toBe("400 invalidSyntax");
    }
  });

  test("the body of the store holds no null, no schemas, no id and no meta", async () => {
    const tested = testService();
    await tested.as("tolerant").post("User", user({ id: "x", meta: { version: "1" }, nickName: null }));
    const select = { collections: [], inverses: [] };
    const stored = await tested.store.read(tested.context(), { type: "User", id: "id-1" }, select);
    expect(stored?.body).toEqual({ userName: "bjensen" });
  });
});

describe("schemas", () => {
  interface Row {
    readonly schemas: JsonValue;
    readonly strict: string;
    readonly tolerant: string;
  }
  const created = "created";
  const ROWS: readonly (readonly [string, Row])[] = [
    ["the base schema", { schemas: [USER_URN], strict: created, tolerant: created }],
    ["in another letter case", { schemas: [USER_URN.toUpperCase()], strict: created, tolerant: created }],
    ["R7643-3-01 named twice", { schemas: [USER_URN, USER_URN], strict: created, tolerant: created }],
    [
      "R7643-3-03 an extension without data",
      { schemas: [USER_URN, ENTERPRISE_USER_URN], strict: created, tolerant: created },
    ],
    ["R7643-3-01 an empty list", { schemas: [], strict: "400 invalidSyntax", tolerant: "400 invalidSyntax" }],
    ["null", { schemas: null, strict: "400 invalidSyntax", tolerant: "400 invalidSyntax" }],
    ["text", { schemas: USER_URN, strict: "400 invalidSyntax", tolerant: "400 invalidSyntax" }],
    [
      "a number in it",
      { schemas: [USER_URN, 1], strict: "400 invalidSyntax", tolerant: "400 invalidSyntax" },
    ],
    [
      "an unknown URN beside the base",
      { schemas: [USER_URN, UNKNOWN_URN], strict: "400 invalidSyntax", tolerant: created },
    ],
    ["another type's", { schemas: [GROUP_URN], strict: "400 invalidSyntax", tolerant: created }],
    [
      "an extension without the base",
      { schemas: [ENTERPRISE_USER_URN], strict: "400 invalidSyntax", tolerant: created },
    ],
  ];

  async function outcome(profile: "strict" | "tolerant", body: JsonObject): Promise<string> {
    const request = testService().as(profile).post("User", body);
    return request.then(
      () => created,
      async () => (await refusal(request)).answer,
    );
  }

  test.each(ROWS)("%s", async (_name, { schemas, strict, tolerant }) => {
    const body = { schemas, userName: "bjensen" };
    expect(await outcome("strict", body)).toBe(strict);
    expect(await outcome("tolerant", body)).toBe(tolerant);
  });

  test("A-SCH-01 missing, in both profiles", async () => {
    expect(await outcome("strict", { userName: "bjensen" })).toBe("400 invalidSyntax");
    expect(await outcome("tolerant", { userName: "bjensen" })).toBe("400 invalidSyntax");
  });

  test("a tolerated list is reported", async () => {
    const tested = testService();
    await tested.as("tolerant").post("User", { schemas: [GROUP_URN], userName: "bjensen" });
    expect(tested.fired).toEqual(["unknown-attributes schemas"]);
  });

  test("R7643-3-03 they follow from the values: an extension with data whose URN is not listed is", async () => {
    const client = testService().as();
    const withData = await client.post("User", user(enterprise({ department: "Tours" })));
    expect(withData.resource["schemas"]).toEqual([USER_URN, ENTERPRISE_USER_URN]);
    const without = await client.post("User", {
      schemas: [USER_URN, ENTERPRISE_USER_URN],
      userName: "another",
    });
    expect(without.resource["schemas"]).toEqual([USER_URN]);
  });

  test("R7643-6-02 a required extension must be there, and is always listed", async () => {
    const client = testService(bindTestExtension({}, true)).as();
    const refused = await refusal(client.post("User", user()));
    expect(refused).toMatchObject({
      answer: "400 invalidValue",
      detail: expect.stringContaining(`'${TEST_URN}'`),
    });
    const { resource } = await client.post("User", user(extended({ code: "x" })));
    expect(resource["schemas"]).toEqual([USER_URN, TEST_URN]);
  });
});

describe("readOnly attributes (specification: rejected)", () => {
  const ROWS: readonly (readonly [string, JsonObject, string, string])[] = [
    ["groups with a value", { groups: [{ value: "g" }] }, "400 mutability", "400 mutability"],
    ["groups: []", { groups: [] }, "created", "created"],
    ["groups: null", { groups: null }, "created", "created"],
    ["id", { id: "mine" }, "400 mutability", "created"],
    ["meta", { meta: { resourceType: "User" } }, "400 mutability", "created"],
    ["an extension's", extended({ quota: 5 }), "400 mutability", "400 mutability"],
    ["manager.displayName", enterprise({ manager: { value: "m", displayName: "M" } }), "created", "created"],
  ];

  test.each(ROWS)("%s", async (_name, sent, strict, tolerant) => {
    for (const [profile, expected] of [
      ["strict", strict],
      ["tolerant", tolerant],
    ] as const) {
      const request = testService(bindTestExtension()).as(profile).post("User", user(sent));
      const outcome = await request.then(
        () => "created",
        async () => (await refusal(request)).answer,
      );
      expect(outcome).toBe(expected);
    }
  });

  test("R7643-3.1-03 an id and a meta that are tolerated change nothing, and are reported", async () => {
    const tested = testService();
    const { resource } = await tested
      .as("tolerant")
      .post("User", user({ id: "mine", meta: { resourceType: "Robot", created: "2000-01-01T00:00:00Z" } }));
    expect(resource["id"]).toBe("id-1");
    expect(metaOf(resource, "resourceType")).toBe("User");
    expect(tested.fired).toEqual(["ignore-read-only id", "ignore-read-only meta"]);
  });

  test("the value of a readOnly sub-attribute is not kept", async () => {
    const sent = enterprise({ manager: { value: "m", displayName: "M" } });
    const { resource } = await testService().as().post("User", user(sent));
    expect(resource[ENTERPRISE_USER_URN]).toEqual({
      manager: { value: "m", $ref: `${BASE_URL}/Users/m` },
    });
  });
});

describe("required attributes", () => {
  const MISSING: readonly (readonly [string, string, JsonObject, string])[] = [
    ["R7643-4.1-01 userName", "User", { schemas: [USER_URN] }, "userName"],
    ["R7643-4.1-01 userName null", "User", user({ userName: null }), "userName"],
    ["R7643-4.1-01 userName empty", "User", user({ userName: "" }), "userName"],
    ["R7643-4.2-01 displayName", "Group", { schemas: [GROUP_URN] }, "displayName"],
    [
      "a sub-attribute of a value",
      "User",
      user(extended({ rows: [{ key: "a" }, { data: "b" }] })),
      `${TEST_URN}:rows[1].key`,
    ],
    [
      "a sub-attribute of a complex attribute that is there",
      "User",
      user(extended({ profile: { level: 1 } })),
      `${TEST_URN}:profile.grade`,
    ],
  ];

  test.each(MISSING)("%s", async (_name, type, body, path) => {
    const refused = await refusal(testService(bindTestExtension()).as("tolerant").post(type, body));
    expect(refused.answer).toBe("400 invalidValue");
    expect(refused.detail).toContain(`'${path}'`);
  });
});

describe("the body itself", () => {
  test.each([[null], [[]], ["text"], [1], [true]])("%j is no resource", async (body) => {
    expect((await refusal(testService().as("tolerant").post("User", body))).answer).toBe("400 invalidSyntax");
  });

  test("an unknown resource type is 404", async () => {
    expect((await refusal(testService().as().post("Robot", user()))).answer).toBe("404");
  });
});

import { ENTERPRISE_USER_URN, type JsonObject, type JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { enterprise, group, ownValues, user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService } from "../support/service.ts";

const USER_1 = `${BASE_URL}/Users/u1`;
const GROUP_1 = `${BASE_URL}/Groups/g1`;

async function membersOf(members: JsonValue): Promise<JsonValue | undefined> {
  return (await testService().as().post("Group", group({ members }))).resource["members"];
}

describe("members: form is checked, existence never", () => {
  const KEPT: readonly (readonly [string, JsonValue, JsonValue | undefined])[] = [
    ["an id that names nothing", [{ value: "u1" }], [{ value: "u1" }]],
    [
      "with a type: $ref is made",
      [{ value: "u1", type: "User" }],
      [{ value: "u1", $ref: USER_1, type: "User" }],
    ],
    [
      "a type in another letter case",
      [{ value: "g1", type: "gROUP" }],
      [{ value: "g1", $ref: GROUP_1, type: "Group" }],
    ],
    [
      "a type told by an absolute $ref",
      [{ value: "u1", $ref: "https://other.example/v2/Users/u1" }],
      [{ value: "u1", $ref: USER_1, type: "User" }],
    ],
    [
      "R7643-2.3.7-01 a type told by a relative $ref",
      [{ value: "g1", $ref: "../Groups/g1" }],
      [{ value: "g1", $ref: GROUP_1, type: "Group" }],
    ],
    ["an id told by $ref alone", [{ $ref: "Users/u1" }], [{ value: "u1", $ref: USER_1, type: "User" }]],
    ["a $ref that names no endpoint", [{ value: "u1", $ref: "https://x.example/me" }], [{ value: "u1" }]],
    ["$ref: null", [{ $ref: null, value: "u1" }], [{ value: "u1" }]],
    ["R7643-2.5-02 $ref: []", [{ $ref: [], value: "u1" }], [{ value: "u1" }]],
    ['$ref: ""', [{ $ref: "", value: "u1" }], [{ value: "u1" }]],
    ["display as sent", [{ value: "u1", display: "Babs" }], [{ value: "u1", display: "Babs" }]],
    [
      "the order is that of sending",
      [{ value: "c" }, { value: "a" }, { value: "b" }],
      [{ value: "c" }, { value: "a" }, { value: "b" }],
    ],
    [
      "R7643-2.4-07 the same id twice is one member",
      [{ value: "u1" }, { value: "u2" }, { value: "u1", display: "Babs" }],
      [{ value: "u1", display: "Babs" }, { value: "u2" }],
    ],
    ["ids are case-exact", [{ value: "u1" }, { value: "U1" }], [{ value: "u1" }, { value: "U1" }]],
    ["none", [], undefined],
  ];

  test.each(KEPT)("%s", async (_name, sent, kept) => {
    expect(await membersOf(sent)).toEqual(kept);
  });

  test("every id that our stores make, 128 characters of RFC 3986 unreserved", async () => {
    const id = "A-z.0_~".padEnd(128, "9");
    expect(await membersOf([{ value: id }])).toEqual([{ value: id }]);
  });

  const REFUSED: readonly (readonly [string, JsonValue, string])[] = [
    ["no value", [{ value: "u1" }, { display: "x" }], "members[1].value"],
    ["an empty object among others is dropped, an empty value is not", [{ value: "" }], "members[0].value"],
    ["value: null", [{ value: null, type: "User" }], "members[0].value"],
    ["a space in an id", [{ value: "a b" }], "members[0].value"],
    ["a slash in an id", [{ value: "../Users" }], "members[0].value"],
    ["129 characters", [{ value: "x".repeat(129) }], "members[0].value"],
    ["an id that is no text", [{ value: 5 }], "members[0].value"],
    ["an unknown type", [{ value: "u1" }, { value: "u2", type: "Robot" }], "members[1].type"],
    ["a type that is no text", [{ value: "u1", type: 1 }], "members[0].type"],
    ["a $ref that is no URI", [{ value: "u1", $ref: "not a uri" }], "members[0].$ref"],
    ["a $ref that is no text", [{ value: "u1", $ref: 5 }], "members[0].$ref"],
  ];

  test.each(REFUSED)("refused in every profile: %s", async (_name, members, path) => {
    for (const profile of ["strict", "tolerant"] as const) {
      const refused = await refusal(testService().as(profile).post("Group", group({ members })));
      expect(refused.answer).toBe("400 invalidValue");
      expect(refused.detail).toContain(`'${path}'`);
    }
  });
});

describe("a singular reference (manager)", () => {
  const KEPT: readonly (readonly [string, JsonObject, JsonValue])[] = [
    ["an id that names nothing", { value: "u9" }, { value: "u9", $ref: `${BASE_URL}/Users/u9` }],
    [
      "the $ref of a client is never kept",
      { value: "u9", $ref: "https://evil.example/Users/other" },
      { value: "u9", $ref: `${BASE_URL}/Users/u9` },
    ],
    ["an id told by $ref alone", { $ref: "../Users/u9" }, { value: "u9", $ref: `${BASE_URL}/Users/u9` }],
    [
      "an id that must be escaped in an address",
      { value: "a/b c" },
      { value: "a/b c", $ref: `${BASE_URL}/Users/a%2Fb%20c` },
    ],
  ];

  test.each(KEPT)("%s", async (_name, manager, kept) => {
    const { resource } = await testService()
      .as()
      .post("User", user(enterprise({ manager })));
    expect(resource[ENTERPRISE_USER_URN]).toEqual({ manager: kept });
  });

  test.each<JsonObject>([{ $ref: null }, { value: "" }, { value: "", $ref: "" }])(
    "%j and nothing else is no manager, in every profile",
    async (manager) => {
      for (const profile of ["strict", "tolerant"] as const) {
        const { resource } = await testService()
          .as(profile)
          .post("User", user(enterprise({ manager })));
        expect(ownValues(resource)).toEqual({ userName: "bjensen" });
      }
    },
  );

  test("an empty id beside a $ref is told by that", async () => {
    const { resource } = await testService()
      .as()
      .post("User", user(enterprise({ manager: { value: "", $ref: "../Users/u9" } })));
    expect(resource[ENTERPRISE_USER_URN]).toEqual({ manager: { value: "u9", $ref: `${BASE_URL}/Users/u9` } });
  });

  const MANAGER = `${ENTERPRISE_USER_URN}:manager`;
  const NOBODY: readonly JsonObject[] = [
    { op: "replace", path: MANAGER, value: { value: "" } },
    { op: "replace", path: `${MANAGER}.value`, value: "" },
    { op: "replace", path: ENTERPRISE_USER_URN, value: { manager: { value: "" } } },
    { op: "replace", value: { [ENTERPRISE_USER_URN]: { manager: { value: "" } } } },
    { op: "replace", value: { [`${MANAGER}.value`]: "" } },
  ];

  test.each(NOBODY)("an empty id takes it away: %j", async (operation) => {
    for (const profile of ["strict", "tolerant"] as const) {
      const client = testService().as(profile);
      await client.post("User", user(enterprise({ manager: { value: "u9" } })));
      expect(ownValues(await client.patched("User", "id-1", [operation]))).toEqual({ userName: "bjensen" });
    }
  });

  test.each<JsonObject>([
    { op: "add", path: MANAGER, value: { value: "" } },
    { op: "add", path: `${MANAGER}.value`, value: "" },
  ])("an empty id adds nothing: %j", async (operation) => {
    const client = testService().as();
    await client.post("User", user(enterprise({ manager: { value: "u9" } })));
    const { [ENTERPRISE_USER_URN]: kept } = await client.patched("User", "id-1", [operation]);
    expect(kept).toMatchObject({ manager: { value: "u9" } });
  });
});

describe("deleting what is referred to", () => {
  test("R7644-3.6-05 replaced: members of others and managers stay as they were", async () => {
    const client = testService().as();
    const { resource } = await client.post("User", user());
    const id = String(resource["id"]);
    const owner = await client.post("Group", group({ members: [{ value: id, type: "User" }] }));
    await client.post("User", user({ userName: "report", ...enterprise({ manager: { value: id } }) }));
    await client.delete("User", id);
    expect((await refusal(client.get("User", id))).answer).toBe("404");
    expect(await client.get("Group", String(owner.resource["id"]))).toEqual(owner);
    expect(await client.matches("User", `${ENTERPRISE_USER_URN}:manager.value eq "${id}"`)).toEqual(["id-3"]);
  });

  test("R7644-3.6-02, R7644-3.6-04 it is gone, and its userName is free", async () => {
    const client = testService().as();
    await client.post("User", user());
    await client.delete("User", "id-1");
    for (const request of [
      client.get("User", "id-1"),
      client.put("User", "id-1", user()),
      client.patch("User", "id-1", [{ op: "replace", path: "title", value: "x" }]),
      client.delete("User", "id-1"),
    ]) {
      expect((await refusal(request)).answer).toBe("404");
    }
    expect((await client.list("User")).totalResults).toBe(0);
    expect((await client.post("User", user())).resource["id"]).toBe("id-2");
  });
});

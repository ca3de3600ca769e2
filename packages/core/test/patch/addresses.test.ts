import { ENTERPRISE_USER_URN, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { enterprise, group, user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService } from "../support/service.ts";

const MANAGER = `${ENTERPRISE_USER_URN}:manager`;

describe("the $ref of a reference is made by the service, never kept", () => {
  test.each<readonly [string, JsonObject, readonly JsonObject[]]>([
    [
      "that names no endpoint changes nothing",
      { path: 'members[value eq "u1"].$ref', value: "https://other.example/x" },
      [{ value: "u1" }],
    ],
    [
      "that names an endpoint tells the type",
      { path: 'members[value eq "u1"].$ref', value: "../Users/u1" },
      [{ value: "u1", type: "User", $ref: `${BASE_URL}/Users/u1` }],
    ],
    ["that is removed stays", { op: "remove", path: 'members[value eq "u1"].$ref' }, [{ value: "u1" }]],
  ])("one of a member %s", async (_name, operation, members) => {
    const client = testService().as("strict");
    await client.post("Group", group({ members: [{ value: "u1" }] }));
    const patched = await client.patched("Group", "id-1", [{ op: "add", ...operation }]);
    expect(patched["members"]).toEqual(members);
    expect(await client.resource("Group", "id-1")).toEqual(patched);
  });

  test("one of a manager names another", async () => {
    const client = testService().as("strict");
    await client.post("User", user(enterprise({ manager: { value: "u1" } })));
    const operation = { op: "replace", path: `${MANAGER}.$ref`, value: "../Users/u2" };
    const patched = await client.patched("User", "id-1", [operation]);
    expect(patched[ENTERPRISE_USER_URN]).toEqual({
      manager: { value: "u2", $ref: `${BASE_URL}/Users/u2` },
    });
    expect(await client.resource("User", "id-1")).toEqual(patched);
  });

  const ADDRESS = { $ref: `${BASE_URL}/Users/u1` };

  test.each<readonly [string, readonly JsonObject[]]>([
    ["a list", [{ op: "remove", path: "members", value: [{ $ref: "../Users/u1" }] }]],
    ["a list of several", [{ op: "remove", path: "members", value: [{ value: "x" }, ADDRESS] }]],
    ["one object", [{ op: "remove", path: "members", value: ADDRESS }]],
    ["another spelling", [{ op: "Remove", path: "Members", value: [{ $REF: "/users/u1", value: null }] }]],
    ["an object under the name", [{ op: "remove", path: "members", value: { members: [ADDRESS] } }]],
    [
      "one of several operations",
      [
        { op: "remove", path: "members", value: [{ value: "x" }] },
        { op: "add", path: "members", value: [{ value: "u1" }] },
        { op: "remove", path: "members", value: [ADDRESS] },
      ],
    ],
  ])("R7644-3.5.2.2-10 one names the member to remove, in %s", async (_name, operations) => {
    const client = testService().as("tolerant");
    await client.post("Group", group({ members: [{ value: "u1" }, { value: "u2" }] }));
    const patched = await client.patched("Group", "id-1", operations);
    expect(patched["members"]).toEqual([{ value: "u2" }]);
  });

  test.each<readonly [string, JsonObject, string]>([
    ["that names no endpoint", { $ref: "https://other.example/x" }, "'members[0].value' is required"],
    ["that is no address", { $ref: "a b" }, "'members[0].$ref' must be a URI"],
    ["without any", { display: "u1" }, "'members[0].value' is required"],
  ])("one %s names none to remove", async (_name, value, told) => {
    const client = testService().as();
    const { version } = await client.post("Group", group({ members: [{ value: "u1" }] }));
    const remove = [{ op: "remove", path: "members", value: [value] }];
    const refused = await refusal(client.patched("Group", "id-1", remove));
    expect(refused).toMatchObject({ answer: "400 invalidValue", detail: expect.stringContaining(told) });
    expect((await client.get("Group", "id-1")).version).toBe(version);
  });

  test.each(["remove", "replace", "add"])("nor selected by in %s: it would select nothing", async (op) => {
    const client = testService().as();
    const { version } = await client.post("Group", group({ members: [{ value: "u1", type: "User" }] }));
    const path = `members[$ref eq "${BASE_URL}/Users/u1"].display`;
    const refused = await refusal(client.patched("Group", "id-1", [{ op, path, value: "x" }]));
    expect(refused).toMatchObject({
      answer: "400 invalidFilter",
      detail: expect.stringContaining("'members.value'"),
    });
    expect((await client.get("Group", "id-1")).version).toBe(version);
  });
});

import { USER_RESOURCE_TYPE, USER_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { ownValues, user } from "../support/bodies.ts";
import { idOf, type TestClient } from "../support/client.ts";
import { testService } from "../support/service.ts";

const MARK_URN = "urn:example:params:scim:schemas:extension:acme:1.0:User";

function marked(required: boolean): TestClient {
  return testService((registry) => {
    registry.addSchema({ id: MARK_URN, name: "Mark", attributes: [] });
    const schemaExtensions = [{ schema: MARK_URN, required }];
    registry.addResourceType({ ...USER_RESOURCE_TYPE, schemaExtensions }, { allowBreaking: true });
  }).as("strict");
}

describe("an extension without attributes", () => {
  test.each([
    ["named in schemas", { schemas: [USER_URN, MARK_URN] }],
    ["given as an empty object", { [MARK_URN]: {} }],
    ["given as null", { [MARK_URN]: null }],
    ["left out", {}],
  ])("may be %s, and adds nothing to the values", async (_name, members) => {
    for (const required of [false, true]) {
      const client = marked(required);
      const { resource } = await client.post("User", user(members));
      expect(ownValues(resource)).toEqual(ownValues(user()));
      expect(resource["schemas"]).toEqual(required ? [USER_URN, MARK_URN] : [USER_URN]);
      const replaced = await client.put("User", String(resource["id"]), user(members));
      expect(replaced.resource).toEqual(resource);
    }
  });

  test.each([
    { op: "add", path: MARK_URN, value: {} },
    { op: "replace", value: { [MARK_URN]: {} } },
    { op: "remove", path: MARK_URN },
  ])("is changed by no PATCH: %j", async (operation) => {
    for (const required of [false, true]) {
      const client = marked(required);
      const { resource } = await client.post("User", user());
      expect(await client.patched("User", String(resource["id"]), [operation])).toEqual(resource);
    }
  });

  test("is found by its name, and shows nothing", async () => {
    const client = marked(true);
    const created = await client.post("User", user());
    expect(await client.matches("User", `schemas eq "${MARK_URN}"`)).toEqual([idOf(created)]);
    const asked = await client.resource("User", idOf(created), { attributes: [MARK_URN] });
    expect(ownValues(asked)).toEqual({});
  });
});

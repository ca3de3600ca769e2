import { USER_RESOURCE_TYPE } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { ownValues, user } from "../support/bodies.ts";
import { idOf, type TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";
import { bindTestExtension, TEST_URN } from "../support/test-extension.ts";

const BADGE_URN = "urn:example:params:scim:schemas:extension:acme:1.0:User";

function withBadge(required: boolean): TestClient {
  return testService((registry) => {
    registry.addSchema({
      id: BADGE_URN,
      attributes: [
        { name: "number", type: "string", required: true },
        { name: "doors", type: "string", multiValued: true, required: true },
      ],
    });
    registry.addResourceType(
      {
        ...USER_RESOURCE_TYPE,
        schemaExtensions: [{ schema: BADGE_URN, required }],
      },
      { allowBreaking: true },
    );
  }).as("strict");
}

describe("an extension as a whole", () => {
  const body = user({ [BADGE_URN]: { number: "7", doors: ["a"] } });

  test.each([
    { op: "remove", path: BADGE_URN },
    { op: "remove", path: `${BADGE_URN}:` },
    { op: "replace", path: BADGE_URN, value: null },
    { op: "replace", value: { [BADGE_URN]: null } },
  ])("goes with the attributes that it requires: %j", async (operation) => {
    const client = withBadge(false);
    const id = idOf(await client.post("User", body));
    expect(ownValues(await client.patched("User", id, [operation]))).toEqual(ownValues(user()));
  });

  test("R7644-3.5.2.2-07 stays where the resource type requires it", async () => {
    const client = withBadge(true);
    const id = idOf(await client.post("User", body));
    const refused = await refusal(client.patch("User", id, [{ op: "remove", path: BADGE_URN }]));
    expect(refused.answer).toBe("400 mutability");
  });
});

describe("R7644-3.5.2.3-05 replacing all values of a list", () => {
  const path = `${TEST_URN}:items`;

  async function created(): Promise<readonly [TestClient, string]> {
    const client = testService(bindTestExtension()).as("strict");
    const items = [{ value: "a", lock: "red" }, { value: "b" }];
    return [client, idOf(await client.post("User", user({ [TEST_URN]: { items } })))];
  }

  test("keeps what is immutable in those that stay, as PUT does", async () => {
    const [client, id] = await created();
    const value = [{ value: "A", qty: 2 }, { value: "c" }];
    const patched = await client.patched("User", id, [{ op: "replace", path, value }]);
    const [, extension] = Object.entries(patched).find(([name]) => name === TEST_URN) ?? [];
    expect(extension).toEqual({ items: [{ value: "A", qty: 2, lock: "red" }, { value: "c" }] });
  });

  test("refuses to change it", async () => {
    const [client, id] = await created();
    const value = [{ value: "a", lock: "blue" }];
    const refused = await refusal(client.patch("User", id, [{ op: "replace", path, value }]));
    expect(refused).toMatchObject({ answer: "400 mutability" });
    expect(refused.detail).toContain(`${path}.lock`);
  });
});

describe("R7644-3.5.2.1-09 a value path that matches nothing", () => {
  test.each([
    ["add", "emails[primary eq true]", { value: "a", primary: false }],
    ["add", 'emails[type eq "work"].type', "home"],
    ["replace", "emails[primary eq true].primary", false],
  ])("makes no value that it would not match: %s %s %j", async (op, path, value) => {
    const client = testService().as("tolerant");
    const id = idOf(await client.post("User", user()));
    expect((await refusal(client.patch("User", id, [{ op, path, value }]))).answer).toBe("400 noTarget");
  });
});

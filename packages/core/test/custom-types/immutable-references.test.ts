import { USER_RESOURCE_TYPE, type JsonObject, type JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { ownValues, user } from "../support/bodies.ts";
import { idOf, type TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";

const BOX_URN = "urn:example:params:scim:schemas:acme:1.0:Box";
const BADGE_URN = "urn:example:params:scim:schemas:extension:acme:1.0:User";

function friends(characteristics: JsonObject): JsonObject {
  const value = { name: "value", type: "string", required: true };
  const address = { name: "$ref", type: "reference", referenceTypes: ["User"] };
  const parts = { type: "complex", multiValued: true, subAttributes: [value, address] };
  return { name: "friends", ...parts, ...characteristics };
}

function idsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value.map((each: JsonObject) => each["value"] ?? null) : [];
}

describe("a list of references that is immutable", () => {
  async function created(values: readonly string[]): Promise<readonly [TestClient, string]> {
    const client = testService((registry) => {
      const title = { name: "title", type: "string" };
      registry.addSchema({ id: BOX_URN, attributes: [title, friends({ mutability: "immutable" })] });
      registry.addResourceType({ name: "Box", endpoint: "/Boxes", schema: BOX_URN });
    }).as("tolerant");
    return [client, idOf(await client.post("Box", box(values)))];
  }
  const listOf = (values: readonly string[]): readonly JsonObject[] => values.map((value) => ({ value }));
  const box = (values: readonly string[], more: JsonObject = {}): JsonObject => ({
    schemas: [BOX_URN],
    friends: listOf(values),
    ...more,
  });

  test.each([
    ["R7644-3.5.1-07 left out", []],
    ["R7644-3.5.1-06 as it is", ["a", "b"]],
    ["R7644-3.5.1-06 in another order", ["b", "a"]],
  ])("%s in PUT: kept", async (_name, values) => {
    const [client, id] = await created(["a", "b"]);
    const { resource } = await client.put("Box", id, box(values, { title: "new" }));
    expect([resource["title"], idsOf(resource["friends"])]).toEqual(["new", ["a", "b"]]);
    expect(idsOf((await client.resource("Box", id))["friends"])).toEqual(["a", "b"]);
  });

  test.each([[["a"]], [["a", "b", "c"]], [["c", "d"]]])(
    "R7644-3.5.1-06 %j in PUT is 400 mutability",
    async (values) => {
      const [client, id] = await created(["a", "b"]);
      const refused = await refusal(client.put("Box", id, box(values)));
      expect(refused.answer).toBe("400 mutability");
      expect(refused.detail).toContain("'friends'");
      expect(idsOf((await client.resource("Box", id))["friends"])).toEqual(["a", "b"]);
    },
  );

  test.each([
    { op: "add", path: "friends", value: listOf(["c"]) },
    { op: "add", path: "friends", value: listOf(["a", "c"]) },
    { op: "add", value: { friends: listOf(["c"]) } },
    { op: "add", path: 'friends[value eq "c"]', value: { value: "c" } },
    { op: "replace", path: "friends", value: listOf(["c"]) },
    { op: "remove", path: "friends", value: listOf(["a"]) },
    { op: "remove", path: "friends" },
  ])("R7644-3.5.2-22 PATCH that changes it is 400 mutability: %j", async (operation) => {
    const [client, id] = await created(["a", "b"]);
    const refused = await refusal(client.patch("Box", id, [operation]));
    expect(refused.answer).toBe("400 mutability");
    expect(refused.detail).toContain("'friends'");
    expect(idsOf((await client.resource("Box", id))["friends"])).toEqual(["a", "b"]);
  });

  test("takes what it has again, and its first values by PUT or PATCH", async () => {
    const [client, id] = await created([]);
    const operations = [{ op: "add", path: "friends", value: listOf(["a", "b"]) }];
    const set = await client.patched("Box", id, operations);
    expect(idsOf(set["friends"])).toEqual(["a", "b"]);
    expect(await client.patched("Box", id, operations)).toEqual(set);
    const [other, otherId] = await created([]);
    expect(idsOf((await other.put("Box", otherId, box(["a"]))).resource["friends"])).toEqual(["a"]);
  });
});

describe("R7644-3.5.1-07, R7644-3.5.2-38 an extension that a PUT leaves out, with what is immutable in it", () => {
  const badge: JsonObject = { name: "badge", type: "string", mutability: "immutable" };
  const site: JsonObject = { name: "site", type: "string", required: true };
  const note: JsonObject = { name: "note", type: "string" };
  const pass: JsonObject = {
    name: "pass",
    type: "complex",
    subAttributes: [
      { name: "code", type: "string", mutability: "immutable" },
      { name: "note", type: "string" },
    ],
  };
  const one = [{ value: "a" }];
  interface Case {
    readonly holds: string;
    readonly attributes: readonly JsonObject[];
    readonly values: JsonObject;
    readonly kept: JsonObject | undefined;
  }
  const CASES: readonly Case[] = [
    {
      holds: "a value",
      attributes: [badge, site, note],
      values: { badge: "1", site: "x", note: "n" },
      kept: { badge: "1", site: "x" },
    },
    {
      holds: "a part of a value",
      attributes: [pass, site, note],
      values: { pass: { code: "1", note: "n" }, site: "x", note: "n" },
      kept: { pass: { code: "1" }, site: "x" },
    },
    {
      holds: "a value beside required references",
      attributes: [badge, friends({ required: true }), note],
      values: { badge: "1", friends: one, note: "n" },
      kept: { badge: "1", friends: one },
    },
    {
      holds: "references beside a required value",
      attributes: [site, friends({ mutability: "immutable" }), note],
      values: { site: "x", friends: one, note: "n" },
      kept: { site: "x", friends: one },
    },
    {
      holds: "nothing",
      attributes: [site, friends({ required: true })],
      values: { site: "x", friends: one },
      kept: undefined,
    },
  ];

  test.each(CASES)("holds $holds: what it requires stays too", async ({ attributes, values, kept }) => {
    const client = testService((registry) => {
      registry.addSchema({ id: BADGE_URN, attributes });
      const schemaExtensions = [{ schema: BADGE_URN, required: false }];
      registry.addResourceType({ ...USER_RESOURCE_TYPE, schemaExtensions }, { allowBreaking: true });
    }).as("strict");
    const id = idOf(await client.post("User", user({ [BADGE_URN]: values })));
    const { resource } = await client.put("User", id, user({ title: "new" }));
    const expected = kept === undefined ? {} : { [BADGE_URN]: kept };
    expect(withoutAddresses(ownValues(resource))).toEqual(user({ title: "new", ...expected, schemas: null }));
    expect(await client.resource("User", id)).toEqual(resource);
    // What is stored is valid: any PATCH checks it as a whole.
    const patched = await client.patched("User", id, [{ op: "add", path: "nickName", value: "b" }]);
    expect(withoutAddresses(ownValues(patched))).toEqual(
      user({ title: "new", nickName: "b", ...expected, schemas: null }),
    );
  });
});

/** Values without the addresses that answers add, and with nothing said of schemas. */
function withoutAddresses(values: JsonObject): JsonObject {
  const text = JSON.stringify(values, (name, value: JsonValue) => (name === "$ref" ? undefined : value));
  return { ...(JSON.parse(text) as JsonObject), schemas: null };
}

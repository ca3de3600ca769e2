import { USER_RESOURCE_TYPE, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { ownValues, user } from "../support/bodies.ts";
import { idOf, type TestClient } from "../support/client.ts";
import { addGear, GEAR_URN, SPARE_URN } from "../support/gear.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";

const BADGE_URN = "urn:example:params:scim:schemas:extension:acme:1.0:User";

function gear(values: JsonObject): JsonObject {
  return { schemas: [GEAR_URN], ...values };
}

/** Creates a Gear, patches it, and tells what it holds. */
async function patched(values: JsonObject, operation: JsonObject): Promise<JsonObject> {
  const client = testService(addGear()).as("tolerant");
  const id = idOf(await client.post("Gear", gear(values)));
  return ownValues(await client.patched("Gear", id, [operation]));
}

/** A list of strings at the end of each kind of path, and operations that bring the value to it. */
const PLACES = [
  {
    place: "a complex attribute",
    path: "part.strings",
    whole: { path: "part" },
    holding: (strings: readonly string[]) => ({ part: { string: "kept", strings } }),
  },
  {
    place: "a complex attribute of an extension",
    path: `${SPARE_URN}:part.strings`,
    whole: { path: `${SPARE_URN}:part` },
    holding: (strings: readonly string[]) => ({ [SPARE_URN]: { part: { string: "kept", strings } } }),
  },
  {
    place: "a value that a path selects",
    path: 'parts[string eq "kept"].strings',
    whole: { path: 'parts[string eq "kept"]' },
    holding: (strings: readonly string[]) => ({ parts: [{ string: "kept", strings }, { string: "other" }] }),
  },
  {
    place: "a value that a path selects in an extension",
    path: `${SPARE_URN}:parts[string eq "kept"].strings`,
    whole: { path: `${SPARE_URN}:parts[string eq "kept"]` },
    holding: (strings: readonly string[]) => ({
      [SPARE_URN]: { parts: [{ string: "kept", strings }, { string: "other" }] },
    }),
  },
  {
    place: "all values of a list",
    path: "parts.strings",
    whole: { path: 'parts[string sw "k"]' },
    holding: (strings: readonly string[]) => ({ parts: [{ string: "kept", strings }] }),
  },
];

describe.each(PLACES)("the list of a sub-attribute in $place", ({ path, whole, holding }) => {
  test.each([
    { op: "add", path, value: "b" },
    { op: "add", path, value: ["b"] },
    { op: "add", ...whole, value: { strings: ["b"] } },
  ])("R7644-3.5.2.1-06 takes new values behind those it has: %j", async (operation) => {
    expect(await patched(holding(["a"]), operation)).toEqual(ownValues(gear(holding(["a", "b"]))));
  });

  test.each([
    { op: "add", path, value: ["b", "a", "c"] },
    { op: "add", ...whole, value: { strings: ["b", "a", "c"] } },
  ])("R7644-3.5.2.1-07 keeps what it has once, and in its place: %j", async (operation) => {
    const expected = ownValues(gear(holding(["a", "b", "c"])));
    expect(await patched(holding(["a", "b"]), operation)).toEqual(expected);
  });

  test("R7644-3.5.2.1-07 changes no version where nothing is new", async () => {
    const client = testService(addGear()).as("tolerant");
    const created = await client.post("Gear", gear(holding(["a", "b"])));
    const again = await client.patched("Gear", idOf(created), [{ op: "add", path, value: ["b", "a"] }]);
    expect(again["meta"]).toEqual(created.resource["meta"]);
  });

  test("R7644-3.5.2.3-05 is replaced as a whole by replace", async () => {
    const replaced = await patched(holding(["a"]), { op: "replace", path, value: ["b"] });
    expect(replaced).toEqual(ownValues(gear(holding(["b"]))));
  });

  test.each([
    { value: ["b"], left: ["a", "c"] },
    { value: "b", left: ["a", "c"] },
    { value: ["c", "a", "x"], left: ["b"] },
    { value: ["B"], left: ["a", "b", "c"] },
    { value: [], left: ["a", "b", "c"] },
  ])("R7644-3.5.2.2-10 loses what a remove lists, and keeps the rest: $value", async ({ value, left }) => {
    const removed = await patched(holding(["a", "b", "c"]), { op: "remove", path, value });
    expect(removed).toEqual(ownValues(gear(holding(left))));
  });

  test("R7644-3.5.2.2-10 changes no version where nothing is listed that it has", async () => {
    const client = testService(addGear()).as("tolerant");
    const created = await client.post("Gear", gear(holding(["a", "b"])));
    const same = await client.patched("Gear", idOf(created), [{ op: "remove", path, value: ["x"] }]);
    expect(same["meta"]).toEqual(created.resource["meta"]);
  });

  test.each([{ value: ["b", "a"] }, { value: null }, {}])(
    "R7644-3.5.2.2-06 goes as a whole where a remove lists all of it, or nothing: %j",
    async (listed) => {
      const removed = await patched(holding(["a", "b"]), { op: "remove", path, ...listed });
      const without = await testService(addGear())
        .as("tolerant")
        .post("Gear", gear(holding([])));
      expect(removed).toEqual(ownValues(without.resource));
    },
  );
});

test("an operation without a path appends too", async () => {
  const value = { part: { strings: ["b"] }, "part.integers": [2], [SPARE_URN]: { part: { strings: ["d"] } } };
  const before = { part: { strings: ["a"], integers: [1] }, [SPARE_URN]: { part: { strings: ["c"] } } };
  expect(await patched(before, { op: "add", value })).toEqual(
    ownValues(
      gear({
        part: { strings: ["a", "b"], integers: [1, 2] },
        [SPARE_URN]: { part: { strings: ["c", "d"] } },
      }),
    ),
  );
});

test.each([
  { path: 'parts[strings eq "a"].strings', value: ["b"] },
  { path: 'parts[strings eq "a"]', value: { strings: ["b"] } },
])("a value made by a value path holds what the path names and what is added: %j", async (given) => {
  const made = await patched({ string: "x" }, { op: "add", ...given });
  expect(made).toEqual(ownValues(gear({ string: "x", parts: [{ strings: ["a", "b"] }] })));
});

describe("a list of a sub-attribute with characteristics of its own", () => {
  function withBadge(): TestClient {
    return testService((registry) => {
      const doors = { name: "doors", type: "string", multiValued: true };
      const keys = { name: "keys", type: "string", multiValued: true, mutability: "immutable" };
      registry.addSchema({
        id: BADGE_URN,
        attributes: [{ name: "badge", type: "complex", subAttributes: [doors, keys] }],
      });
      const schemaExtensions = [{ schema: BADGE_URN, required: false }];
      registry.addResourceType({ ...USER_RESOURCE_TYPE, schemaExtensions }, { allowBreaking: true });
    }).as("strict");
  }
  const path = (name: string): string => `${BADGE_URN}:badge.${name}`;
  const body = user({ [BADGE_URN]: { badge: { doors: ["North"], keys: ["k1"] } } });

  test("R7643-7-03 tells values apart as its letter case asks", async () => {
    const client = withBadge();
    const id = idOf(await client.post("User", body));
    const added = await client.patched("User", id, [
      { op: "add", path: path("doors"), value: ["NORTH", "South"] },
    ]);
    expect(added[BADGE_URN]).toEqual({ badge: { doors: ["North", "South"], keys: ["k1"] } });
    const removed = await client.patched("User", id, [
      { op: "remove", path: path("doors"), value: ["SOUTH"] },
    ]);
    expect(removed[BADGE_URN]).toEqual({ badge: { doors: ["North"], keys: ["k1"] } });
  });

  test("R7643-7-04 takes nothing more where it is immutable, and lets what it has be added", async () => {
    const client = withBadge();
    const id = idOf(await client.post("User", body));
    const add = (value: readonly string[]): readonly JsonObject[] => [
      { op: "add", path: path("keys"), value },
    ];
    expect((await refusal(client.patch("User", id, add(["k2"])))).answer).toBe("400 mutability");
    const remove = [{ op: "remove", path: path("keys"), value: ["k1"] }];
    expect((await refusal(client.patch("User", id, remove))).answer).toBe("400 mutability");
    const same = await client.patched("User", id, add(["k1"]));
    expect(same[BADGE_URN]).toEqual({ badge: { doors: ["North"], keys: ["k1"] } });
  });
});

import type { JsonObject, JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { enterprise, group, ownValues, user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";
import { bindTestExtension, extended } from "../support/test-extension.ts";

/** Text as a client sends it: JSON.parse makes a member of `__proto__`. */
function parsed(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];
const POISON = '{"polluted":true,"active":true,"nickName":"polluted"}';

/** Places of a User where a hostile member can stand. */
const PLACES: readonly (readonly [string, (member: JsonObject) => JsonObject])[] = [
  ["the resource", (member) => ({ ...user(), ...member })],
  ["a complex value", (member) => user({ name: { givenName: "a", ...member } })],
  ["a value of a list", (member) => user({ emails: [{ value: "a@x.example", ...member }] })],
  ["an extension", (member) => user(enterprise({ department: "a", ...member }))],
  ["a reference", (member) => user(enterprise({ manager: { value: "m", ...member } }))],
];

/** An object with an own member, also where its name is `__proto__`. */
function own(name: string): JsonObject {
  return parsed(`{${JSON.stringify(name)}:${POISON}}`);
}

function assign(target: JsonObject, member: JsonObject): JsonObject {
  // Spread and Object.assign keep an own __proto__ only this way.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(target),
      ...Object.getOwnPropertyDescriptors(member),
    },
  ) as JsonObject;
}

describe("R7644-7-03 names of Object's prototype are names like others", () => {
  const rows = NAMES.flatMap((name) => PLACES.map(([place, put]) => [name, place, put] as const));

  test.each(rows)("POST: %s in %s is unknown", async (name, _place, put) => {
    const marker = "__marker__";
    const text = JSON.stringify(put({ [marker]: 0 })).replace(
      `${JSON.stringify(marker)}:0`,
      `${JSON.stringify(name)}:${POISON}`,
    );
    const refused = await refusal(testService().as("strict").post("User", parsed(text)));
    expect(refused.answer).toBe("400 invalidSyntax");
    const plain = await testService().as("tolerant").post("User", put({}));
    const tolerated = await testService().as("tolerant").post("User", parsed(text));
    expect(ownValues(tolerated.resource)).toEqual(ownValues(plain.resource));
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test.each(NAMES)("PATCH without path: %s", async (name) => {
    const client = testService().as("tolerant");
    await client.post("User", user());
    for (const op of ["add", "replace"]) {
      const before = await client.resource("User", "id-1");
      expect(await client.patched("User", "id-1", [{ op, value: own(name) }])).toEqual(before);
    }
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test.each(NAMES)("PATCH with path, filter, sort and projection: %s", async (name) => {
    const client = testService().as("strict");
    await client.post("User", user());
    for (const path of [name, `name.${name}`, `emails.${name}`]) {
      const refused = await refusal(client.patch("User", "id-1", [{ op: "add", path, value: "x" }]));
      expect(refused.answer).toBe("400 invalidPath");
      const asked = refusal(client.get("User", "id-1", { attributes: [path] }));
      expect((await asked).answer).toBe("400 invalidValue");
      expect((await refusal(client.list("User", { filter: `${path} eq "x"` }))).answer).toBe(
        "400 invalidFilter",
      );
      expect((await refusal(client.list("User", { sortBy: path }))).answer).toBe("400 invalidValue");
    }
  });

  test.each(NAMES)("a value of %s where text is due", async (name) => {
    const client = testService(bindTestExtension()).as("strict");
    for (const body of [
      user({ nickName: own(name) }),
      user(extended({ code: own(name) })),
      user(extended({ tags: [own(name)] })),
      user({ emails: [{ value: own(name) }] }),
    ]) {
      expect((await refusal(client.post("User", body))).answer).toBe("400 invalidValue");
    }
  });

  test("as ids, names and values they are text like other text", async () => {
    const client = testService().as("strict");
    const members = ["constructor", "__proto__", "toString"].map((value) => ({ value }));
    const created = await client.post("Group", group({ displayName: "__proto__", members }));
    expect(created.resource["members"]).toEqual(members);
    await client.patch("Group", "id-1", [{ op: "remove", path: 'members[value eq "__proto__"]' }]);
    expect((await client.resource("Group", "id-1"))["members"]).toEqual([
      members[0],
      members[2],
    ] as JsonValue);
    expect(await client.matches("Group", 'displayName eq "__proto__"')).toEqual(["id-1"]);
    for (const id of NAMES) expect((await refusal(client.get("User", id))).answer).toBe("404");
    for (const type of NAMES) expect((await refusal(client.list(type))).answer).toBe("404");
  });

  test("an extension's members may be hostile as a whole", async () => {
    const client = testService().as("tolerant");
    await client.post("User", user());
    const value = assign(enterprise({ department: "a" }), own("__proto__"));
    const patched = await client.patched("User", "id-1", [{ op: "add", value }]);
    expect(ownValues(patched)).toEqual({ userName: "bjensen", ...enterprise({ department: "a" }) });
  });
});

import { ENTERPRISE_USER_URN, type JsonObject, type JsonValue } from "@scim/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { members, userValues } from "../support/arbitraries.ts";
import { group, ownValues, user } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { testService } from "../support/service.ts";
import { bindTestExtension, TEST_URN } from "../support/test-extension.ts";

const client = testService(bindTestExtension()).as("strict");

/** One service serves every run, so that a userName that an earlier run took does not stand in the way. */
let runs = 0;
async function created(values: JsonObject): Promise<string> {
  const userName = `${String(values["userName"])}-${String((runs += 1))}`;
  return idOf(await client.post("User", user({ ...values, userName })));
}

/** Paths of lists, and a value that no random resource has. */
const LISTS: readonly (readonly [string, JsonValue])[] = [
  ["emails", { value: "zz", type: "work" }],
  ["roles", { value: "zz" }],
  ["addresses", { type: "home", country: "ZZ" }],
  [`${TEST_URN}:tags`, "zz"],
  [`${TEST_URN}:nums`, 0.5 * 2 ** 40 + 7],
  [`${TEST_URN}:items`, { value: "zz", qty: 1 }],
];

function selecting(path: string, value: JsonValue): string {
  if (typeof value !== "object" || value === null) return `${path}[value eq ${JSON.stringify(value)}]`;
  return `${path}[${Object.entries(value)
    .map(([name, each]) => `${name} eq ${JSON.stringify(each)}`)
    .join(" and ")}]`;
}

describe("laws of PATCH", () => {
  test("R7644-3.5.2.1-07 add is idempotent", async () => {
    await fc.assert(
      fc.asyncProperty(userValues, userValues, async (before, added) => {
        const id = await created(before);
        const { userName: _name, [TEST_URN]: _immutables, ...value } = added;
        const operations = [{ op: "add", value }];
        const once = await client.patch("User", id, operations);
        expect(await client.patch("User", id, operations)).toEqual(once);
      }),
    );
  });

  test("removing a value that was added and is new restores", async () => {
    await fc.assert(
      fc.asyncProperty(userValues, fc.constantFrom(...LISTS), async (before, [path, value]) => {
        const id = await created(before);
        const start = await client.resource("User", id);
        const added = await client.patched("User", id, [{ op: "add", path, value }]);
        expect(added).not.toEqual(start);
        const removed = await client.patched("User", id, [{ op: "remove", path: selecting(path, value) }]);
        expect({ ...removed, meta: null }).toEqual({ ...start, meta: null });
      }),
    );
  });

  test("R7644-3.5.2-28 a PATCH that fails changes nothing, whatever came before the fault", async () => {
    await fc.assert(
      fc.asyncProperty(userValues, userValues, async (before, given) => {
        const id = await created(before);
        const start = await client.get("User", id);
        const { [TEST_URN]: _immutables, ...value } = given;
        const operations = [
          { op: "replace", value },
          { op: "add", value },
          { op: "remove", path: "emails" },
          { op: "remove", path: "userName" },
        ];
        await expect(client.patch("User", id, operations)).rejects.toThrow("userName");
        expect(await client.get("User", id)).toEqual(start);
      }),
    );
  });

  test("the result is in normal form: PUT of it changes nothing, and it is what PUT makes of it", async () => {
    await fc.assert(
      fc.asyncProperty(userValues, userValues, async (before, given) => {
        const id = await created(before);
        const { userName: _name, [TEST_URN]: _immutables, ...value } = given;
        const patched = await client.patch(
          "User",
          id,
          [
            { op: "add", value },
            { op: "replace", path: "emails[value pr].display", value: "x" },
          ].slice(0, "emails" in value ? 2 : 1),
        );
        expect(await client.put("User", id, await client.resource("User", id))).toEqual(patched);
      }),
    );
  });

  test("replacing by what is there changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(userValues, async (values) => {
        const id = await created(values);
        const start = await client.get("User", id);
        const value = ownValues(await client.resource("User", id));
        expect(await client.patch("User", id, [{ op: "replace", value }])).toEqual(start);
        expect(await client.patch("User", id, [{ op: "add", value }])).toEqual(start);
      }),
    );
  });

  test("an extension is there exactly as long as it has a value", async () => {
    await fc.assert(
      fc.asyncProperty(userValues, async (values) => {
        const id = await created(values);
        const department = `${ENTERPRISE_USER_URN}:department`;
        const after = await client.patched("User", id, [
          { op: "add", path: department, value: "x" },
          { op: "remove", path: department },
        ]);
        const schemas = Object.keys(after).filter((name) => name.startsWith("urn:"));
        expect(new Set(after["schemas"] as readonly string[])).toEqual(
          new Set(["urn:ietf:params:scim:schemas:core:2.0:User", ...schemas]),
        );
        const { department: _department, ...rest } = (values[ENTERPRISE_USER_URN] ?? {}) as JsonObject;
        expect(Object.hasOwn(after, ENTERPRISE_USER_URN)).toBe(Object.keys(rest).length > 0);
      }),
    );
  });

  test("members: adding what is new and removing it again restores, in any number of operations", async () => {
    await fc.assert(
      fc.asyncProperty(members, members, async (before, others) => {
        const groups = testService().as("strict");
        const { resource } = await groups.post("Group", group({ members: before }));
        const known = new Set(before.map(({ value }) => value));
        const fresh = others.filter(({ value }) => !known.has(value));
        const adding = fresh.map((value) => ({ op: "add", path: "members", value: [value] }));
        const removing = fresh.map(({ value }) => ({
          op: "remove",
          path: `members[value eq "${String(value)}"]`,
        }));
        const { version } = await groups.get("Group", "id-1");
        if (fresh.length > 0) {
          expect((await groups.patch("Group", "id-1", [...adding, ...removing])).version).toBe(version);
          await groups.patch("Group", "id-1", adding);
          await groups.patch("Group", "id-1", removing);
        }
        expect((await groups.resource("Group", "id-1"))["members"]).toEqual(resource["members"]);
      }),
    );
  });
});

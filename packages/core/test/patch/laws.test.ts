import { ENTERPRISE_USER_URN, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ProfileName } from "../../src/index.ts";
import { members, userValues } from "../support/arbitraries.ts";
import { group, ownValues, user } from "../support/bodies.ts";
import { idOf, type TestClient } from "../support/client.ts";
import { testService } from "../support/service.ts";
import { bindTestExtension, TEST_URN } from "../support/test-extension.ts";
import { USUAL_RUNS } from "../support/usual-runs.ts";

const client = testService(bindTestExtension()).as("strict");

/** One service serves every run, so that a userName that an earlier run took does not stand in the way. */
let runs = 0;
async function created(values: JsonObject): Promise<string> {
  const userName = `${String(values["userName"])}-${String((runs += 1))}`;
  return idOf(await client.post("User", user({ ...values, userName })));
}

const groups = testService();

/** A client of a tenant without groups. */
function newTenant(profile: ProfileName): TestClient {
  return groups.as(profile, { tenant: `tenant-${String((runs += 1))}` });
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

/** Type and id of each member, in the order of ids: in which they stand says nothing. */
function membersOf({ members: values }: JsonObject): readonly string[] {
  const given = Array.isArray(values) ? values.filter(isJsonObject) : [];
  return given.map(({ type, value }) => `${String(type)} ${String(value)}`).toSorted();
}

async function applied<Item>(
  items: readonly Item[],
  apply: (item: Item) => Promise<unknown>,
): Promise<"done" | "refused"> {
  try {
    for (const item of items) await apply(item);
    return "done";
  } catch {
    return "refused";
  }
}

/** Operations on a Group of few members, so that many of them name the same one. */
const groupOperations = fc.array(
  fc.oneof(
    ...["a", "b", "c", "d"].map((id) =>
      fc.constantFrom<JsonObject>(
        { op: "add", path: "members", value: [{ value: id }] },
        { op: "add", path: "members", value: { value: id, type: "Group" } },
        { op: "add", path: "members", value: [{ $ref: `Users/${id}` }] },
        { op: "remove", path: `members[value eq "${id}"]` },
        { op: "remove", path: "members", value: [{ value: id }] },
        { op: "replace", path: `members[value eq "${id}"].type`, value: "Group" },
      ),
    ),
    fc.constantFrom<JsonObject>(
      { op: "add", value: { members: [{ value: "a" }, { value: "e" }], displayName: "x" } },
      { op: "replace", path: "displayName", value: "y" },
      { op: "replace", path: "members", value: [{ value: "b" }] },
      { op: "remove", path: "members" },
    ),
  ),
  { maxLength: 12 },
);

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

  test("R7644-3.5.2-25 operations of one PATCH come to what they come to one by one", async () => {
    const start = group({ members: [{ value: "a" }, { value: "b", type: "Group" }] });
    await fc.assert(
      fc.asyncProperty(groupOperations, async (operations) => {
        const [one, other] = [newTenant("tolerant"), newTenant("tolerant")];
        const together = idOf(await one.post("Group", start));
        const alone = idOf(await other.post("Group", start));
        const outcome = await applied([operations], (all) => one.patch("Group", together, all));
        expect(await applied(operations, (each) => other.patch("Group", alone, [each]))).toBe(outcome);
        const made = [await one.resource("Group", together), await other.resource("Group", alone)];
        const [whole, parts] = made.map((resource) => ({
          ...resource,
          id: null,
          meta: null,
          members: membersOf(resource),
        }));
        // Of operations that are refused those before stay where each is a request.
        if (outcome === "done") expect(whole).toEqual(parts);
        else
          expect(whole).toMatchObject({
            displayName: start["displayName"],
            members: ["Group b", "undefined a"],
          });
      }),
      { numRuns: 4 * USUAL_RUNS },
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
        const tenant = newTenant("strict");
        const { resource } = await tenant.post("Group", group({ members: before }));
        const id = String(resource["id"]);
        const known = new Set(before.map(({ value }) => value));
        const fresh = others.filter(({ value }) => !known.has(value));
        const adding = fresh.map((value) => ({ op: "add", path: "members", value: [value] }));
        const removing = fresh.map(({ value }) => ({
          op: "remove",
          path: `members[value eq "${String(value)}"]`,
        }));
        const { version } = await tenant.get("Group", id);
        if (fresh.length > 0) {
          expect((await tenant.patch("Group", id, [...adding, ...removing])).version).toBe(version);
          await tenant.patch("Group", id, adding);
          await tenant.patch("Group", id, removing);
        }
        expect((await tenant.resource("Group", id))["members"]).toEqual(resource["members"]);
      }),
    );
  });
});

import { describe, expect, test } from "vitest";
import { group, metaOf, user } from "../support/bodies.ts";
import type { TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService } from "../support/service.ts";

const NONE = { ifMatch: null, ifNoneMatch: null };

interface Started {
  readonly client: TestClient;
  /** Version of the User before it was in a group. */
  readonly write: string;
  /** And when it is in one. */
  readonly whole: string;
}

/** The User `id-1` in the Group `id-2`. */
async function started(): Promise<Started> {
  const client = testService().as();
  const { version: write } = await client.post("User", user());
  await client.post("Group", group({ members: [{ value: "id-1", type: "User" }] }));
  return { client, write, whole: (await client.get("User", "id-1")).version };
}

const leave = [{ op: "remove", path: "members" }];

describe("R7644-3.14-08 replaced: User.groups and the version", () => {
  test("R7643-4.1-09 groups is derived, with value, $ref, display and type", async () => {
    const { client } = await started();
    expect((await client.resource("User", "id-1"))["groups"]).toEqual([
      { value: "id-2", $ref: `${BASE_URL}/Groups/id-2`, display: "Tour Guides", type: "direct" },
    ]);
    await client.patch("Group", "id-2", leave);
    expect(await client.resource("User", "id-1")).not.toHaveProperty("groups");
  });

  test("the version of a user in groups is the write's and a digest", async () => {
    const { write, whole } = await started();
    expect(whole.startsWith(`${write}~`)).toBe(true);
    expect(whole.length).toBeGreaterThan(write.length + 10);
  });

  test("it is the same wherever groups are shown, and the write's where they are not", async () => {
    const { client, write, whole } = await started();
    const shown = await client.get("User", "id-1", { attributes: ["groups.value"] });
    expect(shown.version).toBe(whole);
    const { resources } = await client.list("User");
    expect(metaOf(resources[0] ?? {}, "version")).toBe(`W/"${whole}"`);
    for (const options of [{ attributes: ["userName"] }, { excludedAttributes: ["groups"] }]) {
      expect((await client.get("User", "id-1", options)).version).toBe(write);
    }
  });

  test("it moves when the user joins, leaves, and when a group takes another name", async () => {
    const { client, write, whole } = await started();
    await client.patch("Group", "id-2", [{ op: "replace", path: "displayName", value: "Guides" }]);
    const renamed = (await client.get("User", "id-1")).version;
    await client.post("Group", group({ displayName: "Another", members: [{ value: "id-1" }] }));
    const twice = (await client.get("User", "id-1")).version;
    expect(new Set([whole, renamed, twice]).size).toBe(3);
    await client.delete("Group", "id-3");
    await client.delete("Group", "id-2");
    expect((await client.get("User", "id-1")).version).toBe(write);
  });

  test("If-None-Match compares the whole: no 304 hides a lost membership", async () => {
    const { client, write, whole } = await started();
    const ifNoneMatch = (version: string) => ({ precondition: { ...NONE, ifNoneMatch: [version] } });
    expect((await client.get("User", "id-1", ifNoneMatch(whole))).kind).toBe("notModified");
    expect((await client.get("User", "id-1", ifNoneMatch(write))).kind).toBe("resource");
    await client.patch("Group", "id-2", leave);
    expect((await client.get("User", "id-1", ifNoneMatch(whole))).kind).toBe("resource");
    expect((await client.get("User", "id-1", ifNoneMatch(write))).kind).toBe("notModified");
  });

  test("If-Match compares the write: a group push does not fail the update of a user", async () => {
    const { client, write, whole } = await started();
    await client.patch("Group", "id-2", leave);
    const ifMatch = (version: string) => ({ precondition: { ...NONE, ifMatch: [version] } });
    const title = (value: string) => [{ op: "replace", path: "title", value }];
    const patched = await client.patch("User", "id-1", title("a"), ifMatch(whole));
    expect(patched.version).not.toBe(write);
    expect((await refusal(client.get("User", "id-1", ifMatch(whole)))).answer).toBe("412");
    expect((await client.get("User", "id-1", ifMatch(`${patched.version}~anything`))).kind).toBe("resource");
    expect((await refusal(client.patch("User", "id-1", title("b"), ifMatch(whole)))).answer).toBe("412");
    expect((await refusal(client.delete("User", "id-1", ifMatch(write)))).answer).toBe("412");
    await client.delete("User", "id-1", ifMatch(`${patched.version}~anything`));
  });

  test("a change of groups is no change of the user", async () => {
    const { client } = await started();
    const before = await client.resource("User", "id-1");
    await client.patch("Group", "id-2", leave);
    const after = await client.resource("User", "id-1");
    expect(metaOf(after, "lastModified")).toBe(metaOf(before, "lastModified"));
  });
});

describe("how far groups looks", () => {
  const nested = { displayName: "Outer", members: [{ value: "id-2", type: "Group" }] };

  test.each([
    ["direct", [["id-2", "direct"]]],
    [
      "transitive",
      [
        ["id-2", "direct"],
        ["id-3", "indirect"],
      ],
    ],
    ["off", []],
  ] as const)("%s", async (groups, expected) => {
    const client = testService(undefined, { limits: { groups } }).as();
    const { version } = await client.post("User", user());
    await client.post("Group", group({ members: [{ value: "id-1", type: "User" }] }));
    await client.post("Group", group(nested));
    const read = await client.get("User", "id-1");
    const listed = read.kind === "resource" ? (read.resource["groups"] ?? []) : [];
    expect((Array.isArray(listed) ? listed : []).map((each) => [each.value, each.type])).toEqual(expected);
    expect(read.version === version).toBe(expected.length === 0);
  });
});

describe("filters on meta.version compare the write, in every written form", () => {
  const FORMS: readonly (readonly [string, (started_: Started) => string])[] = [
    ["the entity tag", ({ whole }) => `W/\\"${whole}\\"`],
    ["the entity tag of the write", ({ write }) => `W/\\"${write}\\"`],
    ["a strong tag", ({ whole }) => `\\"${whole}\\"`],
    ["bare", ({ whole }) => whole],
    ["bare, of the write", ({ write }) => write],
  ];

  test.each(FORMS)("%s", async (_name, form) => {
    const state = await started();
    const written = form(state);
    expect(await state.client.matches("User", `meta.version eq "${written}"`)).toEqual(["id-1"]);
    expect(await state.client.matches("User", `meta[version eq "${written}"]`)).toEqual(["id-1"]);
    expect(await state.client.matches("User", `not (meta.version eq "${written}")`)).toEqual([]);
    expect(await state.client.matches("User", `userName pr and meta.version ne "${written}"`)).toEqual([]);
    await state.client.patch("User", "id-1", [{ op: "add", path: "title", value: "x" }]);
    expect(await state.client.matches("User", `meta.version eq "${written}"`)).toEqual([]);
  });
});

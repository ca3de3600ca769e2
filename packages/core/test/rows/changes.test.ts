import { GROUP_MEMBERSHIP_URN, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { WritePlan } from "../../src/index.ts";
import { createMemoryStore, interposed } from "../../src/testing/index.ts";
import { idOf } from "../support/client.ts";
import {
  addMemberships,
  addSponsorships,
  groupOf,
  membership,
  SPONSORSHIP_URN,
} from "../support/memberships.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService } from "../support/service.ts";
import { recordingStore } from "../support/store-wrappers.ts";
import { PROJECT_URN, team } from "../support/teams.ts";

function memberships() {
  const plans: WritePlan[] = [];
  const made = testService(addMemberships, { wrap: (store) => recordingStore(store, { plans }) });
  return { ...made, plans, client: made.as() };
}

/** Clients of two processes on one store. What is done `meanwhile` is done once the first has looked at references. */
function twoProcesses() {
  let pending: (() => Promise<unknown>) | null = null;
  const first = testService(addMemberships, {
    wrap: (store) =>
      interposed(store, {
        references: async (scope, owner, selection) => {
          const found = await store.references(scope, owner, selection);
          const change = pending;
          pending = null;
          await change?.();
          return found;
        },
      }),
  });
  const second = testService(addMemberships, { wrap: () => first.store });
  return {
    client: first.as(),
    other: second.as(),
    meanwhile: (change: () => Promise<unknown>) => {
      pending = change;
    },
  };
}

describe("creating a row", () => {
  test("adds the value to the collection, and answers with both ends, addresses and the owner's name", async () => {
    const { client } = memberships();
    const group = idOf(await client.post("Group", groupOf("Readers", "u1")));
    const created = await client.post(
      "GroupMembership",
      membership(group, "u2", { type: "user", display: "Änne" }),
    );
    const location = `${BASE_URL}/GroupMemberships/${group}~u2`;
    expect(created).toEqual({
      kind: "resource",
      location,
      version: expect.stringMatching(/^[\w-]+~[\w-]+$/),
      resource: {
        schemas: [GROUP_MEMBERSHIP_URN],
        id: `${group}~u2`,
        group: { value: group, $ref: `${BASE_URL}/Groups/${group}`, display: "Readers" },
        member: { value: "u2", $ref: `${BASE_URL}/Users/u2`, type: "User", display: "Änne" },
        meta: { resourceType: "GroupMembership", location, version: `W/"${created.version}"` },
      },
    });
    expect((await client.resource("Group", group))["members"]).toEqual([
      { value: "u1" },
      { value: "u2", $ref: `${BASE_URL}/Users/u2`, type: "User", display: "Änne" },
    ]);
    expect(await client.get("GroupMembership", `${group}~u2`)).toEqual(created);
  });

  test("changes the owner by the plan of a PATCH that adds the value: same delta, event and version", async () => {
    const { client, plans } = memberships();
    const [byRow, byPatch] = [
      idOf(await client.post("Group", groupOf("one"))),
      idOf(await client.post("Group", groupOf("two"))),
    ];
    await client.post("GroupMembership", membership(byRow, "u1", { type: "User" }));
    await client.patch("Group", byPatch, [
      { op: "add", path: "members", value: [{ value: "u1", type: "User" }] },
    ]);
    const [row, patch] = plans
      .slice(-2)
      .map((plan) => ({ ...plan, id: "", nonce: "", at: "", expectedVersion: "" }));
    expect(row).toEqual(patch);
    expect(row).toMatchObject({ kind: "update", type: "Group", body: null, event: { kind: "patched" } });
  });

  test("what a PATCH added is a row, and what a row added is a member", async () => {
    const { client } = memberships();
    const group = idOf(await client.post("Group", groupOf("one", "u1")));
    await client.patch("Group", group, [{ op: "add", path: "members", value: [{ value: "u2" }] }]);
    await client.post("GroupMembership", membership(group, "u3"));
    await client.patch("Group", group, [{ op: "remove", path: 'members[value eq "u1"]' }]);
    expect(await client.matches("GroupMembership", `group.value eq "${group}"`)).toEqual([
      `${group}~u2`,
      `${group}~u3`,
    ]);
    expect((await refusal(client.get("GroupMembership", `${group}~u1`))).answer).toBe("404");
  });

  test.each<[rule: string, body: JsonObject, answer: string, words: string]>([
    ["a row that is there", membership("G", "u1"), "409 uniqueness", "member.value"],
    ["an owner that does not exist", membership("nobody", "u1"), "400 invalidValue", "'group.value'"],
    ["no owner", { ...membership("G", "u2"), group: null }, "400 invalidValue", "'group' is required"],
    ["an owner without id", { ...membership("G", "u2"), group: { $ref: "x" } }, "400 invalidValue", "'group"],
    [
      "no value",
      { ...membership("G", "u2"), member: { type: "User" } },
      "400 invalidValue",
      "'member.value'",
    ],
    ["an empty value", membership("G", ""), "400 invalidValue", "'member.value'"],
    [
      "a value that is no id",
      membership("G", "u 2"),
      "400 invalidValue",
      "'member.value' must be a resource id",
    ],
    ["a value that is too long", membership("G", "u".repeat(129)), "400 invalidValue", "'member.value'"],
    [
      "an unknown type",
      membership("G", "u2", { type: "Robot" }),
      "400 invalidValue",
      "'member.type' must be one of",
    ],
    [
      "a number for an id",
      { ...membership("G", "u2"), member: { value: 7 } },
      "400 invalidValue",
      "'member.value'",
    ],
    ["an unknown attribute", { ...membership("G", "u2"), since: "now" }, "400 invalidSyntax", "'since'"],
    ["an id of its own", { ...membership("G", "u2"), id: "x" }, "400 mutability", "'id' is readOnly"],
    ["no schemas", { ...membership("G", "u2"), schemas: [] }, "400 invalidSyntax", "'schemas'"],
  ])("is refused with %s, and nothing is written", async (_rule, body, answer, words) => {
    const { client, plans } = memberships();
    const group = idOf(await client.post("Group", groupOf("one", "u1")));
    const text = JSON.stringify(body).replace('"G"', JSON.stringify(group));
    const before = plans.length;
    // The text is that of a JSON object.
    const refused = await refusal(client.post("GroupMembership", JSON.parse(text) as JsonObject));
    expect(refused.answer).toBe(answer);
    expect(refused.detail).toContain(words);
    expect(plans).toHaveLength(before);
  });

  test("references are not looked up: a member need not exist", async () => {
    const { client } = memberships();
    const group = idOf(await client.post("Group", groupOf("one")));
    const { resource } = await client.post("GroupMembership", membership(group, "nobody"));
    expect(resource["member"]).toEqual({ value: "nobody" });
  });

  test("the type is learned from $ref", async () => {
    const { client } = memberships();
    const group = idOf(await client.post("Group", groupOf("one")));
    const body = { ...membership(group, "x"), member: { $ref: `${BASE_URL}/Groups/g9` } };
    const { resource } = await client.post("GroupMembership", body);
    expect(resource["member"]).toEqual({ value: "g9", $ref: `${BASE_URL}/Groups/g9`, type: "Group" });
  });

  test("of one row by many at once, one is created", async () => {
    const { client } = memberships();
    const group = idOf(await client.post("Group", groupOf("one")));
    const attempts = Array.from({ length: 8 }, () => client.post("GroupMembership", membership(group, "u1")));
    const settled = await Promise.allSettled(attempts);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("is refused where another process creates it since it was looked for", async () => {
    const { client, other, meanwhile } = twoProcesses();
    const group = idOf(await client.post("Group", groupOf("one")));
    meanwhile(() => other.post("GroupMembership", membership(group, "u1")));
    const again = await refusal(client.post("GroupMembership", membership(group, "u1")));
    expect(again.answer).toBe("409 uniqueness");
    expect((await client.resource("Group", group))["members"]).toEqual([{ value: "u1" }]);
  });
});

describe("the id of a row", () => {
  test.each(["u~1", "~", "u~1~2", "a.b_c-d"])("tells a member named %j from others", async (member) => {
    const { client } = memberships();
    const group = idOf(await client.post("Group", groupOf("one", "u1")));
    const { resource } = await client.post("GroupMembership", membership(group, member));
    expect(resource["id"]).toBe(`${group}~${member}`);
    expect(await client.matches("GroupMembership", `id eq "${group}~${member}"`)).toEqual([
      `${group}~${member}`,
    ]);
  });

  test("holds the owner's id with ~ and % encoded, so that no two rows share one", async () => {
    // A handler has ids of the form that it states; a store in memory takes those of any.
    const made = testService(addMemberships, { wrap: () => createMemoryStore() });
    const ids = ["a", "a~b", "a%7Eb"];
    for (const id of ids) {
      await made.store.write(
        { tenant: "default", connection: "default" },
        {
          kind: "create",
          type: "Group",
          id,
          at: "2026-01-01T00:00:00.000Z",
          nonce: "n",
          body: { displayName: id },
          index: [],
          unique: [],
          collections: [
            {
              path: "members",
              remove: [],
              add: [
                { value: "b~c", rest: {} },
                { value: "c", rest: {} },
              ],
            },
          ],
          event: { kind: "created", subject: null, changed: [] },
        },
      );
    }
    const client = made.as();
    const { resources } = await client.list("GroupMembership");
    const found = resources.map((row) => String(row["id"]));
    expect(new Set(found).size).toBe(6);
    expect(found).toContain("a%7Eb~c");
    expect(found).toContain("a%257Eb~c");
    for (const id of found) expect((await client.resource("GroupMembership", id))["id"]).toBe(id);
    expect((await client.resource("GroupMembership", "a%7Eb~c"))["group"]).toMatchObject({ value: "a~b" });
  });

  test.each(["", "~", "g~", "~u", "nothing", "g%7eu1", "__proto__", "__proto__~__proto__"])(
    "%j names nothing",
    async (id) => {
      const { client } = memberships();
      await client.post("Group", groupOf("one", "u1"));
      expect((await refusal(client.get("GroupMembership", id))).answer).toBe("404");
      expect((await refusal(client.delete("GroupMembership", id))).answer).toBe("404");
    },
  );
});

describe("deleting a row", () => {
  test("removes the value from the collection, and no other", async () => {
    const { client, plans } = memberships();
    const group = idOf(await client.post("Group", groupOf("one", "u1", "u2")));
    await client.delete("GroupMembership", `${group}~u1`);
    expect((await client.resource("Group", group))["members"]).toEqual([{ value: "u2" }]);
    expect(plans.at(-1)).toMatchObject({
      kind: "update",
      type: "Group",
      collections: [{ path: "members", remove: ["u1"], add: [] }],
      event: { kind: "patched", changed: ["members"] },
    });
    expect((await refusal(client.delete("GroupMembership", `${group}~u1`))).answer).toBe("404");
  });

  test("of an owner that is deleted finds nothing", async () => {
    const { client } = memberships();
    const group = idOf(await client.post("Group", groupOf("one", "u1")));
    await client.delete("Group", group);
    expect((await refusal(client.delete("GroupMembership", `${group}~u1`))).answer).toBe("404");
    expect((await client.list("GroupMembership")).totalResults).toBe(0);
  });

  test("finds nothing where another process deletes it since it was looked for", async () => {
    const { client, other, meanwhile } = twoProcesses();
    const group = idOf(await client.post("Group", groupOf("one", "u1")));
    meanwhile(() => other.delete("GroupMembership", `${group}~u1`));
    expect((await refusal(client.delete("GroupMembership", `${group}~u1`))).answer).toBe("404");
  });

  test("names a version of the row, which others of the group do not move", async () => {
    const { client } = memberships();
    const group = idOf(await client.post("Group", groupOf("one", "u1", { value: "u2", display: "Two" })));
    const first = await client.get("GroupMembership", `${group}~u1`);
    const second = await client.get("GroupMembership", `${group}~u2`);
    const on = (ifMatch: string) => ({ precondition: { ifMatch: [ifMatch], ifNoneMatch: null } });
    const refused = await refusal(client.delete("GroupMembership", `${group}~u1`, on(second.version)));
    expect(refused.answer).toBe("412");
    await client.post("GroupMembership", membership(group, "u3"));
    await client.delete("GroupMembership", `${group}~u1`, on(first.version));
    expect(await client.matches("GroupMembership", `group.value eq "${group}"`)).toEqual([
      `${group}~u2`,
      `${group}~u3`,
    ]);
  });
});

describe("the version of a row", () => {
  test("makes 304 until the row or the name of its owner changes", async () => {
    const { client } = memberships();
    const group = idOf(await client.post("Group", groupOf("one", { value: "u1", display: "Old" })));
    const id = `${group}~u1`;
    const { version } = await client.get("GroupMembership", id);
    const unless = (known: string) =>
      client.get("GroupMembership", id, { precondition: { ifMatch: null, ifNoneMatch: [known] } });
    expect(await unless(version)).toMatchObject({ kind: "notModified", version });

    await client.post("GroupMembership", membership(group, "u2"));
    expect((await unless(version)).kind).toBe("notModified");

    await client.patch("Group", group, [{ op: "replace", path: "displayName", value: "two" }]);
    const renamed = await unless(version);
    expect(renamed.kind).toBe("resource");
    const alone = (known: string) =>
      client.get("GroupMembership", id, { precondition: { ifMatch: [known], ifNoneMatch: null } });
    expect((await refusal(alone("x"))).answer).toBe("412");
    expect(await alone(version)).toEqual(renamed);
    // The name is derived: a condition on a change compares what was written alone.
    const on = { precondition: { ifMatch: [version], ifNoneMatch: null } };
    await client.delete("GroupMembership", id, on);
    await client.post("GroupMembership", membership(group, "u1", { display: "New" }));
    expect((await client.get("GroupMembership", id)).version.split("~")[0]).not.toBe(version.split("~")[0]);
  });
});

describe("rows of a collection that an extension holds", () => {
  test("make the extension, and take it away with the last", async () => {
    const client = testService(addSponsorships).as();
    const id = idOf(await client.post("Team", team()));
    const { resource } = await client.post("Sponsorship", {
      schemas: [SPONSORSHIP_URN],
      team: { value: id },
      sponsor: { value: "u1" },
    });
    expect(resource).toMatchObject({
      id: `${id}~u1`,
      team: { value: id, $ref: `${BASE_URL}/Teams/${id}` },
      sponsor: { value: "u1", $ref: `${BASE_URL}/Users/u1` },
    });
    expect((await client.resource("Team", id))[PROJECT_URN]).toMatchObject({ sponsors: [{ value: "u1" }] });
    await client.delete("Sponsorship", `${id}~u1`);
    expect(await client.resource("Team", id)).not.toHaveProperty([PROJECT_URN]);
  });
});

test("rows of one tenant are nothing to another", async () => {
  const { client, as } = memberships();
  const south = as("strict", { tenant: "south" });
  const group = idOf(await client.post("Group", groupOf("one", "u1")));
  expect((await refusal(south.get("GroupMembership", `${group}~u1`))).answer).toBe("404");
  expect((await refusal(south.delete("GroupMembership", `${group}~u1`))).answer).toBe("404");
  expect((await refusal(south.post("GroupMembership", membership(group, "u2")))).answer).toBe(
    "400 invalidValue",
  );
  expect((await south.list("GroupMembership")).totalResults).toBe(0);
  expect(await south.matches("GroupMembership", 'member.value eq "u1"')).toEqual([]);
});

test("rows can be created, read, deleted and queried, and neither replaced nor patched", () => {
  const { service, context } = memberships();
  const type = service.types(context()).find(({ name }) => name === "GroupMembership");
  expect(type?.endpoint).toBe("/GroupMemberships");
  expect([...(type?.operations ?? [])]).toEqual(["create", "read", "delete", "query"]);
  const served = service.resourceTypes(context()).resources.find(({ id }) => id === "GroupMembership");
  expect(served).toMatchObject({ endpoint: "/GroupMemberships", schema: GROUP_MEMBERSHIP_URN });
  expect(served).not.toHaveProperty("rowsOf");
});

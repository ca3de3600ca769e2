import { describe, expect, test } from "vitest";
import type { Query } from "../support/client.ts";
import { addMemberships, groupOf } from "../support/memberships.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService } from "../support/service.ts";
import type { ReferenceRowQuery, ResourceStore } from "../../src/index.ts";

/** Groups `id-1` to `id-4`: readers, writers, an empty one, and one that holds a group. */
async function memberships() {
  const asked: ReferenceRowQuery[] = [];
  const made = testService(addMemberships, { wrap: (store) => recordingRows(store, asked) });
  const client = made.as();
  await client.post("Group", groupOf("readers", { value: "u2", type: "User", display: "Bo" }, "u1", "u3"));
  await client.post("Group", groupOf("writers", { value: "u1", type: "User", display: "Änne" }, "u2"));
  await client.post("Group", groupOf("nobody"));
  await client.post("Group", groupOf("nested", { value: "id-1", type: "Group" }));
  return { ...made, client, asked };
}

function recordingRows(store: ResourceStore, asked: ReferenceRowQuery[]): ResourceStore {
  return {
    ...store,
    referenceRows: (scope, query) => {
      asked.push(query);
      return store.referenceRows(scope, query);
    },
  };
}

const ALL = ["id-1~u2", "id-1~u1", "id-1~u3", "id-2~u1", "id-2~u2", "id-4~id-1"];

/** Filters, the rows that pass, and the ends that the store looks up by index; the rest is compared row by row. */
const FILTERS: readonly (readonly [
  filter: string,
  ids: readonly string[],
  ends: readonly [owner: string | null, value: string | null],
  compares: boolean,
])[] = [
  ['group.value eq "id-1"', ["id-1~u2", "id-1~u1", "id-1~u3"], ["id-1", null], false],
  ['group.value eq "ID-1"', [], ["ID-1", null], false],
  ['member.value eq "u1"', ["id-1~u1", "id-2~u1"], [null, "u1"], false],
  ['group.value eq "id-2" and member.value eq "u1"', ["id-2~u1"], ["id-2", "u1"], false],
  ['member.value eq "u1" and (group.value eq "id-2")', ["id-2~u1"], ["id-2", "u1"], false],
  ['group[value eq "id-2"] and member[value eq "u1"]', ["id-2~u1"], ["id-2", "u1"], false],
  ['id eq "id-2~u1"', ["id-2~u1"], ["id-2", "u1"], false],
  ['id eq "nothing"', [], [null, null], true],
  ['group.value eq "id-1" and group.value eq "id-2"', [], ["id-1", null], true],
  [
    'group.value eq "id-1" and group.value eq "id-1"',
    ["id-1~u2", "id-1~u1", "id-1~u3"],
    ["id-1", null],
    false,
  ],
  ['group.value eq "id-1" and member.type eq "User"', ["id-1~u2"], ["id-1", null], true],
  [
    'group[value eq "id-1" and display eq "READERS"] and member.value ne "u1"',
    ["id-1~u2", "id-1~u3"],
    ["id-1", null],
    true,
  ],
  ['member.value eq "u1" and not (member.display pr)', ["id-1~u1"], [null, "u1"], true],
  ['group.value eq "id-2" or member.value eq "u3"', ["id-1~u3", "id-2~u1", "id-2~u2"], [null, null], true],
  ['not (group.value eq "id-1")', ["id-2~u1", "id-2~u2", "id-4~id-1"], [null, null], true],
  ['group.value ne "id-1" and member.value sw "u"', ["id-2~u1", "id-2~u2"], [null, null], true],
  ['member.type eq "Group"', ["id-4~id-1"], [null, null], true],
  ['member.display co "än"', ["id-2~u1"], [null, null], true],
  ['group.display eq "Nested"', ["id-4~id-1"], [null, null], true],
  ["group.display pr and member.display pr", ["id-1~u2", "id-2~u1"], [null, null], true],
  [`group.$ref eq "${BASE_URL}/Groups/id-4"`, ["id-4~id-1"], [null, null], true],
  ['member.$ref co "/Users/"', ["id-1~u2", "id-2~u1"], [null, null], true],
  ['meta.resourceType eq "GroupMembership"', ALL, [null, null], true],
  ["meta.created pr", [], [null, null], true],
  ["schemas pr", ALL, [null, null], true],
];

describe("filters of rows", () => {
  test.each(FILTERS)("%s", async (filter, ids, [owner, value], compares) => {
    const { client, asked } = await memberships();
    const answer = await client.list("GroupMembership", { filter });
    expect(answer.resources.map(({ id }) => id)).toEqual(ids);
    expect(answer.totalResults).toBe(ids.length);
    expect(asked.map((query) => [query.owner, query.value])).toEqual(asked.map(() => [owner, value]));
    expect(answer.filterPlan === null).toBe(!compares);
  });

  test.each([
    ['group.value eq "id-1"', 3],
    ["member.display pr", 2],
    [null, 6],
  ])("%s: pages by index tell the total, also where they hold nothing", async (filter, total) => {
    const { client } = await memberships();
    const whole = (await client.list("GroupMembership", { filter })).resources;
    for (const [startIndex, count] of [
      [1, 0],
      [1, 2],
      [2, 1],
      [total, 5],
      [total + 1, 5],
      [99, 0],
      [0, 1],
      [-3, 1],
    ] as const) {
      const page = await client.list("GroupMembership", { filter, startIndex, count });
      const first = Math.max(1, startIndex);
      expect(page.totalResults).toBe(total);
      expect(page.startIndex).toBe(first);
      expect(page.resources).toEqual(whole.slice(first - 1, first - 1 + count));
    }
  });

  test.each(["created", 'title eq "x"', 'group eq "id-1"', "member.since pr"])(
    "%s is refused",
    async (filter) => {
      const { client } = await memberships();
      expect((await refusal(client.list("GroupMembership", { filter }))).answer).toBe("400 invalidFilter");
    },
  );

  test("a version is found by its entity tag", async () => {
    const { client } = await memberships();
    const { version } = await client.get("GroupMembership", "id-2~u1");
    expect(await client.matches("GroupMembership", `meta.version eq "W/\\"${version}\\""`)).toEqual([
      "id-2~u1",
    ]);
  });
});

describe("the order of rows", () => {
  test.each<[Query, readonly string[]]>([
    [{ sortBy: "group.value" }, ALL],
    [{ sortBy: "GROUP.VALUE", sortOrder: "descending" }, ALL.toReversed()],
    [
      { sortBy: "group.value", sortOrder: "descending", filter: 'group.value eq "id-2"' },
      ["id-2~u1", "id-2~u2"],
    ],
    [
      { sortBy: "group.value", sortOrder: "descending", filter: 'member.value eq "u1"' },
      ["id-2~u1", "id-1~u1"],
    ],
    [{ sortBy: "member.value", filter: 'member.value eq "u1"' }, ["id-1~u1", "id-2~u1"]],
    [
      { sortBy: "group.value", sortOrder: "descending", filter: 'member.type eq "User"' },
      ["id-2~u1", "id-1~u2"],
    ],
  ])("%j", async (query, ids) => {
    const { client } = await memberships();
    expect((await client.list("GroupMembership", query)).resources.map(({ id }) => id)).toEqual(ids);
  });

  test.each(["member.value", "member.display", "id", "meta.lastModified", "group", "nothing"])(
    "by %s is refused with what to sort by",
    async (sortBy) => {
      const { client } = await memberships();
      const refused = await refusal(client.list("GroupMembership", { sortBy }));
      expect(refused.answer).toBe("400 invalidValue");
      expect(refused.detail).toContain("'sortBy' must");
    },
  );
});

test("attributes and excludedAttributes choose what is shown, by the schema of the rows", async () => {
  const { client } = await memberships();
  const filter = 'id eq "id-2~u1"';
  const [named] = (await client.list("GroupMembership", { filter, attributes: ["member.value"] })).resources;
  expect(Object.keys(named ?? {})).toEqual(["schemas", "id", "member", "meta"]);
  expect(named?.["member"]).toEqual({ value: "u1" });
  const [left] = (
    await client.list("GroupMembership", { filter, excludedAttributes: ["member", "group.$ref"] })
  ).resources;
  expect(left?.["group"]).toEqual({ value: "id-2", display: "writers" });
  expect(left).not.toHaveProperty("member");
});

test("a count is cut to the limit of the service", async () => {
  const { client } = await memberships();
  const small = testService(addMemberships, { limits: { maxResults: 2, pageSize: 1 } }).as();
  await small.post("Group", groupOf("readers", "u1", "u2", "u3"));
  expect((await small.list("GroupMembership", { count: 50 })).resources).toHaveLength(2);
  expect((await small.list("GroupMembership")).resources).toHaveLength(1);
  expect((await client.list("GroupMembership", { count: 50 })).resources).toHaveLength(6);
});

import { createDefaultRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type {
  DiagnosticsPage,
  DiagnosticsRequest,
  Finding,
  FindingList,
  RequestContext,
  ResourceHandler,
  ResourceStore,
  ScimService,
} from "../../src/index.ts";
import { createMemoryHandler } from "../../src/testing/index.ts";
import { TEST_SEAL } from "../support/cursors.ts";
import { handledStore } from "../support/handled-store.ts";
import { groupOf } from "../support/memberships.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";
import { addTeams, team } from "../support/teams.ts";

type Lists = Readonly<Record<FindingList, readonly Finding[]>>;

const WHOLE: DiagnosticsRequest = { count: null, cursor: null };

/** Goes through a whole report. */
async function report(service: ScimService, context: RequestContext): Promise<Lists> {
  const answer = await service.diagnose(context, WHOLE);
  if (answer.kind !== "report") throw new TypeError("The answer is a page");
  const lists: Record<FindingList, Finding[]> = NOTHING_YET();
  for (const { name, batches } of answer.lists) for await (const found of batches) lists[name].push(...found);
  await answer.close();
  await answer.close();
  return lists;
}

const NOTHING_YET = (): Record<FindingList, Finding[]> => ({
  orphanedGroupMembers: [],
  inconsistentUserGroups: [],
  cyclicGroupMembers: [],
});

/** Groups by name, each with its members: names of groups and users, or what else is named. */
type World = Readonly<Record<string, readonly Member[]>>;
type Member = string | { readonly value: string; readonly type: string };

/** What findings are, with names for the ids of groups and users. */
interface Expected {
  readonly orphaned?: readonly string[];
  readonly inconsistent?: readonly (readonly [user: string, issue: RegExp])[];
  readonly cyclic?: readonly string[];
}

/** Users `anna` and `bo`, and the groups of a world. Groups are made empty first, so that they can name each other. */
async function made(world: World): Promise<TestService & { readonly ids: ReadonlyMap<string, string> }> {
  const built = testService(undefined, { cursorSeal: TEST_SEAL });
  const client = built.as();
  const ids = new Map<string, string>();
  for (const name of ["anna", "bo"]) {
    const { resource } = await client.post("User", { schemas: [USER], userName: name });
    ids.set(name, String(resource["id"]));
  }
  for (const name of Object.keys(world)) {
    const { resource } = await client.post("Group", groupOf(name));
    ids.set(name, String(resource["id"]));
  }
  const named = (member: Member) =>
    typeof member === "string"
      ? { value: ids.get(member) ?? member }
      : { ...member, value: ids.get(member.value) ?? member.value };
  for (const [name, members] of Object.entries(world)) {
    if (members.length === 0) continue;
    const value = members.map(named);
    await client.patch("Group", ids.get(name) ?? "", [{ op: "add", path: "members", value }]);
  }
  return { ...built, ids };
}

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";

/** A chain of so many groups, each in the next, with `anna` in the first. */
function chain(length: number): World {
  const names = Array.from({ length }, (_, index) => `g${index}`);
  return Object.fromEntries(names.map((name, index) => [name, [index === 0 ? "anna" : `g${index - 1}`]]));
}

const WORLDS: readonly (readonly [name: string, world: World, expected: Expected])[] = [
  ["nothing wrong, nested or not", { a: ["anna", "bo"], b: ["a", { value: "bo", type: "User" }] }, {}],
  ["members that name nothing", { a: ["anna", "gone"], b: ["lost"] }, { orphaned: ["a gone", "b lost"] }],
  [
    "a member that names nothing and says of what type",
    { a: [{ value: "gone", type: "Group" }] },
    { orphaned: ["a gone"] },
  ],
  [
    "types that contradict what is named",
    { a: [{ value: "anna", type: "Group" }], b: [{ value: "a", type: "User" }, "anna"] },
    {
      inconsistent: [
        ["anna", /^Group '<a>' names it with the type 'Group', but it is a User\.$/],
        ["a", /^Group '<b>' names it with the type 'User', but it is a Group\.$/],
      ],
    },
  ],
  ["a group that holds itself", { a: ["anna", "a"] }, { cyclic: ["a a"] }],
  [
    "a user that is in a group only because of a circle",
    { a: ["anna", "b"], b: ["a"] },
    { inconsistent: [["anna", /'<a>' it is in Group '<b>' only because/]], cyclic: ["a b", "b a"] },
  ],
  [
    "a user that is in both groups of a circle itself",
    { a: ["anna", "b"], b: ["a", "anna"] },
    { cyclic: ["a b", "b a"] },
  ],
  [
    "a circle above the group of a user: what it is entered by is no roundabout way",
    { a: ["anna"], b: ["a", "c"], c: ["b"] },
    { inconsistent: [["anna", /'<a>' it is in Group '<c>' only because/]], cyclic: ["b c", "c b"] },
  ],
  [
    "a group above a circle is reached straight from where the circle is left",
    { a: ["anna", "b"], b: ["a"], top: ["a"] },
    { inconsistent: [["anna", /'<a>' it is in Group '<b>' only/]], cyclic: ["a b", "b a"] },
  ],
  [
    "another group of the user leads there straight",
    { a: ["anna", "b"], b: ["a", "c"], c: ["anna"] },
    { cyclic: ["a b", "b a"] },
  ],
  ["a user that is as deep as is followed", chain(16), {}],
  [
    "a user that is deeper than is followed",
    chain(17),
    { inconsistent: [["anna", /^Above Group '<g0>' lie more than the 16 levels/]] },
  ],
];

/** An issue with names in the place of ids. */
function plain(issue: string, ids: ReadonlyMap<string, string>): string {
  return [...ids].reduce((text, [name, id]) => text.replaceAll(`'${id}'`, `'<${name}>'`), issue);
}

describe("the report", () => {
  test.each(WORLDS)("%s", async (_name, world, { orphaned = [], inconsistent = [], cyclic = [] }) => {
    const { service, context, ids } = await made(world);
    const names = new Map([...ids].map(([name, id]) => [id, name]));
    const nameOf = (id: string): string => names.get(id) ?? id;
    const found = await report(service, context());
    const links = (list: readonly Finding[]): readonly string[] =>
      list.map((each) => ("groupId" in each ? `${nameOf(each.groupId)} ${nameOf(each.memberId)}` : ""));
    expect(links(found.orphanedGroupMembers)).toEqual(orphaned);
    expect(links(found.cyclicGroupMembers)).toEqual(cyclic);
    const users = found.inconsistentUserGroups.map((each) => ("userId" in each ? nameOf(each.userId) : ""));
    expect(users).toEqual(inconsistent.map(([user]) => user));
    for (const [index, [, issue]] of inconsistent.entries()) {
      expect(plain(found.inconsistentUserGroups[index]?.issue ?? "", ids)).toMatch(issue);
    }
  });

  test("a deleted user is reported where groups name it, and nothing is changed", async () => {
    const { service, context, as, ids } = await made({ a: ["anna", "bo"] });
    await as().delete("User", ids.get("anna") ?? "");
    const expected = [
      {
        groupId: ids.get("a"),
        memberId: ids.get("anna"),
        issue: "No User or Group has the id that 'members' of this Group names.",
      },
    ];
    expect((await report(service, context())).orphanedGroupMembers).toEqual(expected);
    expect((await report(service, context())).orphanedGroupMembers).toEqual(expected);
  });

  test.each([
    ["groups alone", []],
    ["groups of users", ["anna"]],
  ])("ends with its client, however much lies above each group: %s", async (_name, users) => {
    const size = 300;
    const at = (index: number): string => `g${index % size}`;
    const entangled = Array.from({ length: size }, (_, index) => [
      at(index),
      [at(index * 7 + 1), at(index * 5 + 2), ...users],
    ]);
    const { service, context } = await made(Object.fromEntries(entangled));
    const client = new AbortController();
    const gone = new Error("the client has gone away");
    setTimeout(() => client.abort(gone), 0);
    await expect(report(service, context("strict", { signal: client.signal }))).rejects.toBe(gone);
  });

  test("collections of other types and what shows them are found in the schemas", async () => {
    const { service, context, as } = testService(addTeams);
    const client = as();
    const inner = await client.post("Team", team({ displayName: "inner", guests: [{ value: "nobody" }] }));
    const id = String(inner.resource["id"]);
    const outer = await client.post("Team", team({ displayName: "outer", owners: [{ value: id }] }));
    const owners = [{ value: String(outer.resource["id"]) }];
    await client.patch("Team", id, [{ op: "add", path: "owners", value: owners }]);
    const found = await report(service, context());
    expect(found.orphanedGroupMembers).toEqual([
      { groupId: id, memberId: "nobody", issue: "No User has the id that 'guests' of this Team names." },
    ]);
    expect(found.cyclicGroupMembers).toHaveLength(2);
  });

  test("a tenant is told of its own alone", async () => {
    const { service, context, as } = await made({ a: ["gone"] });
    const other = { tenant: "south" };
    await as("strict", other).post("Group", groupOf("s", "lost"));
    const found = await report(service, context("strict", other));
    expect(found.orphanedGroupMembers.map((each) => "memberId" in each && each.memberId)).toEqual(["lost"]);
    expect((await report(service, context())).orphanedGroupMembers).toHaveLength(1);
  });
});

async function pages(built: TestService, count: number): Promise<readonly DiagnosticsPage[]> {
  const found: DiagnosticsPage[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page = await built.service.diagnose(built.context(), { count, cursor });
    if (page.kind !== "page") throw new TypeError("The answer is a whole report");
    found.push(page);
    cursor = page.nextCursor;
  }
  return found;
}

describe("pages of it", () => {
  const world: World = {
    a: ["gone1", "anna", "gone2", "gone3", "b", { value: "bo", type: "Group" }],
    b: ["a", "gone1"],
    c: ["c"],
  };

  test.each([1, 2, 3, 100])("pages of %i findings make up the whole report", async (count) => {
    const built = await made(world);
    const whole = await report(built.service, built.context());
    const found = await pages(built, count);
    const joined = NOTHING_YET();
    for (const { lists } of found) {
      const all = Object.values(lists).flat();
      expect(all.length).toBeLessThanOrEqual(count);
      for (const [name, list] of Object.entries(lists)) {
        // The keys of the record are the names of the lists.
        joined[name as FindingList].push(...list);
      }
    }
    expect(joined).toEqual(whole);
    expect(Object.values(whole).flat().length).toBeGreaterThan(8);
  });

  test("a count alone is the first page", async () => {
    const built = await made(world);
    const page = await built.service.diagnose(built.context(), { count: 2, cursor: null });
    expect(page).toMatchObject({ kind: "page", nextCursor: expect.any(String) });
  });

  test.each([
    ["another tenant", { tenant: "south" }],
    ["another connection", { connection: "other" }],
  ])("a cursor of %s is refused", async (_name, of) => {
    const built = await made(world);
    const [page] = await pages(built, 2);
    const request = { count: 2, cursor: page?.nextCursor ?? "" };
    const { answer } = await refusal(built.service.diagnose(built.context("strict", of), request));
    expect(answer).toBe("400 invalidCursor");
  });
});

describe("of groups that a handler keeps", () => {
  /** More than the steps of a walk take at a time, and several groups. */
  const HOLDERS = ["c", "a", "b"];
  const MEMBERS = 400;

  test.each([
    ["that serves pages", true],
    ["that answers all that there is", false],
  ])("%s: each list of the report goes through them once, and pages make up the whole", async (_, paged) => {
    const Group = createMemoryHandler({ pages: paged });
    let lists = 0;
    const counting: ResourceHandler = {
      ...Group,
      list: (context, query) => {
        lists += 1;
        return Group.list(context, query);
      },
    };
    const registry = createDefaultRegistry();
    const wrap = (): ResourceStore => handledStore(registry, { handlers: { Group: counting } });
    const built = testService(undefined, { wrap, cursorSeal: TEST_SEAL });
    for (const name of HOLDERS) {
      const members = Array.from({ length: MEMBERS }, (_each, index) => `${name}${index}`);
      await built.as().post("Group", groupOf(name, ...members));
    }
    const { orphanedGroupMembers: found } = await report(built.service, built.context());
    expect(lists).toBe(3);
    const named = found.map((each) => ("memberId" in each ? each.memberId : ""));
    const wanted = HOLDERS.flatMap((name) => Array.from({ length: MEMBERS }, (_each, n) => `${name}${n}`));
    expect(named).toEqual(wanted);
    const joined = (await pages(built, 470)).flatMap((page) => page.lists.orphanedGroupMembers);
    expect(joined).toEqual(found);
  });
});

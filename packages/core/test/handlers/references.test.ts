import { createDefaultRegistry, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createHandlerStore,
  type HandlerReplace,
  type ListAnswer,
  type ResourceHandler,
  type ResourceStore,
} from "../../src/index.ts";
import { createMemoryHandler, createMemoryStore } from "../../src/testing/index.ts";
import { group, user } from "../support/bodies.ts";
import { idOf, type TestClient } from "../support/client.ts";
import { TEST_SEAL } from "../support/cursors.ts";
import { addMemberships, membership } from "../support/memberships.ts";
import { refusal } from "../support/refusal.ts";
import { PLAIN, testService } from "../support/service.ts";
import { testSources } from "../support/sources.ts";

const REGISTRY = createDefaultRegistry();
addMemberships(REGISTRY);

function storeOf(handlers: Readonly<Record<string, ResourceHandler>>, store?: ResourceStore): ResourceStore {
  return createHandlerStore({
    registry: REGISTRY,
    sources: testSources(),
    handlers,
    ...(store === undefined ? {} : { store }),
  });
}

function clientOf(store: ResourceStore): TestClient {
  return testService(addMemberships, { wrap: () => store, cursorSeal: TEST_SEAL }).as("strict");
}

const BOTH = (): ResourceStore => storeOf({ User: createMemoryHandler(), Group: createMemoryHandler() });
const CONTENT = (): ResourceStore =>
  storeOf({
    User: createMemoryHandler({ versions: "content" }),
    Group: createMemoryHandler({ pages: false }),
  });
const USERS_HANDLED = (): ResourceStore => storeOf({ User: createMemoryHandler() }, createMemoryStore());
const GROUPS_HANDLED = (): ResourceStore => storeOf({ Group: createMemoryHandler() }, createMemoryStore());
const ROWS = (): ResourceStore => storeOf({ User: createMemoryHandler(), Group: groupsWithRows().handler });

function valuesOf(resource: JsonObject, name: string): readonly JsonValue[] {
  const values = resource[name];
  return Array.isArray(values)
    ? values.map((each) => (isJsonObject(each) ? (each["value"] ?? null) : each))
    : [];
}

describe.each([
  ["both kept by handlers", BOTH],
  ["both kept by handlers that compare content", CONTENT],
  ["users by a handler, groups by a store", USERS_HANDLED],
  ["groups by a handler, users by a store", GROUPS_HANDLED],
  ["groups by a handler that keeps members as rows", ROWS],
])("users and groups, %s", (_, open) => {
  let client: TestClient;
  let [anna, bert, team, all] = ["", "", "", ""];
  let lastOpened: ResourceStore;
  beforeEach(async () => {
    lastOpened = open();
    client = clientOf(lastOpened);
    anna = idOf(await client.post("User", user({ userName: "anna" })));
    bert = idOf(await client.post("User", user({ userName: "bert" })));
    const members = [{ value: anna, type: "User" }];
    team = idOf(await client.post("Group", group({ displayName: "Team", members })));
    all = idOf(await client.post("Group", group({ displayName: "All", members: [{ value: bert }] })));
  });

  test("a user shows the groups that name it, alone and in lists", async () => {
    const { groups } = await client.resource("User", anna);
    const $ref = `https://scim.example/scim/v2/Groups/${team}`;
    expect(groups).toEqual([{ value: team, $ref, display: "Team", type: "direct" }]);
    const { resources } = await client.list("User", { sortBy: "userName" });
    expect(resources.map((each) => valuesOf(each, "groups"))).toEqual([[team], [all]]);
  });

  test("what is sent on as text is what is read", async () => {
    const { service, context } = testService(addMemberships, { wrap: () => lastOpened });
    for (const [type, id] of [
      ["User", anna],
      ["Group", team],
    ] as const) {
      const answer = await service.read(context(), { ...PLAIN, type, id, asText: true });
      if (answer.kind !== "resource" || answer.text === undefined) throw new TypeError("There is no text");
      expect(JSON.parse(answer.text)).toEqual(await client.resource(type, id));
    }
  });

  test.each([
    ["some go and some come", ["b", "c", "d"]],
    ["most are others", ["d", "e", "f", "g"]],
    ["all go", []],
  ])("a PUT of more members than an answer holds leads to what it says: %s", async (_name, ids) => {
    const tested = testService(addMemberships, { wrap: open, limits: { heldReferences: 2 } });
    const of = (values: readonly string[]): JsonObject =>
      group({ members: values.map((value) => ({ value })) });
    const id = idOf(await tested.as().post("Group", of(["a", "b", "c"])));
    const request = { ...PLAIN, type: "Group", id, body: of(ids), streams: true };
    const answer = await tested.service.replace(tested.context(), request);
    await answer.stream?.close();
    expect(valuesOf(await tested.as().resource("Group", id), "members")).toEqual(ids);
  });

  test("filters on both ends", async () => {
    expect(await client.matches("User", `groups.value eq "${team}"`)).toEqual([anna]);
    expect(await client.matches("User", 'groups.display eq "all" or userName eq "nobody"')).toEqual([bert]);
    expect(await client.matches("User", "not (groups pr)")).toEqual([]);
    expect(await client.matches("Group", `members.value eq "${bert}"`)).toEqual([all]);
    expect(await client.matches("Group", `members[value eq "${anna}" and type eq "user"]`)).toEqual([team]);
  });

  test("PATCH adds, removes and replaces members; the version of a group moves, that of a user's write does not", async () => {
    const before = await client.get("Group", team);
    const add = [{ op: "add", path: "members", value: [{ value: bert }, { value: anna, type: "User" }] }];
    const added = await client.patched("Group", team, add);
    expect(valuesOf(added, "members")).toEqual([anna, bert]);
    expect((await client.get("Group", team)).version).not.toBe(before.version);
    expect(new Set(valuesOf(await client.resource("User", bert), "groups"))).toEqual(new Set([all, team]));
    const same = await client.get("Group", team);
    await client.patch("Group", team, [{ op: "add", path: "members", value: [{ value: bert }] }]);
    expect(await client.get("Group", team)).toEqual(same);
    await client.patch("Group", team, [{ op: "remove", path: `members[value eq "${anna}"]` }]);
    expect(valuesOf(await client.resource("Group", team), "members")).toEqual([bert]);
    await client.patch("Group", team, [{ op: "replace", path: "members", value: [{ value: anna }] }]);
    expect(valuesOf(await client.resource("Group", team), "members")).toEqual([anna]);
    await client.patch("Group", team, [{ op: "remove", path: "members" }]);
    expect(Object.keys(await client.resource("Group", team))).not.toContain("members");
    expect(Object.keys(await client.resource("User", anna))).not.toContain("groups");
  });

  test("PUT replaces members, and answers them as GET does", async () => {
    const body = group({ displayName: "Team", members: [{ value: bert }, { value: anna, type: "User" }] });
    const { resource } = await client.put("Group", team, body);
    expect(new Set(valuesOf(resource, "members"))).toEqual(new Set([anna, bert]));
    expect(await client.resource("Group", team)).toEqual(resource);
  });

  test("memberships are resources of their own", async () => {
    const made = await client.post("GroupMembership", membership(all, anna));
    expect(valuesOf(await client.resource("Group", all), "members")).toEqual([bert, anna]);
    const { resources, totalResults } = await client.list("GroupMembership", {
      filter: `group.value eq "${all}"`,
    });
    expect([totalResults, resources.length]).toEqual([2, 2]);
    expect(await client.matches("GroupMembership", `member.value eq "${anna}"`)).toHaveLength(2);
    await client.delete("GroupMembership", idOf(made));
    expect(valuesOf(await client.resource("Group", all), "members")).toEqual([bert]);
  });

  test.each(["ascending", "descending"])(
    "a walk over memberships, %s, sees each that stays once, while those before and behind it go",
    async (sortOrder) => {
      const names = ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"];
      const members = names.map((value) => ({ value }));
      const held = idOf(await client.post("Group", group({ displayName: "Held", members })));
      const query = { filter: 'member.value sw "m"', sortBy: "group.value", sortOrder, count: 2, cursor: "" };
      const seen: string[] = [];
      for (let cursor: string | null | undefined = ""; typeof cursor === "string";) {
        const page: ListAnswer = await client.list("GroupMembership", { ...query, cursor });
        seen.push(...page.resources.flatMap(({ id }) => String(id).split("~").slice(1)));
        // The one before the last of the page, and the last itself where the walk goes on with what moved up to its place.
        const gone = seen.length === 4 ? seen.slice(-1) : seen.slice(-2, -1);
        for (const name of gone) await client.delete("GroupMembership", `${held}~${name}`);
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(sortOrder === "ascending" ? names : names.toReversed());
    },
  );

  test("groups within groups, as far as the service looks", async () => {
    const outer = idOf(
      await client.post("Group", group({ displayName: "Outer", members: [{ value: team, type: "Group" }] })),
    );
    expect(valuesOf(await client.resource("User", anna), "groups")).toEqual([team]);
    expect(valuesOf(await client.resource("Group", outer), "members")).toEqual([team]);
  });

  test("a user that is deleted stays named, as everywhere", async () => {
    await client.delete("User", anna);
    expect(valuesOf(await client.resource("Group", team), "members")).toEqual([anna]);
    expect((await refusal(client.get("User", anna))).answer).toBe("404");
  });
});

test("transitive groups go through handlers and stores, each group once, also in a circle", async () => {
  for (const open of [BOTH, USERS_HANDLED, GROUPS_HANDLED]) {
    const tested = testService(addMemberships, { wrap: open, limits: { groups: "transitive" } });
    const client = tested.as("strict");
    const anna = idOf(await client.post("User", user()));
    const make = async (displayName: string, member: string): Promise<string> =>
      idOf(await client.post("Group", group({ displayName, members: [{ value: member }] })));
    const inner = await make("inner", anna);
    const outer = await make("outer", inner);
    const outmost = await make("outmost", outer);
    await client.patch("Group", inner, [{ op: "add", path: "members", value: [{ value: outmost }] }]);
    const { groups } = await client.resource("User", anna);
    const found = Array.isArray(groups) ? groups.filter(isJsonObject) : [];
    expect(found.map(({ value, type }) => `${String(value)} ${String(type)}`).toSorted()).toEqual(
      [`${inner} direct`, `${outer} indirect`, `${outmost} indirect`].toSorted(),
    );
  }
});

/** A handler that keeps the members of groups apart from them, and notes what it is asked for. */
function groupsWithRows(): {
  readonly handler: ResourceHandler;
  readonly changes: HandlerReplace[];
  readonly asked: string[];
} {
  const changes: HandlerReplace[] = [];
  const asked: string[] = [];
  const memory = createMemoryHandler();
  const rows = new Map<string, Map<string, JsonObject>>();
  const apply = (id: string, references: HandlerReplace["references"]): void => {
    const members = rows.get(id) ?? new Map<string, JsonObject>();
    rows.set(id, members);
    for (const { remove, add } of references) {
      for (const value of remove === "all" ? [...members.keys()] : remove) members.delete(value);
      for (const { value, rest } of add) members.set(value, { value, ...rest });
    }
  };
  return {
    changes,
    asked,
    handler: {
      ...memory,
      create: async (context, resource) => {
        const made = await memory.create(context, resource);
        if (!resource.dryRun) apply(made.id, resource.references);
        return made;
      },
      replace: async (context, change) => {
        changes.push(change);
        const made = await memory.replace(context, change);
        if (made !== "conflict" && !change.dryRun) apply(change.id, change.references);
        return made;
      },
      references: (_, { id, values, limit }) => {
        asked.push(`${id} ${values === null ? "all" : values.join()} ${String(limit)}`);
        const all = [...(rows.get(id)?.values() ?? [])];
        const wanted = values === null ? all : all.filter(({ value }) => values.includes(String(value)));
        return limit === null ? wanted : wanted.slice(0, limit);
      },
      referrers: async (context, { values }) => {
        const found = [...rows].flatMap(([id, members]) =>
          values.filter((value) => members.has(value)).map((value) => ({ value, id })),
        );
        return Promise.all(
          found.map(async (each) => {
            const name = (await memory.get(context, each.id))?.attributes["displayName"];
            return { ...each, display: typeof name === "string" ? name : undefined };
          }),
        );
      },
    },
  };
}

test("a store of groups is asked who names eight users at the same time, however many a page has", async () => {
  const groups = createMemoryStore();
  let reading = 0;
  let most = 0;
  const store: ResourceStore = {
    ...groups,
    referenceRows: async (scope, query) => {
      reading += 1;
      most = Math.max(most, reading);
      await new Promise((resolve) => setImmediate(resolve));
      reading -= 1;
      return groups.referenceRows(scope, query);
    },
  };
  const client = clientOf(storeOf({ User: createMemoryHandler() }, store));
  const ids: string[] = [];
  for (let made = 0; made < 20; made += 1)
    ids.push(idOf(await client.post("User", user({ userName: `u${String(made)}` }))));
  const team = idOf(await client.post("Group", group({ members: ids.map((value) => ({ value })) })));
  most = 0;
  const { resources } = await client.list("User");
  expect(resources.map((each) => valuesOf(each, "groups"))).toEqual(ids.map(() => [team]));
  expect(most).toBe(8);
});

describe("a handler that keeps references as rows", () => {
  test("is asked for the members that a PATCH names, and told what comes and goes", async () => {
    const { handler, changes, asked } = groupsWithRows();
    const client = clientOf(storeOf({ Group: handler, User: createMemoryHandler() }));
    const members = ["u1", "u2", "u3"].map((value) => ({ value }));
    const id = idOf(await client.post("Group", group({ members })));
    asked.length = 0;
    const operations = [
      { op: "add", path: "members", value: [{ value: "u4" }] },
      { op: "remove", path: 'members[value eq "u2"]' },
    ];
    await client.patch("Group", id, operations, { prefer: "minimal" });
    expect(asked).toEqual([`${id} u4,u2 null`]);
    expect(changes[0]?.attributes).toEqual({ displayName: "Tour Guides" });
    expect(changes[0]?.references).toEqual([
      { path: "members", remove: ["u2"], add: [{ value: "u4", rest: {} }] },
    ]);
    expect(changes[0]?.changed).toEqual(["members"]);
  });

  test.each<[string, (id: string) => unknown]>([
    ["a number for the id that is named", (id) => ({ value: 7, id })],
    ["a number for the id of who names it", () => ({ value: "7", id: 1 })],
    ["a name that is no text", (id) => ({ value: "7", id, display: 1 })],
    ["nothing", () => null],
  ])("must not give as who names an id %s: the group would be left out without a word", async (_, odd) => {
    const { handler } = groupsWithRows();
    const numbered = createMemoryHandler({ ids: { pattern: /^[0-9]+$/, words: "a number" } });
    const User: ResourceHandler = { ...numbered, get: () => ({ id: "7", attributes: {}, version: "v" }) };
    const groups = (referrers: ResourceHandler["referrers"] & {}): Promise<JsonObject> =>
      clientOf(storeOf({ User, Group: { ...handler, referrers } })).resource("User", "7");
    // What code without types may answer.
    await expect(groups(() => [odd("g")] as never)).rejects.toThrow(
      "The handler of Group gave from 'referrers'",
    );
    const named = await groups(() => [{ value: "7", id: "g", display: null }]);
    expect(valuesOf(named, "groups")).toEqual(["g"]);
  });

  test("must give each resource a version of its own, and no references with it", async () => {
    const { handler } = groupsWithRows();
    const get = (version: string | undefined, attributes: JsonObject): Promise<unknown> =>
      clientOf(
        storeOf({ Group: { ...handler, get: () => ({ id: "g", attributes, version }) }, User: handler }),
      ).get("Group", "g");
    await expect(get(undefined, { displayName: "g" })).rejects.toThrow("no version");
    await expect(get("v", { members: [{ value: "u" }] })).rejects.toThrow("references");
  });

  test("is asked about eight resources at the same time, however many a page has", async () => {
    const { handler } = groupsWithRows();
    let reading = 0;
    let most = 0;
    const references: ResourceHandler["references"] = async (context, wanted) => {
      reading += 1;
      most = Math.max(most, reading);
      await new Promise((resolve) => setImmediate(resolve));
      reading -= 1;
      return (await handler.references?.(context, wanted)) ?? [];
    };
    const client = clientOf(storeOf({ Group: { ...handler, references }, User: createMemoryHandler() }));
    for (let made = 0; made < 20; made += 1)
      await client.post("Group", group({ displayName: `g${String(made)}`, members: [{ value: "u" }] }));
    const { resources } = await client.list("Group");
    expect(resources.map((each) => valuesOf(each, "members"))).toEqual(resources.map(() => ["u"]));
    expect(most).toBe(8);
  });

  test("may give a reference twice: the first counts, at its place", async () => {
    const { handler } = groupsWithRows();
    const rows = ["a", "b", "a"].map((value, index) => ({ value, display: `row ${String(index)}` }));
    const twice = { ...handler, references: () => rows };
    const client = clientOf(storeOf({ Group: twice, User: createMemoryHandler() }));
    const made = await client.post("Group", group());
    const { members } = await client.resource("Group", idOf(made));
    expect(members).toEqual([
      { value: "a", display: "row 0" },
      { value: "b", display: "row 1" },
    ]);
  });

  test("must give each reference a value", async () => {
    const { handler } = groupsWithRows();
    const broken = { ...handler, references: () => [{ display: "nobody" }] };
    const client = clientOf(storeOf({ Group: broken, User: createMemoryHandler() }));
    await expect(
      client.post("Group", group()).then((made) => client.get("Group", idOf(made))),
    ).rejects.toThrow("without a value");
  });
});

test("what is looked for among many members is looked for in as many readings as among few", async () => {
  const readings = async (size: number): Promise<readonly number[]> => {
    const groups = createMemoryHandler();
    let count = 0;
    const get: ResourceHandler["get"] = (context, id) => {
      count += 1;
      return groups.get(context, id);
    };
    const store = storeOf({ User: createMemoryHandler(), Group: { ...groups, get } });
    const limits = { heldReferences: 100 };
    const client = testService(addMemberships, { wrap: () => store, limits }).as("strict");
    const members = Array.from({ length: size }, (_, n) => ({ value: `u${n}`, display: `n${n}` }));
    const id = idOf(await client.post("Group", group({ members })));
    const filter = `group.value eq "${id}" and member.type pr`;
    expect((await client.list("GroupMembership", { filter })).totalResults).toBe(0);
    const listed = count;
    await client.patch("Group", id, [{ op: "remove", path: 'members[display eq "n140"]' }]);
    const patched = count - listed;
    expect(
      await client.matches("GroupMembership", `group.value eq "${id}" and member.value eq "u140"`),
    ).toEqual([]);
    return [listed, patched];
  };
  expect(await readings(1100)).toEqual(await readings(150));
});

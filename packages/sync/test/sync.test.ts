import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDefaultRegistry } from "@scim/schemas";
import { planSync, readMapping } from "@scim/sync";
import { describe, expect, test } from "vitest";
import { aClockedTarget, aFile, aFolder, aTarget, plan, run } from "./support/target.ts";

const MAPPING = `
resources:
  - type: User
    from: people
    key: "{id}"
    match: externalId
    set:
      externalId: "{id}"
      userName: "{mail | lower}"
      name.givenName: "{first}"
      name.familyName: "{last}"
      displayName: "{first} {last}"
      active: "{status | boolean('active')}"
      emails[type eq "work"].value: "{mail | lower}"
      emails[type eq "work"].primary: true
      urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department: "{department}"
    leavers: deactivate
  - type: Group
    from: teams
    key: "{code}"
    match: externalId
    set: { externalId: "{code}", displayName: "{title}" }
    references:
      members: { to: User, keys: "{people | split(';')}" }
    leavers: delete
`;

const PEOPLE = [
  "id,first,last,mail,status,department",
  "1,Ada,Lovelace,Ada@example.com,active,Engines",
  "2,Grace,Hopper,Grace@example.com,active,",
  "3,Alan,Turing,Alan@example.com,gone,Machines",
];
const TEAMS = ["code,title,people", "eng,Engineers,1;2", "all,Everybody,1;2;3"];

const sources = (people: readonly string[] = PEOPLE, teams: readonly string[] = TEAMS) => ({
  people: aFile("people.csv", people.join("\n")),
  teams: aFile("teams.csv", teams.join("\n")),
});

test("a state that does not tell all of how a run ended counts as one that was broken off", async () => {
  const target = await aTarget();
  const options = { mapping: MAPPING, sources: sources(), state: join(aFolder(), "state") };
  await run(target, options);
  const text = readFileSync(options.state, "utf8");
  for (const member of ["mapping", "totals", "tokens"]) {
    writeFileSync(options.state, text.replace(`"${member}":`, '"other":'));
    const again = await run(target, options);
    expect([again.plan.steps.length, again.plan.reading]).toEqual([0, "everything"]);
  }
});

describe("a sync of CSV", () => {
  test("plans, applies, and then changes nothing", async () => {
    const target = await aTarget();
    const options = { mapping: MAPPING, sources: sources(), state: join(aFolder(), "state") };
    const planned = await plan(target, options);
    expect(planned.counts).toMatchObject([
      { type: "User", create: 3, update: 0 },
      { type: "Group", create: 2, add: 5 },
    ]);
    expect(target.written()).toEqual([]);

    const { report } = await run(target, options);
    expect(report).toMatchObject({ done: { create: 5, references: 2 }, failures: [], stopped: null });
    const ada = await target.client.users.list({ filter: 'userName eq "ada@example.com"' }).first();
    expect(ada).toMatchObject({
      externalId: "1",
      name: { givenName: "Ada", familyName: "Lovelace" },
      displayName: "Ada Lovelace",
      active: true,
      emails: [{ type: "work", value: "ada@example.com", primary: true }],
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: "Engines" },
    });
    const all = await target.client.groups.list({ filter: 'externalId eq "all"' }).first();
    expect(all?.members).toHaveLength(3);

    target.written();
    for (const everything of [false, true]) {
      const again = await run(target, { ...options, everything });
      expect(again.plan.steps).toHaveLength(0);
    }
    expect(target.written()).toEqual([]);
  });

  test("changes what differs by the smallest PATCH, deactivates who left, and leaves alone what it does not own", async () => {
    const target = await aTarget();
    const state = join(aFolder(), "state");
    await run(target, { mapping: MAPPING, sources: sources(), state });
    const grace = await target.client.users.list({ filter: 'externalId eq "2"' }).first();
    await target.client.users.update(grace?.id ?? "", (user) => ({
      ...user,
      title: "Admiral",
      emails: [...(user.emails ?? []), { value: "home@example.com", type: "home" }],
    }));
    target.written();

    const people = [
      PEOPLE[0] ?? "",
      "2,Grace,Murray,Murray@example.com,active,Navy",
      "4,Edsger,Dijkstra,e@example.com,active,",
    ];
    const teams = ["code,title,people", "eng,Engineers,1;4"];
    const changed = { mapping: MAPPING, sources: sources(people, teams), state };
    const planned = await plan(target, changed);
    expect(planned.counts).toMatchObject([
      { create: 1, update: 1, deactivate: 1, unchanged: 0 },
      { create: 0, update: 0, delete: 1, add: 1, remove: 1 },
    ]);
    expect([...planned.steps].find(({ action }) => action === "update")).toMatchObject({
      changes: [
        { path: "userName", from: "grace@example.com", to: "murray@example.com" },
        { path: "name.familyName", from: "Hopper", to: "Murray" },
        { path: "displayName" },
        { path: 'emails[type eq "work"].value' },
        { path: expect.stringContaining(":department"), from: null, to: "Navy" },
      ],
    });
    const { report } = await run(target, changed);
    expect(report.failures).toEqual([]);
    const written = target.written().map((line) => line.replace(/[0-9a-f-]{36}/, "ID"));
    expect([...written.slice(0, 2).toSorted(), ...written.slice(2)]).toEqual([
      "PATCH /Users/ID",
      "POST /Users",
      "PATCH /Groups/ID",
      "DELETE /Groups/ID",
      "PATCH /Users/ID",
    ]);
    expect(await target.client.users.get(grace?.id ?? "", { fresh: true })).toMatchObject({
      title: "Admiral",
      emails: [
        { type: "work", value: "murray@example.com", primary: true },
        { type: "home", value: "home@example.com" },
      ],
    });
    expect(await target.client.users.list({ filter: 'externalId eq "3"' }).first()).toMatchObject({
      active: false,
    });

    expect((await run(target, changed)).plan.steps).toHaveLength(0);
    const back = { ...changed, sources: sources(PEOPLE, teams), beyondLimits: true };
    expect((await run(target, back)).report.failures).toEqual([]);
    expect(target.written().length).toBeGreaterThan(0);
  });

  test("asks for what changed alone: as much in ten times as many users, and two requests for each change", async () => {
    const asked: Record<string, number> = {};
    for (const size of [120, 1200]) {
      let hour = 0;
      const target = await aClockedTarget();
      const state = join(aFolder(), "state");
      const people = (changed: number): readonly string[] => [
        PEOPLE[0] ?? "",
        ...Array.from(
          { length: size },
          (_, at) => `${at},F${at},${at < changed ? `Changed${hour}` : "Same"},u${at}@example.com,active,`,
        ),
      ];
      // The second run looks at what the first one made.
      for (const changed of [0, 0, 3, 9]) {
        hour = target.passHour();
        target.asked();
        const { plan: made, report } = await run(target, {
          mapping: MAPPING,
          sources: sources(people(changed)),
          state,
        });
        expect(report.failures).toEqual([]);
        if (changed > 0) {
          expect(made).toMatchObject({
            reading: "changes",
            counts: [{ update: changed, unchanged: size - changed }, {}],
          });
          asked[`${changed} of ${size}`] = target.asked().length;
        }
      }
    }
    const { "3 of 120": few = 0, "9 of 120": more = 0 } = asked;
    expect(asked).toMatchObject({ "3 of 1200": few, "9 of 1200": more });
    // What every run asks; a read and a PATCH for each change. Of the nine, three changed in the target since the run
    // before, and are read by one list.
    const always = 7;
    expect([few, more]).toEqual([always + 2 * 3, always + 2 * 6 + 3]);
  });
});

describe("new records", () => {
  const MINE = `
resources:
  - { type: User, from: people, key: "{id}", match: userName, set: { userName: "{mail}", title: "{title}" }, leavers: deactivate }
`;
  const people = (...lines: readonly string[]) => aFile("p.csv", ["id,mail,title", ...lines].join("\n"));
  const FIRST = ["1,a@example.com,Dr", "2,b@example.com,Dr"];

  /** A target that was filled by two runs, and what is asked of it for other records. */
  async function filled(stranger: boolean, mapping = MINE) {
    const target = await aClockedTarget();
    const state = join(aFolder(), "state");
    const follow = async (...lines: readonly string[]) => {
      target.passHour();
      target.asked();
      const { plan: made, report } = await run(target, {
        mapping,
        sources: { people: people(...lines) },
        state,
        beyondLimits: true,
      });
      expect(report.failures).toEqual([]);
      return { plan: made, asked: target.asked() };
    };
    if (stranger) await target.client.users.create({ userName: "c@example.com", title: "Dr" });
    await follow(...FIRST);
    await follow(...FIRST);
    return { target, follow };
  }
  const lists = (asked: readonly string[]): number => asked.filter((line) => line === "GET /Users").length;

  test("of others, made as the run before ended, do not hide that a resource was deleted", async () => {
    const { target, follow } = await filled(false);
    const [first] = await target.client.users.list().toArray();
    await target.client.users.create({ userName: "c@example.com" });
    await target.client.users.delete(first?.id ?? "");
    expect((await follow(...FIRST)).plan.counts).toMatchObject([{ create: 1, unchanged: 1 }]);
  });

  test("are looked for in everything where the clock of the target went back", async () => {
    const { target, follow } = await filled(false);
    expect((await follow(...FIRST)).plan.reading).toBe("changes");
    target.passHour(-3);
    const [first] = await target.client.users.list({ filter: 'userName eq "a@example.com"' }).toArray();
    await target.client.users.patch(first?.id ?? "", [{ op: "replace", path: "title", value: "Ms" }]);
    expect((await follow(...FIRST)).plan).toMatchObject({ reading: "everything", counts: [{ update: 1 }] });
    expect((await follow(...FIRST)).plan.reading).toBe("changes");
  });

  test("make up for who is deleted by others while the run before makes its changes", async () => {
    let deletes = async (): Promise<void> => undefined;
    const target = await aClockedTarget({}, async (request, _response, pass) => {
      if (request.method === "POST") await deletes();
      await pass();
    });
    const state = join(aFolder(), "state");
    const follow = (...lines: readonly string[]) => {
      target.passHour();
      return run(target, { mapping: MINE, sources: { people: people(...lines) }, state });
    };
    await follow(...FIRST);
    await follow(...FIRST);
    deletes = async () => {
      deletes = async () => undefined;
      const found = await target.client.users.list({ filter: 'userName eq "a@example.com"' }).first();
      await target.client.users.delete(found?.id ?? "");
    };
    const [made, next, last] = [
      await follow(...FIRST, "3,c@example.com,Ms"),
      await follow(...FIRST, "3,c@example.com,Ms"),
      await follow(...FIRST, "3,c@example.com,Ms"),
    ];
    expect([made, next, last].map(({ report }) => report.done.create)).toEqual([1, 1, 0]);
    expect(last.plan.reading).toBe("changes");
  });

  test("are looked up where the target holds what the sync does not know, and not where it does not", async () => {
    const NEW = ["3,c@example.com,Ms", "4,d@example.com,Ms"];
    const alone = await filled(false);
    const found = await filled(true);
    const [without, withLooks] = [await alone.follow(...FIRST, ...NEW), await found.follow(...FIRST, ...NEW)];
    expect(without.plan.counts).toMatchObject([{ create: 2, update: 0, unchanged: 2 }]);
    expect(withLooks.plan.counts).toMatchObject([{ create: 1, update: 1, unchanged: 2 }]);
    expect(lists(withLooks.asked) - lists(without.asked)).toBe(2);
    // What somebody else made since is met by the list of changes.
    await alone.target.client.users.create({ userName: "e@example.com" });
    const met = await alone.follow(...FIRST, ...NEW, "5,e@example.com,Dr");
    expect(met.plan.counts).toMatchObject([{ create: 0, update: 1 }]);
  });

  test("are looked up by a `match` that is spelled otherwise than what `set` sets", async () => {
    const { follow } = await filled(true, MINE.replace("match: userName", "match: USERNAME"));
    const { plan: made } = await follow(...FIRST, "3,c@example.com,Ms");
    expect(made.counts).toMatchObject([{ create: 0, update: 1, unchanged: 2 }]);
  });

  test("are not those that others make beside a resource that is known", async () => {
    const byId = MINE.replace("match: userName, set: {", 'match: externalId, set: { externalId: "{id}",');
    const { target, follow } = await filled(false, byId);
    await target.client.users.create({ userName: "other", externalId: "1" });
    const { plan: made } = await follow(...FIRST);
    expect(made).toMatchObject({ reading: "changes", steps: { length: 0 }, counts: [{ unchanged: 2 }] });
    expect((await follow(...FIRST.slice(1))).plan.counts).toMatchObject([{ deactivate: 1 }]);
  });

  test("of which the target holds several stay refused, however it is read", async () => {
    const byTitle = MINE.replace("match: userName", "match: title");
    const lines = ["3,c@example.com,Ms", "4,d@example.com,Dr"];
    const { target, follow } = await filled(true, byTitle.replace("{title}", "{id}"));
    for (const userName of ["x", "y"]) await target.client.users.create({ userName, title: "3" });
    for (let turn = 0; turn < 3; turn += 1) {
      const { plan: made } = await follow(...FIRST, ...lines);
      expect(made.faults).toMatchObject([
        { key: "3", message: expect.stringContaining("several resources") },
      ]);
      expect(made.counts).toMatchObject([{ create: turn === 0 ? 1 : 0, update: 0 }]);
    }
  });

  test.each([
    ["at once", []],
    ["long after having left", [["2,b@example.com,Dr"], ["2,b@example.com,Dr"]]],
  ])("that are known by another key are taken for what they were: %s", async (_when, before) => {
    const { target, follow } = await filled(false);
    for (const lines of before) await follow(...lines);
    const { plan: made } = await follow("2,b@example.com,Dr", "1a,A@example.com,Dr");
    expect(made.counts).toMatchObject([{ create: 0 }]);
    expect(await target.client.users.list().toArray()).toHaveLength(2);
  });
});

test("a manager is named by the key of a record, whichever comes first", async () => {
  const target = await aTarget();
  const MANAGER = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager";
  const mapping = `
resources:
  - type: User
    key: "{id}"
    match: externalId
    set: { externalId: "{id}", userName: "{id}" }
    references: { "${MANAGER}": { to: User, keys: "{boss}" } }
`;
  const state = join(aFolder(), "state");
  const managers = async () => {
    const users = await target.client.users.list({ sortBy: "userName" }).toArray();
    return users.map((user) => {
      const id = user["urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"]?.manager?.value;
      return users.find((each) => each.id === id)?.userName;
    });
  };
  for (const [rows, expected] of [
    [
      ["a,b", "b,", "c,b"],
      ["b", undefined, "b"],
    ],
    [
      ["a,c", "b,", "c,"],
      ["c", undefined, undefined],
    ],
  ] as const) {
    const options = { mapping, state, sources: { people: aFile("p.csv", ["id,boss", ...rows].join("\n")) } };
    expect((await run(target, options)).report.failures).toEqual([]);
    expect(await managers()).toEqual(expected);
    expect((await plan(target, options)).steps).toHaveLength(0);
    expect((await plan(target, { ...options, everything: true })).steps).toHaveLength(0);
  }
});

/** Users and groups of nothing but a key. */
const keyed = (leavers: string) => `
resources:
  - { type: User, from: people, key: "{id}", match: externalId, set: { externalId: "{id}", userName: "{id}" }, leavers: ${leavers} }
  - type: Group
    from: teams
    key: "{id}"
    match: externalId
    set: { externalId: "{id}", displayName: "{id}" }
    references: { members: { to: User, keys: "{people | split(' ')}" } }
`;

test("who left goes as its own section says, also where that stands elsewhere since", async () => {
  const target = await aTarget();
  const section = (kind: string, leavers: string) =>
    `\n  - { type: User, key: "{id}", where: "{kind | equals('${kind}')}", match: externalId, set: { externalId: "{id}", userName: "{id}" }, leavers: ${leavers} }`;
  const [staff, guests] = [section("staff", "deactivate"), section("guest", "delete")];
  const state = join(aFolder(), "state");
  const follow = (mapping: string, ...rows: readonly string[]) =>
    run(target, {
      mapping: `resources:${mapping}`,
      state,
      sources: { people: aFile("p.csv", ["id,kind", ...rows].join("\n")) },
    });
  await follow(staff + guests, "1,staff", "2,staff", "3,guest", "4,guest");
  await follow(staff + guests, "2,staff", "3,guest", "4,guest");
  expect((await follow(guests + staff, "4,guest")).plan.counts).toMatchObject([{ deactivate: 1, delete: 1 }]);
  expect(await target.client.users.list({ filter: "active eq false" }).toArray()).toHaveLength(2);
});

test("who is known stays who it is where the mapping goes by other keys", async () => {
  const target = await aTarget();
  const state = join(aFolder(), "state");
  const follow = (key: string, ...rows: readonly string[]) =>
    run(target, {
      mapping: `resources: [{ type: User, key: "{${key}}", match: userName, set: { userName: "{name}", title: "{name}" }, leavers: delete }]`,
      state,
      sources: { people: aFile("p.csv", ["id,number,name", ...rows].join("\n")) },
    });
  const namesById = async () =>
    new Map((await target.client.users.list().toArray()).map(({ id, userName }) => [id, userName]));
  await follow("id", "1,2,ada", "2,3,ben");
  const before = await namesById();
  // The first of them has the number that was another's id.
  const { plan: made, report } = await follow("number", "1,2,ada", "2,3,ben", "3,1,cyd");
  expect(made.faults).toEqual([]);
  expect(report).toMatchObject({ done: { create: 1, update: 0, delete: 0 }, failures: [] });
  expect([...(await namesById())]).toEqual(expect.arrayContaining([...before]));
  expect((await follow("number", "1,2,ada", "2,3,ben", "3,1,cyd")).plan.steps).toHaveLength(0);
});

test("references follow their records: those that come later, and those that are deleted", async () => {
  const target = await aClockedTarget();
  const state = join(aFolder(), "state");
  const teams = aFile("t.csv", "id,people\nt,a b c\nu,a\n");
  const synced = async (leavers: string, ...people: readonly string[]) => {
    target.passHour();
    const given = { people: aFile("p.csv", ["id", ...people].join("\n")), teams };
    const options = { mapping: keyed(leavers), state, sources: given, beyondLimits: true };
    const { plan: made, report } = await run(target, options);
    expect(report.failures).toEqual([]);
    // What a run changed, the next one reads again, and the one behind that does not.
    target.passHour();
    await run(target, options);
    target.passHour();
    for (const everything of [false, true]) {
      target.asked();
      const again = await plan(target, { ...options, everything });
      expect([again.steps.length, again.notes]).toEqual([0, made.notes]);
      if (!everything) expect(target.asked().filter((line) => /Groups\/./.test(line))).toEqual([]);
    }
    const [group] = await target.client.groups.list({ filter: 'externalId eq "t"' }).toArray();
    return { reading: made.reading, notes: made.notes, members: group?.members?.length };
  };
  const missing = (keys: string) => [`Group t refers to ${keys}: no record has that key, so it is left out.`];
  expect(await synced("delete", "a")).toMatchObject({ notes: missing("b, c"), members: 1 });
  const more = await synced("delete", "a", "b");
  expect(more).toEqual({ reading: "changes", notes: missing("c"), members: 2 });
  expect(await synced("delete", "a")).toEqual({ reading: "changes", notes: missing("b, c"), members: 1 });
  expect(await synced("delete", "a", "b", "c")).toMatchObject({ notes: [], members: 3 });
  // Who is deactivated is a member still.
  expect(await synced("deactivate", "a", "b")).toMatchObject({ notes: [], members: 3 });
});

/** What is told of a value that another resource has. */
const TAKEN = expect.stringMatching(/that of a leaver, who keeps all values unless 'leavers' is delete/);

test("a record with the userName of a leaver who stays is told what to do, at each run until it is done", async () => {
  const target = await aTarget();
  const state = join(aFolder(), "state");
  const mapping =
    'resources: [{ type: User, key: "{id}", match: externalId, set: { externalId: "{id}", userName: "{name}" }, leavers: deactivate }]';
  const synced = async (...people: readonly string[]) => {
    const given = { people: aFile("p.csv", ["id,name", ...people].join("\n")) };
    return (await run(target, { mapping, state, sources: given, beyondLimits: true })).report.failures;
  };
  expect(await synced("1,ada", "2,bob")).toEqual([]);
  const refused = [{ action: "create", key: "3", code: "uniqueness", remedy: TAKEN }];
  expect(await synced("2,bob", "3,ada")).toMatchObject(refused);
  expect(await synced("2,bob", "3,ada")).toMatchObject(refused);
  const left = await target.client.users.list({ filter: 'externalId eq "1"' }).first();
  expect(left).toMatchObject({ userName: "ada", active: false });
  if (left !== null) await target.client.users.delete(left);
  expect(await synced("2,bob", "3,ada")).toEqual([]);
});

test("nothing refers to who was deleted in the target and cannot be created again", async () => {
  const target = await aTarget();
  const state = join(aFolder(), "state");
  const people = aFile("p.csv", "id\na\nb\n");
  const synced = async (...teams: readonly string[]) => {
    const given = { people, teams: aFile("t.csv", ["id,people", ...teams].join("\n")) };
    const options = { mapping: keyed("ignore"), state, sources: given, everything: true };
    return (await run(target, options)).report.failures;
  };
  expect(await synced("t,a")).toEqual([]);
  const gone = await target.client.users.list({ filter: 'userName eq "b"' }).first();
  if (gone !== null) await target.client.users.delete(gone);
  const other = await target.client.users.create({ userName: "b", externalId: "other" });
  expect(await synced("t,a", "u,b")).toMatchObject([
    { action: "create", type: "User", key: "b", code: "uniqueness", remedy: TAKEN },
    { action: "references", type: "Group", key: "u", code: "notCreated" },
  ]);
  const made = await target.client.groups.list({ filter: 'externalId eq "u"' }).first();
  expect(made).not.toHaveProperty("members");
  await target.client.users.delete(other);
  expect(await synced("t,a", "u,b")).toEqual([]);
  const whole = await target.client.groups.list({ filter: 'externalId eq "u"' }).first();
  expect(whole?.members).toHaveLength(1);
});

test("who has a record that is wrong stays a member, however the mapping spells the types", async () => {
  const target = await aTarget();
  const spelled = keyed("deactivate").replaceAll(/(type|to): (User|Group)/g, (text) => text.toLowerCase());
  const mapping = spelled.replace('userName: "{id}"', 'userName: "{id}", title: "{title | required}"');
  const teams = aFile("t.csv", "id,people\nt,a b\n");
  const state = join(aFolder(), "state");
  for (const lines of [
    ["a,Dr", "b,Dr"],
    ["a,", "b,Dr"],
  ]) {
    const given = { people: aFile("p.csv", ["id,title", ...lines].join("\n")), teams };
    await run(target, { mapping, state, sources: given, everything: true });
    const [group] = await target.client.groups.list().toArray();
    expect(group?.members).toHaveLength(2);
  }
});

test("nothing refers to who is gone from the source and from the target", async () => {
  const target = await aTarget();
  const options = (...people: readonly string[]) => ({
    mapping: keyed("deactivate"),
    state,
    sources: { people: aFile("p.csv", ["id", ...people].join("\n")), teams },
    everything: true,
  });
  const state = join(aFolder(), "state");
  const teams = aFile("t.csv", "id,people\nt,a b\n");
  await run(target, options("a", "b"));
  const gone = await target.client.users.list({ filter: 'userName eq "b"' }).first();
  if (gone !== null) await target.client.users.delete(gone);
  const { plan: made, report } = await run(target, options("a"));
  expect(made.notes).toEqual(["Group t refers to b: no record has that key, so it is left out."]);
  expect(report).toMatchObject({ done: { references: 1 }, failures: [] });
});

test("references that change their lists are changes, though the same records are named", async () => {
  const list = (name: string) =>
    ({
      name,
      type: "complex",
      multiValued: true,
      subAttributes: [
        { name: "value", type: "string" },
        { name: "$ref", type: "reference", referenceTypes: ["User"] },
      ],
    }) as const;
  const registry = createDefaultRegistry();
  const schema = "urn:example:params:scim:schemas:acme:1.0:Door";
  registry.addSchema({
    id: schema,
    name: "Door",
    attributes: [{ name: "number", type: "string" }, list("owners"), list("guests")],
  });
  registry.addResourceType({ name: "Door", endpoint: "/Doors", schema });
  const target = await aClockedTarget({ registry });
  const mapping = `
resources:
  - { type: User, from: people, key: "{id}", match: userName, set: { userName: "{id}" } }
  - type: Door
    from: doors
    key: "{number}"
    match: number
    set: { number: "{number}" }
    references: { owners: { to: User, keys: "{owner}" }, guests: { to: User, keys: "{guest}" } }
`;
  const people = aFile("p.csv", "id\na\nb\n");
  const state = join(aFolder(), "state");
  for (const [row, changed] of [
    ["1,a,b", 2],
    ["1,b,a", 2],
    ["1,b,a", 0],
  ] as const) {
    const options = {
      mapping,
      state,
      sources: { people, doors: aFile("d.csv", `number,owner,guest\n${row}`) },
    };
    const { report } = await run(target, options);
    expect(report).toMatchObject({ done: { references: changed }, failures: [] });
    // What a run changed, the next one reads again.
    target.passHour();
    await run(target, options);
    target.passHour();
  }
});

test("R7643-2.4-03 a value that is to be primary takes that from the one to which others gave it", async () => {
  const target = await aTarget();
  const [header = "", ada = ""] = PEOPLE;
  const options = { mapping: MAPPING, state: join(aFolder(), "state") };
  await run(target, { ...options, sources: sources([header, ada]) });
  const addressOf = (type: string): string => `${type}@example.com`;
  const { id = "" } = (await target.client.users.list({ filter: 'externalId eq "1"' }).first()) ?? {};
  await target.client.users.update(id, (user) => ({
    ...user,
    emails: [
      { type: "work", value: "ada@example.com" },
      { type: "home", value: addressOf("home"), primary: true },
      { type: "other", value: addressOf("other") },
    ],
  }));
  for (const mail of ["Ada@example.com", "Countess@example.com"]) {
    const changed = { ...options, sources: sources([header, ada.replace("Ada@example.com", mail)]) };
    expect((await run(target, changed)).report.failures).toEqual([]);
    const { emails = [] } = await target.client.users.get(id, { fresh: true });
    expect(emails.map(({ type, value, primary = false }) => [type, value, primary])).toEqual([
      ["work", mail.toLowerCase(), true],
      ["home", addressOf("home"), false],
      ["other", addressOf("other"), false],
    ]);
    expect((await run(target, changed)).plan.steps).toHaveLength(0);
  }
});

test("an object is cleared of what its record has nothing for any more, and keeps what the mapping does not name", async () => {
  const target = await aTarget();
  const mapping = `
resources:
  - type: User
    key: "{id}"
    match: externalId
    set: { externalId: "{id}", userName: "u{id}", name: { givenName: "{first}", familyName: "{last}" } }`;
  const options = (line: string) => ({
    mapping,
    state: join(folder, "state"),
    sources: { people: aFile("p.csv", `id,first,last\n${line}`) },
  });
  const folder = aFolder();
  const { client } = target;
  await run(target, options("1,Ada,"));
  const [ada] = await client.users.list().toArray();
  expect(ada?.name).toEqual({ givenName: "Ada" });
  await run(target, options("1,Ada,King"));
  await client.users.patch(ada?.id ?? "", [{ op: "add", path: "name.middleName", value: "Augusta" }]);
  const { report } = await run(target, options("1,Ada,"));
  expect(report).toMatchObject({ done: { update: 1 }, failures: [], kept: [] });
  expect((await client.users.get(ada?.id ?? "", { fresh: true })).name).toEqual({
    givenName: "Ada",
    middleName: "Augusta",
  });
  expect((await plan(target, options("1,Ada,"))).steps).toHaveLength(0);
  await run(target, options("1,,"));
  expect((await client.users.get(ada?.id ?? "", { fresh: true })).name).toEqual({ middleName: "Augusta" });
  expect((await plan(target, options("1,,"))).steps).toHaveLength(0);
});

test("texts of a source become what the attributes within an object take", async () => {
  const { steps } = await plan(await aTarget(), {
    mapping: `
resources:
  - type: User
    key: "{id}"
    match: userName
    set: { userName: "{id}", emails: [{ value: "{mail}", primary: "{main}" }, { value: "{id}@x.example", primary: false }] }`,
    sources: { people: aFile("p.csv", "id,mail,main\n1,a@example.com,TRUE") },
  });
  expect([...steps]).toMatchObject([
    {
      resource: {
        emails: [
          { value: "a@example.com", primary: true },
          { value: "1@x.example", primary: false },
        ],
      },
    },
  ]);
});

test("a plan tells no password, and a new resource gets it", async () => {
  let sent = "";
  const target = await aTarget({}, async (request, _response, pass) => {
    if (request.method === "POST") request.on("data", (piece) => (sent += String(piece)));
    await pass();
  });
  const { plan: made } = await run(target, {
    mapping: `resources: [{ type: User, key: "{id}", match: userName, set: { userName: "{id}" }, initial: { title: "{pw}", password: "{pw}" } }]`,
    sources: { people: aFile("p.csv", "id,pw\n1,Secret-1\n2,") },
  });
  expect(JSON.parse(JSON.stringify(made.steps))).toMatchObject([
    { resource: { userName: "1", title: "Secret-1", password: "~withheld" } },
    { resource: { userName: "2" } },
  ]);
  expect(JSON.stringify(made.steps).match(/password/g)).toHaveLength(1);
  expect(sent).toContain('"password":"Secret-1"');
});

test("a plan is applied once, whatever became of it", async () => {
  const target = await aTarget();
  const { apply } = await planSync({
    client: target.client,
    mapping: readMapping(
      'resources: [{ type: User, key: "{id}", match: externalId, set: { externalId: "{id}", userName: "u{id}" } }]',
      "mapping.yaml",
    ),
    sources: { people: aFile("p.csv", "id\n1") },
  });
  const second = apply().then(() => apply());
  await expect(second).rejects.toMatchObject({ name: "UsageError", code: "invalidOption" });
  expect(target.written()).toEqual(["POST /Users"]);
});

describe("limits", () => {
  test("refuse a source that was cut off, unless it is told", async () => {
    const target = await aTarget();
    const state = join(aFolder(), "state");
    const many = [
      PEOPLE[0] ?? "",
      ...Array.from({ length: 20 }, (_, at) => `${at},F,L,u${at}@example.com,active,`),
    ];
    await run(target, { mapping: MAPPING, sources: sources(many), state });
    target.written();
    const cut = { mapping: MAPPING, sources: sources(many.slice(0, 5)), state };
    await expect(run(target, cut)).rejects.toThrow(
      "It would deactivate or delete 16 of 22 resources, and the limit is 10 (the greater of 10 and 5 %).",
    );
    expect(target.written()).toEqual([]);
    expect((await run(target, { ...cut, beyondLimits: true })).report.done.deactivate).toBe(16);
  });

  test("refuse a source without a record, however few leave for it, unless it is told", async () => {
    const target = await aTarget();
    const state = join(aFolder(), "state");
    await run(target, { mapping: MAPPING, sources: sources(), state });
    target.written();
    const empty = { mapping: MAPPING, sources: sources(PEOPLE.slice(0, 1)), state };
    await expect(run(target, empty)).rejects.toThrow(
      "No record of User was read at all, and 2 would be deactivated or deleted for that.",
    );
    expect(target.written()).toEqual([]);
    const one = { ...empty, sources: sources(PEOPLE.slice(0, 2), TEAMS.slice(0, 1)) };
    expect((await plan(target, one)).refusals).toEqual([
      "No record of Group was read at all, and 2 would be deactivated or deleted for that.",
    ]);
    expect((await run(target, { ...empty, beyondLimits: true })).report.done.deactivate).toBe(2);
    // Nobody is left who could leave.
    expect((await plan(target, empty)).refusals).toEqual([]);
  });
});

describe("bad input", () => {
  const TYPO = `resources: [{ type: User, key: "{id}", match: userName, set: { userName: "{mail}", title: "{titel | upper}" } }]`;

  test.each([
    [
      "people.csv",
      "id,mail,title\n1,a,Dr\n",
      "'titel', which is no column of people; its columns are id, mail, title.",
    ],
    ["people.csv", "1,a,Dr\n2,b,Dr\n", "'id', which is no column of people; its columns are 1, a, Dr."],
    ["people.csv", "Unavailable\n", "'id', which is no column of people; its columns are Unavailable."],
    ["people.csv", "", "is empty: CSV begins with a header."],
  ])("a column that the mapping reads and %s lacks ends the plan, as in %j", async (name, text, told) => {
    const given = { mapping: TYPO, sources: { people: aFile(name, text) } };
    await expect(plan(await aTarget(), given)).rejects.toMatchObject({
      name: "SourceError",
      message: expect.stringContaining(told),
    });
  });

  test("a field that no record has is told, where records have fields of their own", async () => {
    const target = await aTarget();
    const lines = ['{"id":1,"mail":"a"}', '{"id":2,"mail":"b"}'];
    const notesOf = async (more: readonly string[]) =>
      (
        await plan(target, {
          mapping: TYPO,
          sources: { people: aFile("p.jsonl", [...lines, ...more].join("\n")) },
        })
      ).notes;
    expect(await notesOf([])).toEqual(["The mapping reads 'titel', which no record of people has."]);
    expect(await notesOf(['{"id":3,"mail":"c","titel":null}'])).toEqual([]);
  });

  test("records with one key, or for one resource, are left out, and nobody is taken to have left for it", async () => {
    const target = await aTarget();
    const state = join(aFolder(), "state");
    await run(target, { mapping: MAPPING, sources: sources(), state });
    target.written();
    // Grace is missing; where not all records can be read, that says nothing.
    const people = [
      ...PEOPLE.filter((line) => !line.startsWith("2,")),
      "3,Alan,Twice,twice@example.com,active,",
      "5,No,Status,n@example.com,perhaps",
      ",No,Key,k@example.com,active,",
    ];
    const { plan: found } = await run(target, { mapping: MAPPING, sources: sources(people), state });
    expect(found.faults).toMatchObject([
      { key: "3", place: "people line 4", message: expect.stringContaining("people line 3") },
      { key: null, place: "people line 5", message: "The record has 5 columns where the header has 6." },
      { key: null, place: "people line 6", message: expect.stringContaining("no key") },
    ]);
    expect(found.notes).toEqual(["User: nobody is taken to have left, since records could not be read."]);
    expect(target.written()).toEqual([]);

    const twins = MAPPING.replace(
      'match: externalId\n    set:\n      externalId: "{id}"',
      "match: userName\n    set:",
    );
    const same = [...PEOPLE.slice(0, 3), "7,Ada,Again,ADA@example.com,active,"];
    const other = await aTarget();
    const { faults } = await plan(other, { mapping: twins, sources: sources(same) });
    expect(faults).toMatchObject([
      { key: "7", message: expect.stringContaining("both would be one resource") },
    ]);
  });

  test("a record that two sections take is left out, and told", async () => {
    const section = (where: string) =>
      `\n  - { type: User, key: "{id}", where: "{kind | equals(${where})}", match: userName, set: { userName: "{id}" } }`;
    const { faults, counts } = await plan(await aTarget(), {
      mapping: `resources:${section("'staff', 'guest'")}${section("'guest'")}`,
      sources: { people: aFile("p.csv", "id,kind\n1,staff\n2,guest\n") },
    });
    expect([faults, counts]).toMatchObject([
      [{ key: "2", message: "The record belongs to two sections of User: tell them apart by 'where'." }],
      [{ create: 1, refused: 1 }],
    ]);
  });

  test("records and resources are found by what services take for equal", async () => {
    const target = await aTarget();
    const names = ["ＡＢＣ", "ΑΣ", "İx"];
    for (const userName of names) await target.client.users.create({ userName });
    const mapping = 'resources: [{ type: User, key: "{id}", match: userName, set: { userName: "{id}" } }]';
    const planned = async (...ids: readonly string[]) =>
      plan(target, { mapping, sources: { people: aFile("p.csv", ["id", ...ids].join("\n")) } });
    expect((await planned("abc", "ασ", "i\u0307x")).counts).toMatchObject([{ create: 1, update: 2 }]);
    expect((await planned("abc", "ＡＢＣ", "ΑΣ", "ασ")).faults).toHaveLength(2);
  });

  test("two resources of the target for one record are told, and left alone", async () => {
    const target = await aTarget();
    for (const userName of ["a", "b"]) await target.client.users.create({ userName, externalId: "1" });
    target.written();
    const { plan: found } = await run(target, {
      mapping: MAPPING,
      sources: sources(PEOPLE.slice(0, 2), TEAMS.slice(0, 1)),
    });
    expect(found.faults).toMatchObject([{ key: "1", message: expect.stringContaining("several resources") }]);
    expect(target.written()).toEqual([]);
  });

  test.each([
    ["no YAML", "resources: [", /^mapping\.yaml:1:/],
    ["a member that is unknown", "resources: []\nextra: 1", /mapping\.yaml:2:8 extra: 'extra' is unknown/],
    [
      "an attribute that is none",
      MAPPING.replace('displayName: "{first}', 'displayname2: "{first}'),
      /mapping\.yaml:\d+:\d+ resources\[0\]\.set\.displayname2: The target's User has no attribute 'displayname2'/,
    ],
    [
      "an attribute of an extension without its URN",
      MAPPING.replace('displayName: "{first}', 'costCenter: "{first}'),
      /write 'urn:ietf:params:scim:schemas:extension:enterprise:2\.0:User:costCenter'/,
    ],
    ["what is readOnly", MAPPING.replace('displayName: "{first}', 'id: "{first}'), /'id' is readOnly/],
    [
      "a list of objects in one expression",
      MAPPING.replace('displayName: "{first}', 'phoneNumbers: "{first}'),
      /'phoneNumbers' holds several values: write 'phoneNumbers\[type eq "work"\]\.value', or 'phoneNumbers' with a list/,
    ],
    [
      "what is never returned",
      MAPPING.replace('displayName: "{first}', 'password: "{first}'),
      /mapping\.yaml:\d+:\d+ resources\[0\]\.set\.password: The target never returns 'password'.*below 'initial'/,
    ],
    [
      "a function that is none",
      MAPPING.replace("| lower", "| lowercase"),
      /There is no function 'lowercase'; there are trim/,
    ],
    [
      "an expression that is not closed",
      MAPPING.replace("{first} {last}", "{first"),
      /A '\{' is not closed\. \(character 7/,
    ],
    [
      "a type that is none",
      MAPPING.replace("type: Group", "type: Team"),
      /The target has no resource type 'Team'; it has User, Group/,
    ],
    [
      "a match that is not set",
      MAPPING.replace("match: externalId", "match: nickName"),
      /'match' names 'nickName', which 'set' does not set/,
    ],
    [
      "a constant that does not fit",
      MAPPING.replace("\"{status | boolean('active')}\"", '"perhaps"'),
      /'active' is true or false/,
    ],
    [
      "a constant within an object that does not fit",
      MAPPING.replace(/displayName: "{first}.*/, 'phoneNumbers: [{ value: "{first}", primary: perhaps }]'),
      /'primary' is true or false/,
    ],
    [
      "a table that is none",
      MAPPING.replace("boolean('active')", "table('status')"),
      /There is no table 'status'/,
    ],
  ])("a mapping with %s is refused with its place, and nothing is sent", async (_, mapping, message) => {
    const target = await aTarget();
    await expect(plan(target, { mapping, sources: sources() })).rejects.toThrow(message);
    expect(target.written()).toEqual([]);
  });
});

import type { JsonObject } from "@scim/schemas";
import { describe, expect, onTestFinished, test } from "vitest";
import { group, user } from "../support/bodies.ts";
import { largeGroup, manyOf, SIZE } from "../support/large-group.ts";
import { testService } from "../support/service.ts";

const MINIMAL = { prefer: "minimal" } as const;

describe("core idea: membership is rows, not an array", () => {
  const ROWS: readonly (readonly [
    string,
    JsonObject,
    readonly string[],
    readonly string[],
    readonly string[],
  ])[] = [
    ["adding one", { op: "add", path: "members", value: [{ value: "new" }] }, ["new"], [], ["new"]],
    [
      "adding one as Entra does",
      { op: "Add", path: "members", value: [{ $ref: null, value: "new" }] },
      ["new"],
      [],
      ["new"],
    ],
    ["adding one without path", { op: "add", value: { members: [{ value: "new" }] } }, ["new"], [], ["new"]],
    ["removing one by a value path", { op: "remove", path: 'members[value eq "u7"]' }, ["u7"], ["u7"], []],
    [
      "removing one by what it is not",
      { op: "remove", path: 'members[not (value ne "u7")]' },
      ["u7"],
      ["u7"],
      [],
    ],
    [
      "removing one by a value path that says more",
      { op: "remove", path: 'members[value eq "u7" and not (type eq "Group")]' },
      ["u7"],
      ["u7"],
      [],
    ],
    [
      "removing one by a list",
      { op: "Remove", path: "members", value: [{ value: "u7" }] },
      ["u7"],
      ["u7"],
      [],
    ],
    [
      "removing one as Salesforce does",
      { op: "remove", path: "members", value: { members: [{ value: "u7" }] } },
      ["u7"],
      ["u7"],
      [],
    ],
    [
      "removing one by its address",
      { op: "remove", path: "members", value: [{ $ref: "../Users/u7" }] },
      ["u7"],
      ["u7"],
      [],
    ],
    [
      "adding two, one of them there",
      { op: "add", path: "members", value: [{ value: "u7" }, { value: "new" }] },
      ["u7", "new"],
      [],
      ["new"],
    ],
  ];

  test.each(ROWS)(`%s in a group of ${String(SIZE)}`, async (_name, operation, read, remove, add) => {
    const { client, reads, references, lastPlan } = await largeGroup();
    const answer = await client.patch("Group", "id-1", [operation], MINIMAL);
    expect(answer.kind).toBe("noContent");
    expect(reads).toEqual([{ collections: [], inverses: [] }]);
    expect(references.map(({ path, selection }) => ({ path, selection }))).toEqual([
      { path: "members", selection: read },
    ]);
    const { body, collections, event, index, unique } = lastPlan();
    expect({ body, collections, index, unique }).toEqual({
      body: null,
      collections: [{ path: "members", remove, add: add.map((value) => ({ value, rest: {} })) }],
      index: { add: [], remove: [] },
      unique: { add: [], remove: [] },
    });
    expect(event.changed).toEqual(["members"]);
  });

  test.each([
    ["adding who is there", { op: "add", path: "members", value: [{ value: "u7", display: "another" }] }],
    ["adding who is there by the address", { op: "add", path: "members", value: [{ $ref: "Users/u7" }] }],
    ["removing a stranger", { op: "remove", path: 'members[value eq "stranger"]' }],
    ["removing none", { op: "remove", path: "members", value: [] }],
    ["adding none", { op: "add", path: "members", value: [] }],
  ])("%s reads no more and writes nothing", async (_name, operation) => {
    const { client, references } = await largeGroup();
    const { version } = await client.get("Group", "id-1", { attributes: ["displayName"] });
    expect((await client.patch("Group", "id-1", [operation], MINIMAL)).version).toBe(version);
    expect(references.every(({ answered }) => answered <= 1)).toBe(true);
  });

  test("removing those that a filter selects holds no others, and lets other requests have their turn", async () => {
    const { client, references, lastPlan } = await largeGroup();
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    onTestFinished(() => clearInterval(timer));
    const operations = [
      { op: "add", path: "members", value: [{ value: "u9990" }, { value: "u999x" }] },
      { op: "remove", path: 'members[value sw "u999" and not (value eq "u9991")]' },
    ];
    await client.patch("Group", "id-1", operations, MINIMAL);
    const remove = Array.from({ length: 10 }, (_, index) => `u999${String(index)}`).filter(
      (id) => id !== "u9991",
    );
    expect(lastPlan().collections).toEqual([{ path: "members", remove: ["u999", ...remove], add: [] }]);
    expect(references.every(({ answered }) => answered <= SIZE / 5)).toBe(true);
    expect(turns).toBeGreaterThan(2);
  });

  test.each<readonly [string, string, readonly JsonObject[]]>([
    ["names that are no paths", "User", [{ op: "add", value: namedBy((index) => `no path ${index}`) }]],
    ["unknown names", "User", [{ op: "replace", value: namedBy((index) => `name${index}`) }]],
    ["operations", "Group", Object.keys(namedBy((index) => `members[value eq "${index}"]`)).map(removalOf)],
    ["long paths", "User", Array.from({ length: 50 }, (_, index) => removalOf(longPath(index)))],
    ["values of one list", "Group", [{ op: "add", path: "members", value: manyOf("n", 9000) }]],
    [
      "values of one list that goes",
      "Group",
      [
        { op: "add", path: "members", value: manyOf("n", 10) },
        { op: "remove", path: "members", value: manyOf("n", 9000) },
      ],
    ],
    [
      "comparisons",
      "User",
      [
        { op: "add", path: "emails", value: manyOf("e", 900) },
        ...Array.from({ length: 500 }, () => ({
          op: "replace",
          path: 'emails[value eq "e7"].type',
          value: "x",
        })),
      ],
    ],
  ])("many %s in one PATCH let other requests have their turn", async (_name, type, operations) => {
    const client = testService().as("tolerant");
    await client.post(type, type === "User" ? user() : group());
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    onTestFinished(() => clearInterval(timer));
    await client.patch(type, "id-1", [...operations], MINIMAL);
    expect(turns).toBeGreaterThan(2);
  });

  describe.each([3, 9000])("a list of %d values", (count) => {
    const unknown = manyOf("n", count).map((each) => ({ ...each, nick: "x" }));

    test("is refused for the first value that is none", async () => {
      const client = testService().as("tolerant");
      await client.post("Group", group());
      const value = [...manyOf("n", count - 1), { value: "no id" }, { value: "nor this" }];
      await expect(client.patch("Group", "id-1", [{ op: "add", path: "members", value }])).rejects.toThrow(
        `Operations[0]: Attribute 'members[${count - 1}].value' must be`,
      );
    });

    test("notes each tolerance that its values make use of, where it is applied", async () => {
      const { as, fired } = testService();
      const client = as("tolerant");
      await client.post("Group", group());
      const add = { op: "add", path: "members", value: unknown };
      const refused = client.patch("Group", "id-1", [{ op: "remove", path: "displayName" }, add]);
      await expect(refused).rejects.toThrow("displayName");
      expect(fired).toEqual([]);
      await client.patch("Group", "id-1", [add], MINIMAL);
      // A request notes a thousand at most.
      expect(fired).toHaveLength(Math.min(count, 1000));
      const { members } = await client.resource("Group", "id-1", { attributes: ["members.value"] });
      expect(members).toEqual(manyOf("n", count));
    });
  });

  function namedBy(name: (index: string) => string): JsonObject {
    return Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [name(String(index)), 1]));
  }

  /** A path that selects values by as many terms as there is room for. */
  function longPath(index: number): string {
    const terms = Array.from({ length: 380 }, (_, term) => `value eq "${term}-${index}"`);
    return `emails[${terms.join(" or ")}]`;
  }

  function removalOf(path: string): JsonObject {
    return { op: "remove", path };
  }

  test("a rename reads no member", async () => {
    const { client, references, lastPlan } = await largeGroup();
    await client.patch("Group", "id-1", [{ op: "replace", path: "displayName", value: "x" }], MINIMAL);
    expect(references).toEqual([]);
    expect(lastPlan()).toMatchObject({ body: { displayName: "x" }, collections: [] });
  });

  test("a rename beside one member, as Okta sends it", async () => {
    const { client, references, lastPlan } = await largeGroup();
    const operations = [
      { op: "replace", value: { id: "id-1", displayName: "x" } },
      { op: "add", path: "members", value: [{ value: "new", display: "New" }] },
    ];
    await client.patch("Group", "id-1", operations, MINIMAL);
    expect(references.map(({ selection }) => selection)).toEqual([["new"]]);
    expect(lastPlan().collections).toEqual([
      { path: "members", remove: [], add: [{ value: "new", rest: { display: "New" } }] },
    ]);
  });

  test("many operations of one member each ask once, for all of them", async () => {
    const count = 2000;
    const ids = Array.from({ length: count }, (_, index) => `n${String(index)}`);
    const { client, references, lastPlan } = await largeGroup();
    const adding = ids.map((value) => ({ op: "add", path: "members", value: [{ value }] }));
    await client.patch("Group", "id-1", adding, MINIMAL);
    expect(references.splice(0)).toEqual([{ path: "members", selection: ids, answered: 0 }]);
    expect(lastPlan().collections).toEqual([
      { path: "members", remove: [], add: ids.map((value) => ({ value, rest: {} })) },
    ]);
    const removing = ids.map((value) => ({ op: "remove", path: `members[value eq "${value}"]` }));
    await client.patch("Group", "id-1", removing, MINIMAL);
    expect(references).toEqual([{ path: "members", selection: ids, answered: count }]);
    expect(lastPlan().collections).toEqual([{ path: "members", remove: ids, add: [] }]);
  });

  test("adding and removing one member in one PATCH", async () => {
    const { client, references } = await largeGroup();
    const { version } = await client.get("Group", "id-1", { attributes: ["displayName"] });
    const operations = [
      { op: "add", path: "members", value: [{ value: "new" }] },
      { op: "remove", path: 'members[value eq "new"]' },
    ];
    expect((await client.patch("Group", "id-1", operations, MINIMAL)).version).toBe(version);
    expect(references.map(({ selection }) => selection)).toEqual([["new"]]);
  });

  test("what speaks of all members reads all", async () => {
    for (const operation of [
      { op: "remove", path: "members" },
      { op: "replace", path: "members", value: [{ value: "u7" }] },
      { op: "remove", path: "members.display" },
    ]) {
      const { client, references } = await largeGroup();
      await client.patch("Group", "id-1", [operation], MINIMAL);
      expect(references.map(({ selection }) => selection)).toEqual(["all"]);
    }
  });

  test("one operation goes through all references, however many terms its filter has", async () => {
    const { client } = await largeGroup();
    const terms = Array.from({ length: 410 }, (_, index) => `value eq "x${String(index)}"`);
    const path = `members[value eq "u7" or ${terms.join(" or ")}]`;
    await client.patch(
      "Group",
      "id-1",
      [{ op: "remove", path: `${path.slice(0, -1)} or type eq "x"]` }],
      MINIMAL,
    );
    const { members } = await client.resource("Group", "id-1", { attributes: ["members.value"] });
    expect(members).toHaveLength(SIZE - 1);
  });
});

describe("the same results as with every member at hand", () => {
  const [a, b, c] = [{ value: "a" }, { value: "b", type: "User" }, { value: "c" }];
  const start = [a, b, c];
  const ROWS: readonly (readonly [string, readonly JsonObject[], readonly JsonObject[]])[] = [
    [
      "the order is that of adding",
      [{ op: "add", path: "members", value: [{ value: "d" }, a] }],
      [...start, { value: "d" }],
    ],
    [
      "removed and added again: at the end",
      [
        { op: "remove", path: 'members[value eq "a"]' },
        { op: "add", path: "members", value: [a] },
      ],
      start,
    ],
    ["letter case of ids counts", [{ op: "remove", path: "members", value: [{ value: "A" }] }], start],
    ["by a condition on type", [{ op: "remove", path: 'members[type eq "user"]' }], [a, c]],
    ["by two ids", [{ op: "remove", path: 'members[value eq "a" or value eq "c"]' }], [b]],
    ["all but one", [{ op: "remove", path: 'members[not (value eq "a")]' }], [a]],
    [
      "replaced, then added",
      [
        { op: "replace", path: "members", value: [c] },
        { op: "add", path: "members", value: [{ value: "d" }] },
      ],
      [c, { value: "d" }],
    ],
    [
      "added, then replaced by what was there",
      [
        { op: "add", path: "members", value: [{ value: "d" }] },
        { op: "replace", path: "members", value: start },
      ],
      start,
    ],
  ];

  test.each(ROWS)("%s", async (_name, operations, expected) => {
    const client = testService().as();
    await client.post("Group", group({ members: start }));
    const after = await client.patched("Group", "id-1", [...operations], {
      attributes: ["members.value", "members.type"],
    });
    expect(after["members"]).toEqual(expected);
    expect((await client.resource("Group", "id-1", { attributes: ["members.value"] }))["members"]).toEqual(
      expected.map(({ value }) => ({ value })),
    );
  });
});

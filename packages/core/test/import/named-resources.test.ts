import { GROUP_URN, USER_URN, type JsonObject } from "@scim/schemas";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PROFILES, SeenKeys, type PreparedImport, type Profile } from "../../src/index.ts";
import { testService, type TestService } from "../support/service.ts";

/** A group with one member, so that groups of one name are told apart. */
const group = (displayName: string, member: string, more: JsonObject = {}): JsonObject => ({
  schemas: [GROUP_URN],
  displayName,
  members: [{ value: member }],
  ...more,
});
const user = (userName: string, more: JsonObject = {}): JsonObject => ({
  schemas: [USER_URN],
  userName,
  ...more,
});

interface Run {
  readonly size: number;
  readonly profile?: Profile;
  readonly keepIds?: boolean;
  readonly dry?: boolean;
  /** Whether it stops after each batch, and goes on as another process would. */
  readonly stops?: boolean;
}

/** What becomes of each record of a source. */
async function run({ service, context }: TestService, source: readonly JsonObject[], how: Run) {
  const { size, profile = PROFILES.strict, keepIds = false, dry = false, stops = false } = how;
  let seen = new SeenKeys();
  const outcomes: string[] = [];
  const items = source.map((body, index) => ({
    record: index + 1,
    type: "userName" in body ? "User" : "Group",
    body,
  }));
  for (let start = 0; start < source.length; start += size) {
    const rules = { keepIds, mode: "upsert" as const };
    if (stops) {
      seen = new SeenKeys();
      service.passImported(context(profile), { ...rules, seen, items: items.slice(0, start) });
    }
    const request = { ...rules, seen, items: items.slice(start, start + size) };
    const prepared: PreparedImport = await service.prepareImport(context(profile), request);
    const done = dry
      ? await prepared.foresee()
      : await prepared.apply({ run: null, onRejected: async () => undefined });
    for (const { kind, error } of done) outcomes.push(error === null ? kind : `${kind}: ${error.message}`);
  }
  return outcomes;
}

async function groupsOf(tested: TestService): Promise<readonly string[]> {
  const { resources } = await tested.as(PROFILES.strict).list("Group", { count: 100 });
  return resources
    .map(({ displayName, externalId, members }) =>
      JSON.stringify([displayName, externalId ?? null, (members as JsonObject[])[0]?.["value"]]),
    )
    .toSorted();
}

const [A, B] = [{ externalId: "A" }, { externalId: "B" }];
const SAME = "rejected: Record 1 means the same Group by attribute 'displayName'";
const HELD = "rejected: The Group of this 'displayName' has an 'externalId'";

describe("a group that goes by its name alone", () => {
  test.each<[string, readonly JsonObject[], readonly JsonObject[], readonly string[], readonly string[]]>([
    [
      "is not that of a record before which has an externalId",
      [],
      [group("Sales", "1", A), group("Sales", "2")],
      ["created", SAME],
      ['["Sales","A","1"]'],
    ],
    [
      "is not taken by a record behind which has an externalId",
      [],
      [group("Sales", "1"), group("Sales", "2", A)],
      ["created", SAME],
      ['["Sales",null,"1"]'],
    ],
    [
      "is brought once",
      [],
      [group("Sales", "1"), group("sales", "2")],
      ["created", SAME],
      ['["Sales",null,"1"]'],
    ],
    [
      "is not one that has an externalId",
      [group("Sales", "1", A)],
      [group("Sales", "2")],
      [HELD],
      ['["Sales","A","1"]'],
    ],
    [
      "bears the name of those that have externalIds",
      [],
      [group("Sales", "1", A), group("Sales", "2", B), group("Sales", "3")],
      ["created", "created", SAME],
      ['["Sales","A","1"]', '["Sales","B","2"]'],
    ],
    [
      "leaves a record behind alone which is found by its externalId",
      [group("Sales", "1", A)],
      [group("Sales", "2"), group("Sales", "3", A)],
      [HELD, "replaced"],
      ['["Sales","A","3"]'],
    ],
    [
      "is given an externalId by the first record of its name",
      [group("Sales", "1")],
      [group("Sales", "2", A), group("Sales", "3", B)],
      ["replaced", "created"],
      ['["Sales","A","2"]', '["Sales","B","3"]'],
    ],
    [
      "is not one of several that have externalIds",
      [group("Sales", "1", A), group("Sales", "2", B)],
      [group("Sales", "3")],
      [HELD],
      ['["Sales","A","1"]', '["Sales","B","2"]'],
    ],
    [
      "leaves those alone that have externalIds, however many there are",
      [group("Sales", "1", A), group("Sales", "2", B)],
      [group("Sales", "3", { externalId: "C" }), group("Sales", "4", { externalId: "D" })],
      ["created", "created"],
      ['["Sales","A","1"]', '["Sales","B","2"]', '["Sales","C","3"]', '["Sales","D","4"]'],
    ],
    [
      "is the one that is there",
      [group("Sales", "1")],
      [group("Sales", "2")],
      ["replaced"],
      ['["Sales",null,"2"]'],
    ],
  ])("%s", async (_, before, source, outcomes, groups) => {
    const expected = outcomes.map((each) => expect.stringContaining(each));
    for (const how of [{ size: 1 }, { size: source.length }, { size: 1, stops: true }]) {
      const tested = testService();
      await run(tested, before, { size: 1 });
      const rejected = outcomes.map((each) => each.startsWith("rejected"));
      const foreseen = await run(tested, source, { ...how, dry: true });
      expect(foreseen.map((each) => each.startsWith("rejected"))).toEqual(rejected);
      expect(await run(tested, source, how)).toEqual(expected);
      expect(await groupsOf(tested)).toEqual(groups);
      const again = outcomes.map((each) =>
        each.startsWith("rejected") ? expect.stringContaining(each) : "unchanged",
      );
      expect(await run(tested, source, how)).toEqual(again);
      expect(await groupsOf(tested)).toEqual(groups);
    }
  });

  test.each<[string, readonly JsonObject[], string, readonly string[]]>([
    [
      "is the one of its name without an externalId, whatever others have one",
      [group("Sales", "1", A), group("Sales", "2", B), group("Sales", "3")],
      "replaced",
      ['["Sales","A","1"]', '["Sales","B","2"]', '["Sales",null,"4"]'],
    ],
    [
      "is none of two of its name without an externalId",
      [group("Sales", "1", A), group("Sales", "2"), group("Sales", "3")],
      "rejected: The value of attribute 'displayName' belongs to 2 resources",
      ['["Sales","A","1"]', '["Sales",null,"2"]', '["Sales",null,"3"]'],
    ],
  ])("%s", async (_, there, outcome, groups) => {
    const tested = testService();
    for (const body of there) await tested.as(PROFILES.strict).post("Group", body);
    expect(await run(tested, [group("Sales", "4")], { size: 1 })).toEqual([expect.stringContaining(outcome)]);
    expect(await groupsOf(tested)).toEqual(groups);
  });

  test("is found by its id where that is kept, and may bear the name of another", async () => {
    const source = [
      group("Sales", "1", { id: "g1" }),
      group("Sales", "2", { id: "g2", ...A }),
      group("Sales", "3", { id: "g3" }),
    ];
    const tested = testService();
    const how = { size: 3, keepIds: true };
    expect(await run(tested, source, how)).toEqual(["created", "created", "created"]);
    expect(await run(tested, source, how)).toEqual(["unchanged", "unchanged", "unchanged"]);
    const mixed = [...source, group("Sales", "4")];
    expect(await run(tested, mixed, how)).toEqual([
      "unchanged",
      "unchanged",
      "unchanged",
      expect.stringContaining("Record 1 means the same Group"),
    ]);
  });
});

test("a source of groups settles: what one run rejects or frees is all that the next may change", async () => {
  const name = fc.constantFrom("a", "b", "c");
  const id = fc.constantFrom({ externalId: "1" }, { externalId: "2" }, {});
  const member = fc.constantFrom("x", "y", "z");
  const source = fc.array(
    fc.tuple(name, member, id).map((of) => group(...of)),
    { minLength: 1, maxLength: 5 },
  );
  const sizes = fc.integer({ min: 1, max: 5 });
  await fc.assert(
    fc.asyncProperty(source, source, sizes, async (before, then, size) => {
      const tested = testService();
      await run(tested, before, { size: 1 });
      for (let time = 0; time < 3; time += 1) await run(tested, then, { size });
      const groups = await groupsOf(tested);
      const last = await run(tested, then, { size });
      expect(last.filter((each) => each !== "unchanged" && !each.startsWith("rejected"))).toEqual([]);
      expect(await groupsOf(tested)).toEqual(groups);
    }),
  );
});

test("a user goes by the unique userName also where the one that is there has an externalId", async () => {
  const tested = testService();
  await run(tested, [user("ann", A)], { size: 1 });
  expect(await run(tested, [user("ann", { title: "Dr" })], { size: 1 })).toEqual(["replaced"]);
});

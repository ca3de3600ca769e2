import { GROUP_URN, USER_URN, type JsonObject } from "@scim/schemas";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PROFILES, SeenKeys, type ImportOutcome, type ImportRequest, type Profile } from "../../src/index.ts";
import { testService, type TestService } from "../support/service.ts";
import { USUAL_RUNS } from "../support/usual-runs.ts";

const user = (userName: string, externalId?: string): JsonObject => ({
  schemas: [USER_URN],
  userName,
  ...(externalId === undefined ? {} : { externalId }),
});
const group = (displayName: string, externalId?: string): JsonObject => ({
  schemas: [GROUP_URN],
  displayName,
  ...(externalId === undefined ? {} : { externalId }),
});

/** What came of a source, by the record; what was told of rejections; and what is there then. */
async function imported(
  before: readonly JsonObject[],
  source: readonly JsonObject[],
  size: number,
  profile: Profile = PROFILES.strict,
): Promise<object> {
  const tested = testService();
  await importIn(tested, { source: before, size: 1, profile });
  const { outcomes, told } = await importIn(tested, { source, size, profile });
  const resources: string[] = [];
  for (const type of ["User", "Group"]) {
    const answer = await tested.as(profile).list(type, { count: 100 });
    for (const { id: _id, meta: _meta, ...rest } of answer.resources) resources.push(JSON.stringify(rest));
  }
  return { outcomes, told, resources: resources.toSorted() };
}

interface Sourced {
  readonly source: readonly JsonObject[];
  readonly size: number;
  readonly profile: Profile;
}

async function importIn(
  { service, context }: TestService,
  { source, size, profile }: Sourced,
): Promise<{ readonly outcomes: readonly string[]; readonly told: readonly number[] }> {
  const seen = new SeenKeys();
  const outcomes: string[] = [];
  const told: number[] = [];
  const tell = (outcome: ImportOutcome): void => {
    if (outcome.kind === "rejected") told.push(outcome.record);
  };
  for (let start = 0; start < source.length; start += size) {
    const items = source.slice(start, start + size).map((body, index) => ({
      record: start + index + 1,
      type: JSON.stringify(body["schemas"]).includes("Group") ? "Group" : "User",
      body,
    }));
    const prepared = await service.prepareImport(context(profile), {
      items,
      seen,
      keepIds: false,
      mode: "upsert",
    });
    for (const outcome of prepared.outcomes) tell(outcome);
    const done = await prepared.apply({ run: null, onRejected: async (outcome) => tell(outcome) });
    outcomes.push(...done.map(({ kind, error }) => `${kind} ${error?.message ?? ""}`));
  }
  return { outcomes, told: told.toSorted((a, b) => a - b) };
}

const kindsOf = async (...of: Parameters<typeof imported>): Promise<string> => {
  const { outcomes } = (await imported(...of)) as { readonly outcomes: readonly string[] };
  return outcomes.map((outcome) => outcome.split(" ", 1)[0]).join(" ");
};

describe("records of one batch", () => {
  const [ANN, BEN] = [user("ann", "1"), user("ben", "2")];
  test.each<readonly [string, readonly JsonObject[], readonly JsonObject[], string]>([
    ["take what one before gave up", [ANN], [user("eve", "1"), user("ann", "2")], "replaced created"],
    [
      "do not take what one behind gives up",
      [ANN],
      [user("ann", "2"), user("eve", "1")],
      "rejected replaced",
    ],
    ["cannot swap", [ANN, BEN], [user("ben", "1"), user("ann", "2")], "rejected rejected"],
    [
      "move along",
      [ANN, BEN],
      [user("eve", "1"), user("ann", "2"), user("ben", "3")],
      "replaced replaced created",
    ],
    [
      "do not mean by a name what one before has made of a resource",
      [group("a", "1")],
      [group("b", "1"), group("b"), group("a")],
      "replaced rejected created",
    ],
    ["do not mean by a name what one before has made", [], [group("a", "1"), group("a")], "created rejected"],
  ])("%s", async (_what, before, source, expected) => {
    for (const size of [1, source.length])
      expect([size, await kindsOf(before, source, size)]).toEqual([size, expected]);
  });

  test.each([
    ["that have externalIds are planned together", [group("c", "1"), group("c", "2"), group("c", "3")], 3],
    ["are planned up to the second that a resource is found for", [group("b", "0"), group("b", "1")], 1],
  ])("of one name %s", async (_, source, planned) => {
    const { service, context } = testService();
    const request = (bodies: readonly JsonObject[]): ImportRequest => ({
      items: bodies.map((body, index) => ({ record: index + 1, type: "Group", body })),
      seen: new SeenKeys(),
      keepIds: false,
      mode: "upsert",
    });
    const there = await service.prepareImport(context(PROFILES.strict), request([group("b")]));
    await there.apply({ run: null, onRejected: async () => undefined });
    const { outcomes } = await service.prepareImport(context(PROFILES.strict), request(source));
    expect(outcomes).toHaveLength(planned);
  });

  test("come to what they come to one after another, however many are imported at once", async () => {
    const name = fc.constantFrom("a", "b", "c");
    const key = fc.constantFrom("1", "2", "3", undefined);
    const record = fc.tuple(fc.constantFrom(user, group), name, key).map(([make, ...of]) => make(...of));
    const source = fc.array(record, { minLength: 2, maxLength: 6 });
    const profile = fc.constantFrom(PROFILES.strict, PROFILES.tolerant);
    await fc.assert(
      fc.asyncProperty(
        source,
        source,
        fc.integer({ min: 2, max: 6 }),
        profile,
        async (before, then, size, of) => {
          expect(await imported(before, then, size, of)).toEqual(await imported(before, then, 1, of));
        },
      ),
      { numRuns: 3 * USUAL_RUNS },
    );
  });
});

import { isScimError, PATCH_OP_URN, type JsonObject, type JsonValue } from "@scim/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collectionChangesOf, type CollectionChange, type WritePlan } from "../../src/index.ts";
import { group } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { PLAIN, testService } from "../support/service.ts";
import { recordingStore } from "../support/store-wrappers.ts";
import { addTeamsWithProjects, PROJECT_URN, TEAM_URN } from "../support/teams.ts";

const word = (...words: readonly JsonValue[]): fc.Arbitrary<JsonValue> => fc.constantFrom(...words);
const member = fc.record(
  { value: word("a", "b", "c", "d", "e", "B"), type: word("User", "user"), display: word("Anna", "Ben") },
  { requiredKeys: ["value"] },
);
/** Values that are rewritten, dropped or refused. */
const odd = fc.constantFrom<JsonValue>(
  null,
  {},
  "a",
  { value: "no id" },
  { display: "nobody" },
  { value: "a", display: 5 },
  { value: "b", type: "Robot" },
  { value: "b", $ref: "../Users/b" },
  { value: "c", color: "red" },
);
const held = fc.uniqueArray(member, { maxLength: 6, selector: ({ value }) => value });
const list = fc.array(fc.oneof({ weight: 30, arbitrary: member }, { weight: 1, arbitrary: odd }), {
  maxLength: 6,
});

/** Operations on a collection at a path. */
function operationsOn(path: string): fc.Arbitrary<JsonObject> {
  const filter = fc.constantFrom(
    'type eq "User"',
    'not (type eq "User")',
    'display eq "Anna"',
    "display pr",
    'value sw "b" or value eq "a"',
    'value eq "c"',
    'type eq "User" and display eq "Ben"',
    "not (value pr)",
  );
  const given = fc.constantFrom<JsonValue>("Anna", "Zoe", null, 5);
  const whole = fc.constantFrom<JsonValue>({ display: "Zoe" }, { type: "user" }, { value: "d" }, {}, null, [
    { display: "Zoe" },
  ]);
  const op = fc.constantFrom("add", "replace");
  return fc.oneof(
    { weight: 6, arbitrary: list.map((value) => ({ op: "replace", path, value })) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<JsonObject>({ op: "remove", path }, { op: "replace", path, value: [] }),
    },
    { weight: 3, arbitrary: list.map((value) => ({ op: "add", path, value })) },
    { weight: 1, arbitrary: list.map((value) => ({ op: "remove", path, value })) },
    {
      weight: 4,
      arbitrary: fc.record({
        op,
        path: filter.map((written) => `${path}[${written}].display`),
        value: given,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ op, path: filter.map((written) => `${path}[${written}]`), value: whole }),
    },
    { weight: 1, arbitrary: fc.record({ op, path: fc.constant(`${path}.display`), value: given }) },
    {
      weight: 2,
      arbitrary: fc.record({
        op: fc.constant("remove"),
        path: fc.oneof(
          filter.map((written) => `${path}[${written}]`),
          filter.map((written) => `${path}[${written}].display`),
          fc.constant(`${path}.display`),
        ),
      }),
    },
  );
}

const anyOperations = (paths: readonly string[]): fc.Arbitrary<readonly JsonObject[]> =>
  fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.oneof(...paths.map(operationsOn)) },
      { weight: 1, arbitrary: fc.constant({ op: "replace", path: "displayName", value: "two" }) },
      { weight: 1, arbitrary: fc.constant({ op: "replace", path: "displayName", value: 5 }) },
    ),
    { minLength: 1, maxLength: 3 },
  );

const groups = fc.tuple(held, anyOperations(["members"])).map(([members, operations]) => ({
  type: "Group",
  body: group({ members }),
  operations,
}));
const teams = fc
  .tuple(held, held, held, anyOperations(["owners", "guests", `${PROJECT_URN}:sponsors`]))
  .map(([owners, guests, sponsors, operations]) => ({
    type: "Team",
    body: {
      schemas: [TEAM_URN, PROJECT_URN],
      displayName: "one",
      owners,
      guests,
      [PROJECT_URN]: { sponsors },
    },
    operations,
  }));

const changesOf = (plan: WritePlan): readonly CollectionChange[] =>
  collectionChangesOf(plan).toSorted((left, right) => (left.path < right.path ? -1 : 1));

interface Sent {
  readonly type: string;
  readonly body: JsonObject;
  readonly operations: readonly JsonObject[];
}

/** What a PATCH comes to: its answer, what is told of it, and the resource that it leads to. */
async function outcome({ type, body, operations }: Sent, profile: "tolerant" | "strict", streams: boolean) {
  const plans: WritePlan[] = [];
  const scim = testService(addTeamsWithProjects, {
    limits: { heldReferences: 2 },
    wrap: (store) => recordingStore(store, { plans }),
  });
  const id = idOf(await scim.as("tolerant").post(type, body));
  plans.splice(0);
  scim.fired.splice(0);
  let answer: unknown;
  try {
    answer = await scim.service.patch(scim.context(profile), {
      ...PLAIN,
      type,
      id,
      body: { schemas: [PATCH_OP_URN], Operations: operations },
      streams,
    });
  } catch (error) {
    if (!isScimError(error)) throw error;
    // Of several faults, either may be told; until then other tolerances were made use of.
    if (operations.length > 1) scim.fired.splice(0);
    answer = operations.length === 1 ? { code: error.code, detail: error.detail } : "refused";
  }
  return {
    answer,
    // In which order collections are told means nothing.
    told: plans.map((plan) => [plan.event.kind, plan.event.changed.toSorted(), ...changesOf(plan)]),
    fired: scim.fired.toSorted(),
    resource: await scim.as().get(type, id),
  };
}

test.each(["tolerant", "strict"] as const)(
  "a PATCH gets the same answer and leads to the same state, whether collections are held or staged (%s)",
  async (profile) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(groups, teams), async (sent) => {
        expect(await outcome(sent, profile, true)).toEqual(await outcome(sent, profile, false));
      }),
      { numRuns: 150 },
    );
  },
);

import { referenceBatch, type ReferenceStage, type ReferenceValue, type ResourceStore } from "@scim/core";
import { createMemoryStore, createPlan, updatePlan } from "@scim/core/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openPostgres } from "../support/engines.ts";
import { newFile, open } from "../support/folders.ts";

/** Values in few numbers: members from a place on, some left out, some in another order, some with something else beside them. */
const LISTS = fc.record({
  from: fc.constantFrom(0, 0, 500, 2000),
  count: fc.constantFrom(3, 1100, 1600),
  without: fc.constantFrom(2, 7, 5000),
  shown: fc.constantFrom(1, 3, 5000),
  display: fc.constantFrom("A", "B"),
  backwards: fc.boolean(),
  again: fc.boolean(),
});

type List = typeof LISTS extends fc.Arbitrary<infer Value> ? Value : never;

function valuesOf({ from, count, without, shown, display, backwards }: List): readonly ReferenceValue[] {
  const values = Array.from({ length: count }, (_, n) => from + n)
    .filter((n) => n % without !== 1)
    .map((n) => ({ value: `m${n}`, rest: n % shown === 0 ? { display } : {} }));
  return backwards ? values.toReversed() : values;
}

const CHANGES = fc.record({
  list: LISTS,
  displayName: fc.constantFrom("one", "two"),
  /** What is kept of what was beside a value that stays: all, nothing, or what is not sent. */
  settle: fc.constantFrom("held", "staged", "both"),
});

type Change = typeof CHANGES extends fc.Arbitrary<infer Value> ? Value : never;

const SETTLE = {
  held: (held: ReferenceValue) => held.rest,
  staged: (_: ReferenceValue, staged: ReferenceValue["rest"]) => staged,
  both: (held: ReferenceValue, staged: ReferenceValue["rest"]) => ({ ...held.rest, ...staged }),
} as const;

async function fill(stage: ReferenceStage, list: List): Promise<unknown> {
  const values = valuesOf(list);
  const known = [];
  for (let start = 0; start < values.length; start += 900)
    known.push(...(await stage.add("members", referenceBatch(values.slice(start, start + 900)))));
  if (!list.again) return known;
  const some = values.slice(0, 5).map(({ value }) => ({ value, rest: { type: "User" } }));
  known.push(...(await stage.add("members", referenceBatch(some))));
  await stage.amend("members", referenceBatch(some.slice(0, 2)));
  return known;
}

/** Makes a group hold each list in turn, and tells all that is answered. */
async function told(store: ResourceStore, tenant: string, changes: readonly Change[]): Promise<unknown> {
  const scope = { tenant, connection: "first" };
  const group = { type: "Group", id: "g1" } as const;
  const answers: unknown[] = [];
  await store.write(scope, createPlan({ ...group, body: { displayName: "zero" } }));
  for (const { list, displayName, settle } of changes) {
    const stage = await store.stage(scope, group.type);
    try {
      answers.push(await fill(stage, list));
      const difference = await stage.compare({ ...group, path: "members" }, SETTLE[settle]);
      answers.push(difference);
      const stored = await store.read(scope, group, { collections: [], inverses: [] });
      if (stored === null) throw new TypeError("The group is there");
      const plan = updatePlan(stored, { body: { displayName } });
      const taken =
        difference.kind === "long"
          ? { ...plan, staged: { stage: stage.id, changes: [difference.change] } }
          : { ...plan, collections: [difference.delta] };
      answers.push((await store.write(scope, taken)).kind);
    } finally {
      await stage.close();
    }
    answers.push(await store.references(scope, { ...group, path: "members" }, "all"));
  }
  return answers;
}

let tenants = 0;

test.each([
  ["SQLite", () => open(newFile())],
  ["PostgreSQL", () => openPostgres()],
] as const)(
  "a long collection on %s comes to hold what is staged, as in the reference store",
  async (_, openStore) => {
    const { resources } = await openStore();
    await fc.assert(
      fc.asyncProperty(fc.array(CHANGES, { minLength: 3, maxLength: 3 }), async (changes) => {
        const tenant = `long-${(tenants += 1)}`;
        expect(await told(resources, tenant, changes)).toEqual(
          await told(createMemoryStore(), tenant, changes),
        );
      }),
      { numRuns: 4 },
    );
  },
);

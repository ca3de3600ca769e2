/**
 * Staged values: brought in before the write that takes them over, and compared with what is held.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { ResourceStore } from "../../store/port.ts";
import type { ReferenceValue } from "../../store/stored-resource.ts";
import {
  referenceBatch,
  type ReferenceStage,
  type SettleReference,
  type StageDifference,
} from "../../store/reference-stage.ts";
import { ContractViolation, expectEqual } from "./expect.ts";
import type { ResourceStoreRule } from "./rule.ts";
import { indexPage, matchingIds } from "./query-check.ts";
import { createPlan, fetchOne, NOTHING, SCOPE, seed, updatePlan } from "./sample.ts";

const GROUP = { type: "Group", id: "g1", body: { displayName: "one" } } as const;
const OWNER = { type: "Group", id: "g1", path: "members" } as const;

const asStaged: SettleReference = (_, staged) => staged;
const asHeld: SettleReference = ({ rest }) => rest;

function many(from: number, to: number, rest: JsonObject = {}): readonly ReferenceValue[] {
  return Array.from({ length: to - from }, (_, index) => ({ value: `m${from + index}`, rest }));
}

async function withStage(store: ResourceStore, run: (stage: ReferenceStage) => Promise<void>): Promise<void> {
  const stage = await store.stage(SCOPE, GROUP.type);
  try {
    await run(stage);
  } finally {
    await stage.close();
    await stage.close();
  }
}

/** Stages values in batches, none of which is there yet. */
async function fill(stage: ReferenceStage, values: readonly ReferenceValue[]): Promise<void> {
  for (let start = 0; start < values.length; start += 700) {
    const known = await stage.add("members", referenceBatch(values.slice(start, start + 700)));
    expectEqual(known, [], "values that were staged already");
  }
}

function changeOf(difference: StageDifference): readonly [number, number] {
  if (difference.kind === "short") throw new ContractViolation("the difference", "short", "long");
  return [difference.change.removed, difference.change.added];
}

/** Makes a group hold what is staged, on the version that it has. */
async function takeOver(store: ResourceStore, stage: ReferenceStage, settle = asStaged): Promise<string> {
  const group = await fetchOne(store, GROUP);
  const difference = await stage.compare(OWNER, settle);
  if (difference.kind === "short") throw new ContractViolation("the difference", "short", "long");
  const staged = { stage: stage.id, changes: [difference.change] };
  return (await store.write(SCOPE, { ...updatePlan(group, {}), staged })).kind;
}

async function held(store: ResourceStore): Promise<readonly ReferenceValue[]> {
  return store.references(SCOPE, OWNER, "all");
}

export const STAGING_RULES: readonly ResourceStoreRule[] = [
  {
    rule: "staging/add",
    name: "a value is staged once: added again it is answered with what stands beside it, which can be amended",
    run: async (open) => {
      const store = await open();
      await seed(store, [GROUP]);
      await withStage(store, async (stage) => {
        const first = { value: "a", rest: { display: 'Äpfel " \u0001' } };
        expectEqual(await stage.add("members", referenceBatch([first, ...many(0, 2)])), [], "first batch");
        const again = referenceBatch([
          { value: "b", rest: {} },
          { value: "a", rest: { type: "User" } },
        ]);
        expectEqual(await stage.add("members", again), [first], "second batch");
        expectEqual(await stage.add("owners", referenceBatch([first])), [], "another collection");
        await stage.amend("members", referenceBatch([{ value: "a", rest: { type: "User" } }]));
        const add = [{ value: "a", rest: { type: "User" } }, ...many(0, 2), { value: "b", rest: {} }];
        const delta = { path: "members", remove: [], add };
        expectEqual(await stage.compare(OWNER, asStaged), { kind: "short", delta }, "difference");
      });
    },
  },
  {
    rule: "staging/leave",
    name: "a collection loses what is staged for it and nothing else; what it does not hold tells nothing",
    run: async (open) => {
      const store = await open();
      const beside = { type: "User" };
      const members = many(0, 3000, beside);
      await seed(store, [{ ...GROUP, members }]);
      await withStage(store, async (stage) => {
        const empty = { kind: "short", delta: { path: "members", remove: [], add: [] } } as const;
        expectEqual(await stage.leave(OWNER), empty, "nothing staged");
        await fill(stage, [{ value: "x", rest: {} }, ...many(7, 9)]);
        const delta = { path: "members", remove: ["m7", "m8"], add: [] };
        expectEqual(await stage.leave(OWNER), { kind: "short", delta }, "few");
        expectEqual(await stage.leave({ ...OWNER, id: "none" }), empty, "no such resource");
        await fill(stage, many(100, 1700, { display: "other" }));
        expectEqual(changeOf(await stage.leave(OWNER)), [1602, 0], "many");
        expectEqual(changeOf(await stage.compare(OWNER, asHeld)), [1398, 1], "a comparison in between");
        const group = await fetchOne(store, GROUP);
        const difference = await stage.leave(OWNER);
        if (difference.kind === "short") throw new ContractViolation("the difference", "short", "long");
        const staged = { stage: stage.id, changes: [difference.change] };
        expectEqual(
          (await store.write(SCOPE, { ...updatePlan(group, {}), staged })).kind,
          "written",
          "write",
        );
        const left = [...many(0, 7, beside), ...many(9, 100, beside), ...many(1700, 3000, beside)];
        expectEqual(await held(store), left, "what is left");
      });
    },
  },
  {
    rule: "staging/compare",
    name: "a short difference is told in full, in the order of the stage; what stays is settled by the caller",
    run: async (open) => {
      const store = await open();
      const kept = { value: "b", rest: { display: "B" } };
      await seed(store, [{ ...GROUP, members: ["a", kept, { value: "c", rest: { display: "C" } }] }]);
      await withStage(store, async (stage) => {
        expectEqual(
          await stage.compare({ ...OWNER, id: "none" }, asStaged),
          { kind: "short", delta: { path: "members", remove: [], add: [] } },
          "nothing staged for a resource that is not there",
        );
        await fill(stage, [
          { value: "x", rest: {} },
          { value: "c", rest: {} },
          { value: "b", rest: {} },
        ]);
        const asked: string[] = [];
        const settled = await stage.compare(OWNER, (before, staged) => {
          asked.push(before.value);
          return before.value === "b" ? before.rest : { ...before.rest, ...staged, type: "User" };
        });
        expectEqual(asked, ["c", "b"], "asked for");
        const add = [
          { value: "x", rest: {} },
          { value: "c", rest: { display: "C", type: "User" } },
        ];
        expectEqual(settled, { kind: "short", delta: { path: "members", remove: ["a"], add } }, "settled");
        const delta = { path: "members", remove: ["a"], add: [{ value: "x", rest: {} }] };
        expectEqual(await stage.compare(OWNER, asHeld), { kind: "short", delta }, "settled anew");
      });
    },
  },
  {
    rule: "staging/replace",
    name: "a write takes staged values over: others go, those that stay keep their place, new ones come in order",
    run: async (open) => {
      const store = await open();
      const other = { ...GROUP, id: "g2", members: many(0, 3) };
      await seed(store, [{ ...GROUP, members: many(0, 1500, { display: "M" }) }, other]);
      await withStage(store, async (stage) => {
        const staged = [...many(2000, 2400), ...many(700, 1400), ...many(1400, 1401, { display: "New" })];
        await fill(stage, staged);
        const difference = await stage.compare(OWNER, asStaged);
        expectEqual(changeOf(difference), [799, 1101], "removed and added");
        expectEqual(
          changeOf(await stage.compare(OWNER, asHeld)),
          [799, 400],
          "with what is held beside them",
        );
        expectEqual(await takeOver(store, stage), "written", "write");
        const next = [...many(700, 1400), ...many(1400, 1401, { display: "New" }), ...many(2000, 2400)];
        expectEqual(await held(store), next, "members");
        const delta = { path: "members", remove: [], add: [] };
        expectEqual(await stage.compare(OWNER, asStaged), { kind: "short", delta }, "afterwards");
      });
      expectEqual((await store.references(SCOPE, { ...OWNER, id: "g2" }, "all")).length, 3, "another group");
    },
  },
  {
    rule: "staging/exchange",
    name: "a write takes over what has no value in common with what is held: all of it goes, in order comes what is staged",
    run: async (open) => {
      const store = await open();
      const other = { ...GROUP, id: "g2", members: many(0, 3) };
      await seed(store, [{ ...GROUP, members: many(0, 1500) }, other]);
      for (const staged of [many(2000, 3500).toReversed(), many(5000, 6200), many(0, 1300)]) {
        await withStage(store, async (stage) => {
          await fill(stage, staged);
          expectEqual(await takeOver(store, stage), "written", "write");
        });
        expectEqual(await held(store), staged, "members");
      }
      expectEqual((await store.references(SCOPE, { ...OWNER, id: "g2" }, "all")).length, 3, "another group");
    },
  },
  {
    rule: "staging/create",
    name: "a new resource takes staged values over",
    run: async (open) => {
      const store = await open();
      await withStage(store, async (stage) => {
        const staged = many(0, 2500, { display: 'Äpfel " 😀' });
        await fill(stage, staged);
        const difference = await stage.compare(OWNER, asStaged);
        expectEqual(changeOf(difference), [0, 2500], "removed and added");
        const plan = {
          ...createPlan(GROUP),
          staged: { stage: stage.id, changes: [{ path: "members", removed: 0, added: 2500 }] },
        };
        expectEqual((await store.write(SCOPE, plan)).kind, "written", "write");
        expectEqual(await held(store), staged, "members");
        const all = { type: GROUP.type, filter: null, sort: null, page: indexPage(0, 10) } as const;
        expectEqual(await matchingIds(store, all), { total: 1, ids: ["g1"], more: false }, "all of the type");
      });
    },
  },
  {
    rule: "staging/version",
    name: "nothing is taken over where the resource has another version by now",
    run: async (open) => {
      const store = await open();
      await seed(store, [{ ...GROUP, members: ["a"] }]);
      await withStage(store, async (stage) => {
        await fill(stage, many(0, 1200));
        const before = await fetchOne(store, GROUP);
        const difference = await stage.compare(OWNER, asStaged);
        if (difference.kind === "short") throw new ContractViolation("the difference", "short", "long");
        await store.write(SCOPE, updatePlan(before, { body: { displayName: "two" } }));
        const staged = { stage: stage.id, changes: [difference.change] };
        const late = { ...updatePlan(before, { body: { displayName: "three" } }), staged };
        const current = await fetchOne(store, GROUP);
        expectEqual(await store.write(SCOPE, late), { kind: "conflict", current: current.version }, "write");
        expectEqual(await held(store), [{ value: "a", rest: {} }], "members");
        expectEqual((await fetchOne(store, GROUP, NOTHING)).body, { displayName: "two" }, "body");
        expectEqual(await takeOver(store, stage), "written", "write on the version that it has");
        expectEqual((await held(store)).length, 1200, "members after that");
      });
    },
  },
  {
    rule: "staging/emptied",
    name: "what was settled for a value that was held is forgotten where the collection was emptied since",
    run: async (open) => {
      const store = await open();
      await seed(store, [{ ...GROUP, members: many(0, 2, { display: "M" }) }]);
      await withStage(store, async (stage) => {
        await fill(stage, many(1, 1300));
        expectEqual(changeOf(await stage.compare(OWNER, asHeld)), [1, 1298], "removed and added");
        const collections = [{ path: "members", remove: "all", add: [] }] as const;
        await store.write(SCOPE, updatePlan(await fetchOne(store, GROUP), { collections }));
        expectEqual(await takeOver(store, stage), "written", "write");
        expectEqual(await held(store), many(1, 1300), "members");
      });
    },
  },
  {
    rule: "staging/apart",
    name: "stages know nothing of each other, and are seen by no read",
    run: async (open) => {
      const store = await open();
      await seed(store, [{ ...GROUP, members: ["a"] }]);
      await withStage(store, async (stage) => {
        await fill(stage, many(0, 10));
        await withStage(store, async (other) => {
          expectEqual(stage.id === other.id, false, "same id");
          expectEqual(await other.add("members", referenceBatch(many(0, 10))), [], "staged elsewhere");
        });
        expectEqual(await held(store), [{ value: "a", rest: {} }], "members");
        expectEqual((await stage.add("members", referenceBatch(many(0, 10)))).length, 10, "still staged");
      });
    },
  },
];

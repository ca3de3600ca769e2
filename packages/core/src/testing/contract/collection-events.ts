/**
 * Rules of events of collections: beside a body, and of what is taken over from a stage.
 * @module
 */
import type { ResourceStore } from "../../store/port.ts";
import { referenceBatch } from "../../store/reference-stage.ts";
import type { ReferenceValue } from "../../store/stored-resource.ts";
import { ContractViolation, expectEqual } from "./expect.ts";
import { assignAll, readAll } from "./positions.ts";
import type { EventFeedRule } from "./rule.ts";
import { adding, createPlan, fetchOne, SCOPE, seed, updatePlan } from "./sample.ts";

const GROUP = { type: "Group", id: "g1", body: { displayName: "one" } } as const;
const OWNER = { type: "Group", id: "g1", path: "members" } as const;

/** More than a difference names. */
const MANY = Array.from({ length: 1200 }, (_, index) => ({ value: `m${index}`, rest: {} }));

/** Makes the group hold values by a stage of their own. */
async function takeOver(store: ResourceStore, values: readonly ReferenceValue[]): Promise<void> {
  const stage = await store.stage(SCOPE, GROUP.type);
  try {
    await stage.add(OWNER.path, referenceBatch(values));
    const difference = await stage.compare(OWNER, (_, staged) => staged);
    if (difference.kind === "short") throw new ContractViolation("the difference", "short", "long");
    const staged = { stage: stage.id, changes: [difference.change] };
    await store.write(SCOPE, { ...updatePlan(await fetchOne(store, GROUP), {}), staged });
  } finally {
    await stage.close();
  }
}

export const COLLECTION_EVENT_RULES: readonly EventFeedRule[] = [
  {
    rule: "event/body-and-collections",
    name: "an event of a body and its collections tells both",
    run: async (open) => {
      const store = await open();
      await seed(store.resources, [GROUP]);
      const change = { body: { displayName: "two" }, collections: [adding("c")] };
      await store.resources.write(SCOPE, updatePlan(await fetchOne(store.resources, GROUP), change));
      await assignAll(store, 2);
      const [, told] = await readAll(store);
      expectEqual([told?.before, told?.after], [GROUP.body, change.body], "before and after");
      expectEqual(told?.collections, [{ path: "members", removed: [], added: ["c"] }], "collections");
    },
  },
  {
    rule: "event/staged",
    name: "what a write takes over from a stage is told with the write: how many values came and went, and of few which",
    run: async (open) => {
      const store = await open();
      const { resources } = store;
      const stage = await resources.stage(SCOPE, GROUP.type);
      try {
        const path = "members";
        await stage.add(path, referenceBatch(MANY));
        await stage.compare(OWNER, (_, staged) => staged);
        const first = { stage: stage.id, changes: [{ path, removed: 0, added: MANY.length }] };
        await resources.write(SCOPE, { ...createPlan(GROUP), staged: first });
        const collections = [{ path, remove: "all", add: [] }] as const;
        await resources.write(SCOPE, updatePlan(await fetchOne(resources, GROUP), { collections }));
        const again = await stage.compare(OWNER, (_, staged) => staged);
        if (again.kind === "short") throw new ContractViolation("the difference", "short", "long");
        const second = { stage: stage.id, changes: [again.change] };
        await resources.write(SCOPE, { ...updatePlan(await fetchOne(resources, GROUP), {}), staged: second });
        const few = ["m0", "n0", "m1"].map((value) => ({ value, rest: {} }));
        await takeOver(resources, few);
        await takeOver(resources, MANY);
        await assignAll(store, 5);
        const told = (await readAll(store)).map(({ kind, collections: changes }) => [kind, changes]);
        const came = [{ path, removed: [], added: MANY.length }];
        const went = [{ path, removed: "all", added: [] }];
        const expected = [
          ["created", came],
          ["patched", went],
          ["patched", came],
          ["patched", [{ path, removed: MANY.length - 2, added: ["n0"] }]],
          ["patched", [{ path, removed: ["n0"], added: MANY.length - 2 }]],
        ];
        expectEqual(told, expected, "events");
      } finally {
        await stage.close();
      }
    },
  },
];

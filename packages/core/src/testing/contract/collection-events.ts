/**
 * Rules of events of collections: beside a body, and of what is taken over from a stage.
 * @module
 */
import { referenceBatch } from "../../store/reference-stage.ts";
import { ContractViolation, expectEqual } from "./expect.ts";
import { assignAll, readAll } from "./positions.ts";
import type { EventFeedRule } from "./rule.ts";
import { adding, createPlan, fetchOne, SCOPE, seed, updatePlan } from "./sample.ts";

const GROUP = { type: "Group", id: "g1", body: { displayName: "one" } } as const;
const OWNER = { type: "Group", id: "g1", path: "members" } as const;

/** More than a difference names. */
const MANY = Array.from({ length: 1200 }, (_, index) => ({ value: `m${index}`, rest: {} }));

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
    name: "what a write takes over from a stage is told with the write: how many values came and went",
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
        await assignAll(store, 3);
        const told = (await readAll(store)).map(({ kind, collections: changes }) => [kind, changes]);
        const came = [{ path, removed: [], added: MANY.length }];
        const went = [{ path, removed: "all", added: [] }];
        const expected = [
          ["created", came],
          ["patched", went],
          ["patched", came],
        ];
        expectEqual(told, expected, "events");
      } finally {
        await stage.close();
      }
    },
  },
];

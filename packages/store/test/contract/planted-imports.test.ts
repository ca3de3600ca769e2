import type { ImportStore, ResourceStore } from "@scim/core";
import {
  ContractViolation,
  EVENT_FEED_CONTRACT,
  interposed,
  RESOURCE_STORE_CONTRACT,
} from "@scim/core/testing";
import { expect, test } from "vitest";
import type { Store } from "../../src/store.ts";
import { open } from "../support/folders.ts";

type Plant = (imports: ImportStore, resources: ResourceStore) => Partial<ImportStore>;

const NORTH = { tenant: "north", connection: "first" };

/** Bugs of imports, each by a rule that finds it out: the store in memory takes none. */
const PLANTED: readonly (readonly [rule: string, bug: string, plant: Plant])[] = [
  [
    "import/whole",
    "applies the plans before the one that is refused",
    (imports) => ({
      writeAll: async (scope, plans, step) => {
        const result = await imports.writeAll(scope, plans, step);
        const [first] = plans;
        if (result.kind === "refused" && first !== undefined) await imports.writeAll(scope, [first], null);
        return result;
      },
    }),
  ],
  [
    "import/whole",
    "notes a step that was refused",
    (imports) => ({
      writeAll: async (scope, plans, step) => {
        const result = await imports.writeAll(scope, plans, step);
        if (result.kind === "refused") await imports.writeAll(scope, [], step);
        return result;
      },
    }),
  ],
  [
    "import/gathered",
    "writes resources as they are gathered",
    (imports) => ({
      gather: (scope) => {
        const gathered = imports.gather(scope);
        const writing: Promise<unknown>[] = [];
        return {
          add: (plans) => writing.push(...plans.map((plan) => imports.writeAll(scope, [plan], null))),
          write: async (step) => {
            await Promise.all(writing);
            return gathered.write(step);
          },
          settled: () => gathered.settled(),
        };
      },
    }),
  ],
  [
    "import/progress",
    "keeps runs of every tenant together",
    (imports) => ({ progress: (_scope, run) => imports.progress(NORTH, run) }),
  ],
  [
    "import/progress",
    "counts runs of every tenant",
    (imports) => ({ begun: (_scope, beginning) => imports.begun(NORTH, beginning) }),
  ],
  [
    "import/progress",
    "counts a run alone whose name is the text",
    (imports) => ({ begun: async (scope, run) => Number((await imports.progress(scope, run)) !== null) }),
  ],
  [
    "import/progress",
    "forgets runs of every tenant",
    (imports) => ({ forget: (_scope, run) => imports.forget(NORTH, run) }),
  ],
  [
    "import/holders",
    "finds holders of every tenant",
    (imports) => ({ holders: (_scope, lookup) => imports.holders(NORTH, lookup) }),
  ],
  [
    "event/imported",
    "writes what is imported twice",
    (imports, resources) => ({
      writeAll: async (scope, plans, step) => {
        const result = await imports.writeAll(scope, plans, step);
        for (const plan of plans)
          if (plan.kind === "create" && result.kind === "written") {
            const stored = await resources.read(scope, plan, { collections: [], inverses: [] });
            if (stored !== null)
              await resources.write(scope, {
                ...plan,
                kind: "update",
                expectedVersion: stored.version,
                index: { add: [], remove: [] },
                unique: { add: [], remove: [] },
              });
          }
        return result;
      },
    }),
  ],
];

async function planted(plant: Plant): Promise<Store> {
  const store = await open(":memory:");
  const { imports } = store.resources;
  if (imports === undefined) throw new TypeError("The store takes no imports");
  const bound: ImportStore = {
    holders: (scope, lookup) => imports.holders(scope, lookup),
    writeAll: (scope, plans, step) => imports.writeAll(scope, plans, step),
    gather: (scope) => imports.gather(scope),
    progress: (scope, run) => imports.progress(scope, run),
    begun: (scope, beginning) => imports.begun(scope, beginning),
    forget: (scope, run) => imports.forget(scope, run),
  };
  const resources = interposed(store.resources, {
    imports: { ...bound, ...plant(bound, store.resources) },
  });
  return { ...store, events: store.events, resources };
}

test.each(PLANTED)("%s finds out a store that %s", async (name, _, plant) => {
  for (const { rule, run } of RESOURCE_STORE_CONTRACT)
    if (rule === name)
      await expect(run(async () => (await planted(plant)).resources)).rejects.toThrow(ContractViolation);
  for (const { rule, run } of EVENT_FEED_CONTRACT)
    if (rule === name) await expect(run(() => planted(plant))).rejects.toThrow(ContractViolation);
  expect.assertions(1);
});

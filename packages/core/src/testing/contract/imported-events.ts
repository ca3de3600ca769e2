/**
 * The rule of events of imports.
 * @module
 */
import { expectEqual } from "./expect.ts";
import { assignAll, readAll } from "./positions.ts";
import type { EventFeedRule } from "./rule.ts";
import { createPlan, fetchOne, SCOPE, updatePlan } from "./sample.ts";

/** Of stores that take imports; of others it asks nothing. */
export const IMPORTED_RULE: EventFeedRule = {
  rule: "event/imported",
  name: "each resource that an import writes is told once, with its JSON; of what was refused nothing is told",
  run: async (open) => {
    const store = await open();
    const { imports } = store.resources;
    if (imports === undefined) return;
    const user = (id: string) => createPlan({ type: "User", id, body: { userName: id } });
    await imports.writeAll(SCOPE, [user("u3"), user("u1")], null);
    await imports.writeAll(SCOPE, [user("u4"), user("u1")], null);
    const gathered = imports.gather(SCOPE);
    gathered.add([user("u5"), user("u2")], []);
    await gathered.write(null);
    const stored = await fetchOne(store.resources, { type: "User", id: "u1" });
    const changed = { userName: "u1", title: "Dr" };
    await imports.writeAll(SCOPE, [updatePlan(stored, { body: changed })], null);
    await assignAll(store, 5);
    const told = await readAll(store);
    // Resources of one step are new at once: in which order they are told is the store's choice.
    const steps = [told.slice(0, 2), told.slice(2, 4), told.slice(4)].map((step) =>
      step.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    );
    const created = (id: string): readonly unknown[] => ["created", id, null, { userName: id }];
    expectEqual(
      steps.flat().map(({ kind, id, before, after }) => [kind, id, before, after]),
      [...["u1", "u3", "u2", "u5"].map(created), ["patched", "u1", stored.body, changed]],
      "events",
    );
  },
};

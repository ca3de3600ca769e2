/**
 * Rules of imports, of the stores that take them: all of a step or nothing, and how far a run has come.
 * @module
 */
import type { ImportStep } from "../../store/import-store.ts";
import type { ResourceStore } from "../../store/port.ts";
import type { CreatePlan } from "../../store/write-plan.ts";
import { expectEqual } from "./expect.ts";
import { indexPage, matchingIds } from "./query-check.ts";
import { rulesOfStoresWith, type ResourceStoreRule } from "./rule.ts";
import { createPlan, deletePlan, fetchOne, type NewResource, SCOPE, seed, updatePlan } from "./sample.ts";
import { SOUTH } from "./tenants.ts";

const ANNA: NewResource = { type: "User", id: "u1", body: { userName: "anna" } };

function user(id: string, userName: string): NewResource {
  return { type: "User", id, body: { userName } };
}

function step(position: number, created: number): ImportStep {
  return { run: "run", position, adds: { created, replaced: 0, unchanged: 0 } };
}

const importing = rulesOfStoresWith("imports", "import");

async function users(store: ResourceStore, scope = SCOPE): Promise<readonly string[]> {
  const everyone = { type: "User", filter: null, sort: null, page: indexPage(0, 10) } as const;
  return (await matchingIds(store, everyone, scope)).ids;
}

export const IMPORTING_RULES: readonly ResourceStoreRule[] = [
  importing(
    "whole",
    "plans and the step of a run are applied together, or none of them",
    async (store, imports) => {
      await seed(store, [ANNA]);
      const before = await fetchOne(store, { type: "User", id: "u1" });
      const changed = updatePlan(before, { body: { userName: "anna", title: "Dr" } });
      for (const refused of [
        createPlan(user("u3", "ANNA")),
        deletePlan({ type: "User", id: "u1", version: "1-other" }),
        deletePlan({ type: "User", id: "nobody", version: "1-other" }),
      ]) {
        const plans = [createPlan(user("u2", "bert")), refused, createPlan(user("u4", "carl"))];
        expectEqual((await imports.writeAll(SCOPE, plans, step(3, 3))).kind, "refused", refused.kind);
        expectEqual(await users(store), ["u1"], "users");
        expectEqual(await imports.progress(SCOPE, "run"), null, "progress");
      }
      const plans = [createPlan(user("u2", "bert")), changed];
      expectEqual((await imports.writeAll(SCOPE, plans, step(2, 1))).kind, "written", "without it");
      expectEqual(await users(store), ["u1", "u2"], "users in the end");
      expectEqual((await fetchOne(store, { type: "User", id: "u1" })).body, changed.body, "what was changed");
    },
  ),
  importing(
    "kept-ids",
    "ids that are kept are taken once over all types, however many resources are written together",
    async (store, imports) => {
      const kept = (each: NewResource): CreatePlan => ({ ...createPlan(each), keepsId: true });
      const team = (id: string): NewResource => ({ type: "Group", id, body: { displayName: `team ${id}` } });
      const many = Array.from({ length: 30 }, (_, index) => `k${index}`);
      await seed(store, [{ ...ANNA, id: "k7" }]);
      const taken = many.map((id) => kept(team(id)));
      for (const plans of [taken, [kept(team("k7"))], [kept(team("new")), kept(user("new", "new"))]]) {
        expectEqual((await imports.writeAll(SCOPE, plans, null)).kind, "refused", "together");
        const gathered = imports.gather(SCOPE);
        gathered.add(plans, []);
        expectEqual(await gathered.write(null), false, "gathered");
      }
      const both = [...taken, ...many.map((id) => kept(user(`u${id}`, `name ${id}`)))];
      const rest = both.filter(({ id }) => id !== "k7");
      const twice = [...rest, kept(user("k8", "twice"))];
      const gathered = imports.gather(SCOPE);
      gathered.add(twice, []);
      expectEqual(await gathered.write(null), false, "of two types in one");
      gathered.add(rest, []);
      expectEqual(await gathered.write(null), true, "free ones");
      const others = many.map((id) => createPlan(user(`o${id}`, `other ${id}`)));
      expectEqual((await imports.writeAll(SCOPE, others, null)).kind, "written", "new ids");
    },
  ),
  importing(
    "gathered",
    "new resources that are gathered are written together with the step, or not at all",
    async (store, imports) => {
      await seed(store, [ANNA]);
      const gathered = imports.gather(SCOPE);
      gathered.add([createPlan(user("u2", "bert")), createPlan(user("u3", "Anna"))], []);
      expectEqual(await users(store), ["u1"], "users before");
      expectEqual(await gathered.write(step(2, 2)), false, "with a value that is taken");
      expectEqual([await users(store), await imports.progress(SCOPE, "run")], [["u1"], null], "nothing");
      const again = imports.gather(SCOPE);
      again.add([createPlan(user("u2", "bert"))], []);
      again.add([createPlan(user("u3", "carl"))], []);
      expectEqual(await again.write(step(2, 2)), true, "without it");
      await again.settled();
      expectEqual(await users(store), ["u1", "u2", "u3"], "users in the end");
    },
  ),
  importing(
    "progress",
    "steps add up to how far a run has come, each run and each tenant by itself",
    async (store, imports) => {
      await imports.writeAll(SCOPE, [createPlan(user("u1", "anna"))], step(4, 1));
      await imports.writeAll(SCOPE, [createPlan(user("u2", "bert"))], step(9, 1));
      const come = { created: 2, replaced: 0, unchanged: 0, position: 9 };
      expectEqual(await imports.progress(SCOPE, "run"), come, "the run");
      expectEqual(await imports.progress(SCOPE, "other"), null, "another run");
      expectEqual(await imports.progress(SOUTH, "run"), null, "a run of another tenant");
      const begun = (beginning: string, scope = SCOPE): Promise<number> => imports.begun(scope, beginning);
      expectEqual(
        [
          await begun("r"),
          await begun("run"),
          await begun("u"),
          await begun("run."),
          await begun("r", SOUTH),
        ],
        [1, 1, 0, 0, 0],
        "runs by how their names begin",
      );
      await imports.forget(SOUTH, "run");
      await imports.forget(SCOPE, "other");
      expectEqual(await imports.progress(SCOPE, "run"), come, "after others were forgotten");
      expectEqual(await users(store, SOUTH), [], "users of another tenant");
      await imports.forget(SCOPE, "run");
      expectEqual(await imports.progress(SCOPE, "run"), null, "forgotten");
    },
  ),
  importing(
    "holders",
    "who holds a unique value is a live resource of the tenant",
    async (store, imports) => {
      await seed(store, [ANNA, user("u2", "bert"), user("u3", "carl")]);
      await seed(store, [user("u9", "dora")], SOUTH);
      await store.write(SCOPE, deletePlan(await fetchOne(store, { type: "User", id: "u3" })));
      const lookup = { type: "User", path: "userName", unique: "type:User", keys: ["anna", "carl", "dora"] };
      expectEqual(await imports.holders(SCOPE, lookup), [{ key: "anna", id: "u1" }], "in north");
      expectEqual(await imports.holders(SOUTH, lookup), [{ key: "dora", id: "u9" }], "in south");
    },
  ),
];

import { setTimeout as delay } from "node:timers/promises";
import {
  createModelCatalog,
  type HookContext,
  type HookedChange,
  type ResourceHooks,
  type ServiceLimits,
} from "@scim/core";
import { createPlan } from "@scim/core/testing";
import { createGuardHooks, type GuardExceeded, type GuardSettings } from "@scim/events";
import { GUARD_CONTRACT, SAMPLE_KEYS } from "@scim/events/testing";
import { createDefaultRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { Store } from "../src/store.ts";
import { ENGINES } from "./support/engines.ts";
import { hookedService, type HookedService } from "./support/hooked-service.ts";

const START = Date.parse("2026-11-02T08:00:00.000Z");
const MINUTE = 60_000;

interface Guarded {
  readonly clock: { minute: number };
  readonly told: GuardExceeded[];
  readonly hooks: ResourceHooks;
  /** Two processes with the same guard. */
  readonly processes: readonly [HookedService, HookedService];
  /** Ids of so many users. */
  add(count: number): Promise<readonly string[]>;
  /** Removes users; how many it could. */
  remove(ids: readonly string[]): Promise<number>;
}

/** Who changes something. */
function contextOf(scope: { readonly tenant: string; readonly connection: string }): HookContext {
  return { ...scope, subject: null, origin: null, signal: new AbortController().signal, dryRun: false };
}

/** A change of a resource, as a guard is told of it. */
function changeOf(
  { type, before, after }: Pick<HookedChange, "type" | "before" | "after">,
  changes: Partial<HookedChange["changes"]>,
): HookedChange {
  const none = { attributes: [], collections: [], longCollections: [] };
  return { kind: "replaced", type, id: "one", before, after, changes: { ...none, ...changes } };
}

function guarded(store: Store, of: Partial<GuardSettings>, limits: Partial<ServiceLimits> = {}): Guarded {
  const clock = { minute: 0 };
  const told: GuardExceeded[] = [];
  const settings: GuardSettings = { mode: "hold", atLeast: 2, percent: 0, window: 60, named: [], ...of };
  let ids = 0;
  const hooks = (): ResourceHooks =>
    createGuardHooks({
      ...SAMPLE_KEYS,
      store: store.guard,
      catalog: createModelCatalog(createDefaultRegistry()),
      settingsOf: async () => settings,
      deactivating: ["active", "maySignIn"],
      now: () => START + clock.minute * MINUTE,
      newId: () => `held-${(ids += 1)}`,
      onExceeded: (exceeded) => void told.push(exceeded),
    });
  const processes = [
    hookedService(store.resources, { User: hooks() }, limits),
    hookedService(store.resources, { User: hooks() }, limits),
  ] as const;
  return {
    clock,
    told,
    hooks: hooks(),
    processes,
    add: async (count) => {
      const made: string[] = [];
      for (let n = 0; n < count; n += 1) made.push(await processes[0].create({ userName: `u${n}` }));
      return made;
    },
    remove: async (which) => {
      const done = await Promise.allSettled(
        which.map((id, at) => processes[at % 2 === 0 ? 0 : 1].remove(id)),
      );
      return done.filter(({ status }) => status === "fulfilled").length;
    },
  };
}

describe.each(ENGINES)("guards on %s", (_name, open) => {
  test.each(GUARD_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(open)).resolves.toBeUndefined();
  });

  test("a window that is over counts for nothing", async () => {
    const guard = guarded(await open(), {});
    const ids = await guard.add(6);
    expect(await guard.remove(ids.slice(0, 2))).toBe(2);
    guard.clock.minute = 60;
    expect(await guard.remove(ids.slice(2, 4))).toBe(2);
    expect(guard.told).toEqual([]);
    guard.clock.minute = 119;
    expect(await guard.remove(ids.slice(4, 5))).toBe(0);
    expect(guard.told).toMatchObject([{ measure: "deletions", count: 3, most: 2, mode: "hold" }]);
    // What is held stays held when the window is over.
    guard.clock.minute = 400;
    expect(await guard.remove(ids.slice(4))).toBe(0);
    expect(guard.told, "nobody is told again of what is held").toHaveLength(1);
  });

  test("a window that began while the clock was ahead is over, unless it was ahead by less than a window", async () => {
    const guard = guarded(await open(), {});
    const ids = await guard.add(5);
    guard.clock.minute = 10_000;
    expect(await guard.remove(ids.slice(0, 2))).toBe(2);
    guard.clock.minute = 1;
    expect(await guard.remove(ids.slice(2, 4))).toBe(2);
    guard.clock.minute = -58;
    expect(await guard.remove(ids.slice(4, 5))).toBe(0);
    expect(guard.told).toMatchObject([{ count: 3, most: 2 }]);
  });

  test.each<readonly [string, HookContext["origin"], number]>([
    ["passes where an administrator makes it", { admin: "ada", request: "r1", credential: "t1" }, 0],
    ["passes where a command makes it, or the service itself", { command: "scim serve" }, 0],
    ["is held where a client of the connection makes it", { request: "r1", credential: "t1" }, 1],
    ["is held where it is not known who makes it", null, 1],
  ])("a deletion %s", async (_what, origin, times) => {
    const store = await open();
    const scope = { tenant: "acme", connection: "okta" };
    const { hooks, told } = guarded(store, { atLeast: 0 });
    const change = { ...changeOf({ type: "User", before: {}, after: null }, {}), kind: "deleted" } as const;
    const looked = Promise.resolve(hooks.plan?.({ ...contextOf(scope), origin }, change));
    expect((await Promise.allSettled([looked])).map(({ status }) => status)).toEqual([
      times === 0 ? "fulfilled" : "rejected",
    ]);
    expect(await store.guard.held("acme", { limit: 9 })).toHaveLength(times);
    expect(told).toHaveLength(times);
  });

  test("what is tried out is refused as it would be, and nobody is told of it", async () => {
    const guard = guarded(await open(), {});
    const ids = await guard.add(3);
    const [one] = guard.processes;
    expect(await guard.remove(ids.slice(0, 2))).toBe(2);
    expect(await one.dryRemove(ids[2] ?? "")).toMatchObject({ valid: false, status: 429 });
    expect(guard.told).toEqual([]);
  });

  test("a change that was not written is not counted with a later one of its resource", async () => {
    const guard = guarded(await open(), {});
    const ids = await guard.add(3);
    const [one] = guard.processes;
    const [first = ""] = ids;
    const clash = [
      { op: "replace", path: "active", value: false },
      { op: "replace", path: "userName", value: "u1" },
    ];
    await expect(one.patch(first, clash)).rejects.toMatchObject({ status: 409 });
    await one.patch(first, [{ op: "replace", path: "title", value: "Dr" }]);
    for (const id of ids.slice(0, 2)) await one.patch(id, clash.slice(0, 1));
    expect(guard.told).toEqual([]);
    await expect(one.patch(ids[2] ?? "", clash.slice(0, 1))).rejects.toMatchObject({ status: 429 });
  });

  test.each([
    [2, null],
    [3, 429],
  ])(
    "a list that is emptied as a whole counts as many values as it holds: %i of 2 at most, %j",
    async (held, status) => {
      const store = await open();
      const { hooks } = guarded(store, {});
      const scope = { tenant: "acme", connection: "okta" };
      const members = Array.from({ length: held }, (_, at) => `m${at}`);
      const group = { type: "Group" as const, id: "g", body: { displayName: "Team" }, members };
      await store.resources.write(scope, createPlan(group));
      const context = contextOf(scope);
      const emptied = { path: "members", remove: "all", add: [] } as const;
      const change: HookedChange = {
        kind: "replaced",
        type: "Group",
        id: "g",
        before: group.body,
        after: group.body,
        changes: { attributes: ["members"], collections: [emptied], longCollections: [] },
      };
      const looked = Promise.resolve(hooks.plan?.(context, change));
      if (status === null) await expect(looked).resolves.toBeUndefined();
      else await expect(looked).rejects.toMatchObject({ status });
    },
  );

  test.each([
    [{ active: true }, { active: false }, 429],
    [{}, { active: false }, 429],
    [{ active: false }, { active: true }, null],
    [{ active: false }, {}, null],
    [{ active: false, maySignIn: true }, { active: false, maySignIn: false }, 429],
    [{ active: false, maySignIn: false }, { active: false, maySignIn: true }, null],
    [{ active: false, maySignIn: false }, { active: false }, null],
    [{ active: false, maySignIn: false }, { active: true, maySignIn: false }, null],
    [{ active: true, title: "Dr" }, { active: true, title: "Prof" }, null],
    [{ active: true, isListed: true }, { active: true, isListed: false }, null],
  ])(
    "who was off already, or stays on, is not switched off: of %j to %j, %j",
    async (before, after, status) => {
      const { hooks } = guarded(await open(), { atLeast: 0 });
      const change = changeOf({ type: "User", before, after }, { attributes: ["active", "maySignIn"] });
      const looked = Promise.resolve(hooks.plan?.(contextOf({ tenant: "acme", connection: "okta" }), change));
      if (status === null) await expect(looked).resolves.toBeUndefined();
      else await expect(looked).rejects.toMatchObject({ status });
    },
  );

  test("a PUT that switches off counts as a PATCH does", async () => {
    const guard = guarded(await open(), {});
    const ids = await guard.add(3);
    const [one] = guard.processes;
    const switchOff = (at: number): Promise<void> =>
      one.put(ids[at] ?? "", { userName: `u${at}`, active: false });
    await switchOff(0);
    await one.patch(ids[1] ?? "", [{ op: "replace", path: "active", value: false }]);
    await expect(switchOff(2)).rejects.toMatchObject({ status: 429 });
    expect(guard.told).toMatchObject([{ measure: "deactivations", count: 3 }]);
  });

  test("what goes from several collections of a resource counts together, and is held together", async () => {
    const store = await open();
    const scope = { tenant: "acme", connection: "okta" };
    const collections = [
      { path: "members", remove: ["a"], add: [] },
      { path: "seen", remove: [], add: [] },
      { path: "owners", remove: ["b", "c"], add: [] },
    ];
    const body = { displayName: "Team" };
    const change = changeOf({ type: "Group", before: body, after: body }, { collections });
    const looked = async (atLeast: number): Promise<unknown> =>
      guarded(store, { atLeast }).hooks.plan?.(contextOf(scope), change);
    await expect(looked(3)).resolves.toBeUndefined();
    await expect(looked(2)).rejects.toMatchObject({ status: 429 });
    expect(await store.guard.held("acme", { limit: 10 })).toMatchObject([
      { measure: "removals", removed: { values: ["a", "b", "c"], count: 3 } },
    ]);
  });

  test.each([
    [2, null],
    [3, 429],
  ])("what goes from a collection that is staged counts: %i of 2 at most, %j", async (removed, status) => {
    const { hooks } = guarded(await open(), {});
    const body = { displayName: "Team" };
    const longCollections = [{ path: "members", added: 0, removed }];
    const change = changeOf({ type: "Group", before: body, after: body }, { longCollections });
    const looked = Promise.resolve(hooks.plan?.(contextOf({ tenant: "acme", connection: "okta" }), change));
    if (status === null) await expect(looked).resolves.toBeUndefined();
    else await expect(looked).rejects.toMatchObject({ status });
  });

  test("who is named counts for nothing where all values of a collection go at once", async () => {
    const store = await open();
    const scope = { tenant: "acme", connection: "okta" };
    const body = { displayName: "Team" };
    const members = ["a", "b", "c"];
    await store.resources.write(scope, createPlan({ type: "Group", id: "one", body, members }));
    const emptied = [{ path: "members", remove: "all", add: [] }] as const;
    const change = changeOf({ type: "Group", before: body, after: body }, { collections: emptied });
    const looked = async (atLeast: number): Promise<unknown> =>
      guarded(store, { atLeast, named: ["B"] }).hooks.plan?.(contextOf(scope), change);
    await expect(looked(2)).resolves.toBeUndefined();
    await expect(looked(1)).rejects.toMatchObject({ status: 429 });
    expect(await store.guard.held("acme", { limit: 10 })).toMatchObject([{ removed: { count: 2 } }]);
  });

  test("who is named counts for nothing where they go one by one, in whichever letter case they are referred to", async () => {
    const { hooks } = guarded(await open(), { atLeast: 1, named: ["Ada", "bo"] });
    const body = { displayName: "Team" };
    const looked = async (remove: readonly string[]): Promise<unknown> => {
      const change = changeOf(
        { type: "Group", before: body, after: body },
        {
          collections: [{ path: "members", remove, add: [] }],
        },
      );
      return hooks.plan?.(contextOf({ tenant: "acme", connection: "okta" }), change);
    };
    await expect(looked(["aDA", "Bo", "c"])).resolves.toBeUndefined();
    await expect(looked(["aDA", "Bo", "c", "d"])).rejects.toMatchObject({ status: 429 });
  });

  test("a value that goes from several collections counts each time, and is released with what was held of it", async () => {
    const store = await open();
    const scope = { tenant: "acme", connection: "okta" };
    const collections = ["members", "owners"].map((path) => ({ path, remove: ["a"], add: [] }));
    const body = { displayName: "Team" };
    const change = changeOf({ type: "Group", before: body, after: body }, { collections });
    const looked = async (): Promise<unknown> =>
      guarded(store, { atLeast: 1 }).hooks.plan?.(contextOf(scope), change);
    for (let tries = 0; tries < 2; tries += 1) await expect(looked()).rejects.toMatchObject({ status: 429 });
    expect(await store.guard.held("acme", { limit: 10 })).toMatchObject([
      { tries: 2, removed: { values: ["a"], count: 2 } },
    ]);
    const decision = { actor: { admin: "ada" }, at: new Date(START).toISOString() };
    expect(await store.guard.release("acme", { connection: "okta" }, decision)).toBe(1);
    await expect(looked()).resolves.toBeUndefined();
  });

  test("who is named by what others may have too is not let pass", async () => {
    const guard = guarded(await open(), { named: ["shared"] });
    const [one] = guard.processes;
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push(await one.create({ userName: `u${n}`, externalId: "shared" }));
    expect(await guard.remove(ids)).toBe(2);
  });

  test.each([
    ["as Unicode composes it", "A\u030Asa@corp.example", "\u00C5sa@corp.example"],
    ["in full width", "\uFF21nna@corp.example", "anna@corp.example"],
  ])("who is named by the same userName in another form is let pass: %s", async (_form, userName, named) => {
    const guard = guarded(await open(), { atLeast: 0, named: [named] });
    const id = await guard.processes[0].create({ userName });
    expect(await guard.remove([id])).toBe(1);
  });

  test("the greater of both bounds counts", async () => {
    const guard = guarded(await open(), { percent: 25 });
    const ids = await guard.add(20);
    expect(await guard.remove(ids)).toBe(5);
  });

  test("a share is that of the resources that there were a minute ago at most", async () => {
    const guard = guarded(await open(), { percent: 25 });
    const [first = "", ...few] = await guard.add(8);
    expect(await guard.remove([first])).toBe(1);
    const [one] = guard.processes;
    for (let n = 0; n < 13; n += 1) await one.create({ userName: `later${n}` });
    guard.clock.minute = 2;
    expect(await guard.remove(few)).toBe(4);
  });

  test("a count that takes longer than hooks may refuses nothing", async () => {
    const store = await open();
    const slow = {
      ...store.guard,
      population: async (tenant: string, type: string): Promise<number> => {
        await delay(100);
        return store.guard.population(tenant, type);
      },
    };
    const guard = guarded({ ...store, guard: slow }, { percent: 25 }, { hookTimeout: 10 });
    expect(await guard.remove(await guard.add(1))).toBe(1);
  });

  test("what is observed is told once for each window, by one process", async () => {
    const guard = guarded(await open(), { mode: "observe" });
    const ids = await guard.add(12);
    // Changes that are made at once do not see each other: the next one tells.
    expect(await guard.remove(ids.slice(0, 5))).toBe(5);
    expect(await guard.remove(ids.slice(5, 8))).toBe(3);
    expect(guard.told).toHaveLength(1);
    guard.clock.minute = 60;
    for (const id of ids.slice(8)) expect(await guard.remove([id])).toBe(1);
    expect(guard.told).toHaveLength(2);
  });

  test("while observing, too many are told of though something is held still", async () => {
    const store = await open();
    const guard = guarded(store, {});
    const ids = await guard.add(7);
    for (const id of ids.slice(0, 3)) await guard.remove([id]);
    const observing = guarded(store, { mode: "observe" });
    observing.clock.minute = 60;
    for (const id of ids.slice(3)) expect(await observing.remove([id])).toBe(1);
    expect(observing.told).toMatchObject([{ mode: "observe", count: 3, most: 2 }]);
  });

  test.each<readonly [string, (id: string) => Partial<GuardSettings>]>([
    ["the connection is observed", () => ({ mode: "observe" })],
    ["the connection is not guarded any more", () => ({ mode: "off" })],
    ["the resource is named", (id) => ({ named: [id] })],
  ])("what passes without a release is held no more: %s", async (_why, settings) => {
    const store = await open();
    const guard = guarded(store, {});
    const ids = await guard.add(4);
    for (const id of ids) await guard.remove([id]);
    const held = async (): Promise<readonly string[]> =>
      (await store.guard.held("acme", { limit: 9 })).map(({ resource }) => resource);
    const [, , one = "", other = ""] = ids;
    expect(await held()).toEqual([one, other]);
    expect(await guarded(store, settings(one)).remove([one])).toBe(1);
    expect(await held()).toEqual([other]);
  });

  test.each<readonly [string, Partial<GuardSettings>, readonly string[], readonly string[]]>([
    ["one of them passes while observing", { mode: "observe" }, ["a"], ["b", "c"]],
    ["one of them is named", { named: ["a"] }, ["a"], ["b", "c"]],
    ["one passes beside another that is named", { mode: "observe", named: ["a"] }, ["a", "b"], ["c"]],
    ["none of them passes", { mode: "observe" }, ["d"], ["a", "b", "c"]],
  ])("of members that are held the others stay held where %s", async (_why, settings, sent, left) => {
    const store = await open();
    const scope = { tenant: "acme", connection: "okta" };
    const group = { type: "Group" as const, id: "one", body: { displayName: "Team" }, members: ["a", "b"] };
    await store.resources.write(scope, createPlan(group));
    const without = (...remove: readonly string[]): HookedChange =>
      changeOf(
        { type: "Group", before: group.body, after: group.body },
        { collections: [{ path: "members", remove, add: [] }] },
      );
    const holding = guarded(store, { atLeast: 0 }).hooks;
    const looked = async (): Promise<unknown> => holding.plan?.(contextOf(scope), without("a", "b", "c"));
    await expect(looked()).rejects.toMatchObject({ status: 429 });
    const passing = guarded(store, settings).hooks;
    await passing.plan?.(contextOf(scope), without(...sent));
    const event = { ...without(...sent), ...scope, subject: null, at: new Date(START).toISOString() };
    const plan = createPlan({ type: "User", id: "beside", body: { userName: "beside" } });
    await store.resources.write(scope, { ...plan, statements: passing.statements?.(event) ?? [] });
    expect(await store.guard.held("acme", { limit: 9 })).toMatchObject([
      { resource: "one", removed: { values: left, count: left.length }, released: null },
    ]);
  });

  test("a release is taken by the change that it was given for, and by no other", async () => {
    const store = await open();
    const guard = guarded(store, {});
    const ids = await guard.add(5);
    await guard.remove(ids);
    // Those that were refused beside others are held when they come again.
    await guard.remove(ids);
    const held = await store.guard.held("acme", { connection: "okta", limit: 10 });
    expect(held).toHaveLength(3);
    const decision = { actor: { admin: "ada" }, at: new Date(START).toISOString() };
    expect(await store.guard.release("acme", { id: held[0]?.id ?? "" }, decision)).toBe(1);
    expect(await store.guard.release("acme", { id: held[0]?.id ?? "" }, decision)).toBe(0);
    expect(await store.guard.release("other", { connection: "okta" }, decision)).toBe(0);
    // A release is taken back by its id.
    const taken = { id: held[1]?.id ?? "" };
    expect(await store.guard.release("acme", taken, decision)).toBe(1);
    expect(await store.guard.dismiss("acme", taken, decision)).toBe(1);
    await guard.remove([held[1]?.resource ?? ""]);
    expect(await guard.remove(held.map(({ resource }) => resource))).toBe(1);
    const later = new Date(START + MINUTE).toISOString();
    expect(await store.guard.purge("acme", decision.at, 1)).toBe(0);
    expect(await store.guard.purge("acme", later, 1)).toBe(1);
    expect(await store.guard.dismiss("acme", { connection: "okta" }, decision)).toBe(1);
    expect(await store.guard.held("acme", { limit: 10 })).toEqual([]);
  });
});

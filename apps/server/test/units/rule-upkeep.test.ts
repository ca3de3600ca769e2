import {
  ALL_CONSTRAINTS,
  connectionRule,
  type ConnectionRules,
  createModelCatalog,
  PROFILES,
} from "@scim/core";
import { createDefaultRegistry, ScimError } from "@scim/schemas";
import { openSqliteStore } from "@scim/store/sqlite";
import { createConnectionProfiles, type RulePorts } from "@scim/tenancy";
import { sampleConnection, sampleTenant } from "@scim/tenancy/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { startRuleUpkeep } from "../../src/upkeep/connection-rules.ts";
import { eventually } from "../eventually.ts";

const MINUTE_MS = 60_000;

/** An empty store, until the test ends, at whose looks the test sets the clock. */
async function timedStore() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const store = await openSqliteStore({ path: ":memory:" });
  onTestFinished(() => store.close());
  return store;
}

/** The same, with what it holds of rules, and one to hold. */
async function holdingStore() {
  const store = await timedStore();
  const { rules = null } = store.resources;
  const [constraint] = ALL_CONSTRAINTS;
  if (rules === null || constraint === undefined) throw new TypeError("The store holds a rule");
  return { store, rules, constraint };
}

test("a rule is looked at each hour, and every five minutes while somebody is at it who may have been killed", async () => {
  const { store, rules, constraint } = await holdingStore();
  const rule = connectionRule(constraint, { tenant: "default", connection: "default" });
  const now = (): string => new Date().toISOString();
  await rules.begin(rule, `${now()} killed`);
  // Asked once the state of the rule was read.
  const profileOf = vi.fn<RulePorts["profileOf"]>(createConnectionProfiles(PROFILES.strict));
  const stop = startRuleUpkeep({
    store,
    ports: {
      rules,
      profileOf,
      catalogOf: () => createModelCatalog(createDefaultRegistry()),
      newId: () => "new",
      now,
    },
    onBroken: () => expect.unreachable(),
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(stop);
  /** What is held of the rule, and how often it was looked at. */
  const seen = async (): Promise<unknown> => [
    (await rules.state(rule)) !== null,
    profileOf.mock.calls.length,
  ];
  for (const [minutes, expected] of [
    [0, [true, 1]],
    [5, [true, 2]],
    [5, [false, 3]],
    [45, [false, 3]],
    [5, [false, 4]],
  ] as const) {
    vi.advanceTimersByTime(minutes * MINUTE_MS);
    await eventually(async () => expect(await seen()).toEqual(expected));
  }
});

test("a rule that resources break is told once, and anew where others break it or it was held meanwhile", async () => {
  const store = await timedStore();
  /** The resource that breaks the rule at each look; null where none does. */
  const breaking = ["u2", "u2", null, "u2", "u3"];
  let looks = 0;
  const rules: ConnectionRules = {
    state: async () => null,
    begin: async () => undefined,
    earlierWritesOver: async () => undefined,
    fill: async () => {
      const id = breaking[looks] ?? null;
      const first = id === null ? [] : [{ id, body: { displayName: "x" }, holder: "u1" }];
      if (id !== null) looks += 1;
      return { next: null, seen: 2, refused: first.length, first };
    },
    complete: async () => {
      looks += 1;
      return true;
    },
    end: async () => undefined,
  };
  const told: (readonly (readonly string[])[])[] = [];
  const stop = startRuleUpkeep({
    store,
    ports: {
      rules,
      profileOf: createConnectionProfiles(PROFILES.tolerant),
      catalogOf: () => createModelCatalog(createDefaultRegistry()),
      newId: () => "new",
      now: () => new Date().toISOString(),
    },
    onBroken: ({ ids }) => void told.push(ids),
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(stop);
  for (let look = 1; look <= breaking.length; look += 1) {
    await eventually(async () => expect(looks).toBe(look));
    vi.advanceTimersByTime(60 * MINUTE_MS);
  }
  await stop();
  expect(told).toEqual([[["u1", "u2"]], [["u1", "u2"]], [["u1", "u3"]]]);
});

test("a tenant whose schemas do not fit the service any more holds up the rules of no other, and is looked at again in five minutes", async () => {
  const { store, rules, constraint } = await holdingStore();
  const unfit = new ScimError("unavailable", "The schemas of the tenant do not fit the service any more.");
  for (const tenant of ["apart", "beside"]) {
    await store.tenants.add(sampleTenant(tenant));
    await store.connections.add(sampleConnection("okta", { tenant }));
  }
  let fits = false;
  const errors: unknown[] = [];
  const stop = startRuleUpkeep({
    store,
    ports: {
      rules,
      profileOf: createConnectionProfiles(PROFILES.tolerant),
      catalogOf: (tenant) => {
        if (tenant === "apart" && !fits) throw unfit;
        return createModelCatalog(createDefaultRegistry());
      },
      newId: () => "new",
      now: () => new Date().toISOString(),
    },
    onBroken: () => expect.unreachable(),
    onError: (error) => void errors.push(error),
  });
  onTestFinished(stop);
  const isHeld = async (tenant: string): Promise<boolean> =>
    (await rules.state(connectionRule(constraint, { tenant, connection: "okta" })))?.complete === true;
  await eventually(async () => expect(await isHeld("beside")).toBe(true));
  expect([await isHeld("apart"), errors]).toEqual([false, [unfit]]);
  fits = true;
  vi.advanceTimersByTime(5 * MINUTE_MS);
  await eventually(async () => expect(await isHeld("apart")).toBe(true));
  expect(errors).toHaveLength(1);
});

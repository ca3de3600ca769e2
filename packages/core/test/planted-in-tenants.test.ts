import { expect, test } from "vitest";
import type { StoreScope, WritePlan } from "../src/index.ts";
import { beside, type Plant, type Planted, violations, writing } from "./support/planted-in-stores.ts";

const NOTHING = { collections: [], inverses: [] };

/** Applies a plan where the id is, if its own tenant has none. */
function byIdAlone(kind: WritePlan["kind"]): Plant {
  return writing(async (whole, scope, plan) => {
    const result = await whole.write(scope, plan);
    const isGone = result.kind === "conflict" && result.current === null && plan.kind === kind;
    return isGone ? whole.write(beside(scope), plan) : result;
  });
}

/** Applies what was applied to the resource of the same id in the other tenant, too. */
function toBoth(planFor: (plan: WritePlan, version: string) => WritePlan | null): Plant {
  return writing(async (whole, scope, plan) => {
    const result = await whole.write(scope, plan);
    const other = await whole.read(beside(scope), plan, NOTHING);
    const twin = result.kind === "written" && other !== null ? planFor(plan, other.version) : null;
    if (twin !== null) await whole.write(beside(scope), twin);
    return result;
  });
}

const NONE = { add: [], remove: [] };
const inNorth = (scope: StoreScope): StoreScope => ({ ...scope, tenant: "north" });

/** Stores that forget the tenant somewhere. */
const PLANTED: Planted = [
  [
    "tenant/reads",
    "reads text by the id alone",
    (whole) => ({
      ...whole,
      readText: async (scope, target, select) =>
        (await whole.readText?.(scope, target, select)) ??
        (await whole.readText?.(beside(scope), target, select)) ??
        null,
    }),
  ],
  [
    "tenant/reads",
    "reads named references of every tenant",
    (whole) => ({
      ...whole,
      references: async (scope, owner, selection) => {
        const own = await whole.references(scope, owner, selection);
        if (selection === "all" || "first" in selection) return own;
        return [...own, ...(await whole.references(beside(scope), owner, selection))];
      },
    }),
  ],
  [
    "tenant/reads",
    "reads members of every tenant",
    (whole) => ({
      ...whole,
      readMany: async (scope, targets, select) => {
        const own = await whole.readMany(scope, targets, select);
        const others = await whole.readMany(beside(scope), targets, select);
        return own.map((stored) => {
          const other = others.find(({ id }) => id === stored.id);
          const all = [...stored.collections].map(
            ([path, values]) => [path, [...values, ...(other?.collections.get(path) ?? [])]] as const,
          );
          return { ...stored, collections: new Map(all) };
        });
      },
    }),
  ],
  [
    "tenant/reads",
    "finds the groups of every tenant for a list",
    (whole) => ({
      ...whole,
      readMany: async (scope, targets, select) => {
        const own = await whole.readMany(scope, targets, select);
        const others = await whole.readMany(beside(scope), targets, select);
        return own.map((stored) => {
          const other = others.find(({ id }) => id === stored.id);
          const all = [...stored.inverses].map(
            ([path, values]) => [path, [...values, ...(other?.inverses.get(path) ?? [])]] as const,
          );
          return { ...stored, inverses: new Map(all) };
        });
      },
    }),
  ],
  [
    "tenant/reads",
    "filters the resources of another tenant",
    (whole) => ({
      ...whole,
      query: (scope, query) => whole.query(query.filter === null ? scope : inNorth(scope), query),
    }),
  ],
  [
    "tenant/reads",
    "sorts the resources of another tenant",
    (whole) => ({
      ...whole,
      query: (scope, query) => whole.query(query.sort === null ? scope : inNorth(scope), query),
    }),
  ],
  [
    "tenant/reads",
    "goes on behind a place in another tenant",
    (whole) => ({
      ...whole,
      query: (scope, query) => whole.query(query.page.kind === "index" ? scope : inNorth(scope), query),
    }),
  ],
  [
    "tenant/reads",
    "compares a stage with another tenant",
    (whole) => ({ ...whole, stage: (scope, type) => whole.stage(inNorth(scope), type) }),
  ],
  ["tenant/plans", "updates by the id alone", byIdAlone("update")],
  ["tenant/plans", "deletes by the id alone", byIdAlone("delete")],
  ["tenant/plans", "restores by the id alone", byIdAlone("restore")],
  [
    "tenant/plans",
    "tries out by the id alone",
    (whole) => ({
      ...whole,
      preview: async (scope, plan) => {
        const result = await whole.preview(scope, plan);
        const isGone = result.kind === "conflict" && result.current === null;
        return isGone ? whole.preview(beside(scope), plan) : result;
      },
    }),
  ],
  [
    "tenant/writes",
    "updates in every tenant",
    toBoth((plan, expectedVersion) =>
      plan.kind === "update"
        ? { ...plan, expectedVersion, unique: NONE, whereHeld: [], collections: [] }
        : null,
    ),
  ],
  [
    "tenant/writes",
    "takes members from groups of every tenant",
    toBoth((plan, expectedVersion) =>
      plan.kind === "update" && plan.body === null
        ? { ...plan, expectedVersion, collections: plan.collections.map((each) => ({ ...each, add: [] })) }
        : null,
    ),
  ],
  [
    "tenant/writes",
    "deletes in every tenant",
    toBoth((plan, expectedVersion) => (plan.kind === "delete" ? { ...plan, expectedVersion } : null)),
  ],
  [
    "tenant/writes",
    "restores in every tenant",
    writing(async (whole, scope, plan) => {
      const result = await whole.write(scope, plan);
      const twin = await whole.deleted?.read(beside(scope), plan);
      if (plan.kind === "restore" && result.kind === "written" && twin !== null && twin !== undefined) {
        const { version: expectedVersion, deleted } = twin;
        await whole.write(beside(scope), { ...plan, expectedVersion, deleted });
      }
      return result;
    }),
  ],
  [
    "tenant/writes",
    "tries unique values out over all tenants",
    (whole) => ({
      ...whole,
      preview: async (scope, plan) => {
        const other = await whole.preview(beside(scope), plan);
        return other.kind === "duplicate" ? other : whole.preview(scope, plan);
      },
    }),
  ],
  [
    "tenant/purge",
    "purges every tenant by the time of one",
    (whole) => ({
      ...whole,
      purge: async (before, limit) =>
        whole.purge(typeof before === "string" ? before : await before("north"), limit),
    }),
  ],
  [
    "tenant/connection-rules",
    "tells the rules of another tenant",
    ({ rules, ...whole }) => ({
      ...whole,
      ...(rules === undefined
        ? {}
        : { rules: { ...rules, state: (rule) => rules.state({ ...rule, tenant: "north" }) } }),
    }),
  ],
];

test.each(PLANTED)("%s finds out a store that %s", async (rule, _, plant) => {
  expect(await violations(rule, plant)).toContain("broken");
});

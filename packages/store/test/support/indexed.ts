/**
 * Stores whose indexes hold what is written to them by plans of the contract.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { SAMPLE_INDEXES, SCOPE } from "@scim/core/testing";
import type { ResourceStore, StoreScope, WritePlan } from "@scim/core";
import type { Store } from "../../src/store.ts";

/** A store that takes the plans of the contract as what they are: plans that bring every entry. */
export function stamping(store: Store): ResourceStore {
  const { resources, indexes } = store;
  const { imports } = resources;
  const stamped = ({ tenant }: StoreScope, plan: WritePlan): WritePlan =>
    plan.kind === "delete" ? plan : { ...plan, indexRevision: indexes.of(tenant, plan.type).revision };
  return {
    ...resources,
    imports: imports && {
      ...imports,
      writeAll: (scope, plans, step) =>
        imports.writeAll(
          scope,
          plans.map((plan) => stamped(scope, plan)),
          step,
        ),
    },
    write: (scope, plan) => resources.write(scope, stamped(scope, plan)),
  };
}

/**
 * The catalog as it is where the indexes of the contract's types were built when there was nothing: an INSERT for each of
 * its tables.
 */
export function builtCatalog(): readonly string[] {
  const rows = SAMPLE_INDEXES.wanted()
    .filter(({ type }) => type === "Badge")
    .map(({ type, path }) => `('${SCOPE.tenant}', '${type}', '${path}', 'schema', 'ready', '', '', 0)`);
  return [
    `INSERT INTO attribute_indexes (tenant, type, path, origin, state, since, progress, built) VALUES ${rows.join(", ")}`,
    `INSERT INTO index_revisions (tenant, type, revision, changes) VALUES ('${SCOPE.tenant}', 'Badge', 1, 1)`,
  ];
}

/** The same, with the indexes ready that the types of the contract want. */
export async function indexed(store: Store): Promise<ResourceStore> {
  store.indexes.of(SCOPE.tenant, "Badge");
  for (;;) {
    await store.indexes.work(SAMPLE_INDEXES);
    const indexes = await store.indexes.list(SCOPE.tenant);
    if (indexes.length > 0 && indexes.every(({ state }) => state === "ready")) return stamping(store);
    // A server passes a fence when all transactions before it have ended.
    await delay(5);
  }
}

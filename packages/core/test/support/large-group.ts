/**
 * A Group of many members, and what is asked of its store.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { ReadSelection, UpdatePlan, WritePlan } from "../../src/index.ts";
import { group } from "./bodies.ts";
import type { TestClient } from "./client.ts";
import { testService } from "./service.ts";
import { recordingStore, type RecordedReferences } from "./store-wrappers.ts";

/** Members of a large Group. */
export const SIZE = 10_000;

/** Members with ids of a prefix and a number. */
export function manyOf(prefix: string, count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({ value: `${prefix}${String(index)}` }));
}

/** A large Group, whose id is `id-1`. */
export interface LargeGroup {
  readonly client: TestClient;
  readonly reads: ReadSelection[];
  readonly references: RecordedReferences[];
  readonly lastPlan: () => UpdatePlan;
  /** How many values were staged. */
  readonly staged: () => number;
}

/** A Group of members `u0` to `u9999`; what its making asked of the store is forgotten. */
export async function largeGroup(): Promise<LargeGroup> {
  const reads: ReadSelection[] = [];
  const references: RecordedReferences[] = [];
  const plans: WritePlan[] = [];
  let staged = 0;
  const wrap = (store: Parameters<typeof recordingStore>[0]): ReturnType<typeof recordingStore> => ({
    ...recordingStore(store, { reads, references, plans }),
    stage: async (scope, type) => {
      const stage = await store.stage(scope, type);
      return {
        id: stage.id,
        add: (path, batch) => {
          staged += batch.size;
          return stage.add(path, batch);
        },
        amend: (path, batch) => stage.amend(path, batch),
        compare: (target, settle) => stage.compare(target, settle),
        leave: (target) => stage.leave(target),
        close: () => stage.close(),
      };
    },
  });
  const client = testService(undefined, { wrap }).as("tolerant");
  await client.post("Group", group({ members: manyOf("u", SIZE) }));
  const lastPlan = (): UpdatePlan => {
    const plan = plans.at(-1);
    if (plan?.kind !== "update") throw new TypeError("Expected an update");
    return plan;
  };
  return { client, reads, references, lastPlan, staged: () => staged };
}

/**
 * What a store is asked of items that are taken for new ones.
 */
import { expect, test } from "vitest";
import {
  ImportRun,
  SeenKeys,
  type ImportStep,
  type ImportStore,
  type NewImports,
  type NewResources,
  type Sources,
} from "../../src/index.ts";
import { createMemoryStore, interposed } from "../../src/testing/index.ts";
import { user } from "../support/bodies.ts";
import { testService } from "../support/service.ts";

/** Begins to take items for new ones, of a store that gathers them so. */
function begin(gather: ImportStore["gather"], sources: Partial<Sources> = {}): NewImports {
  const { service, context } = testService(undefined, {
    // Nothing else of it is asked.
    wrap: () => interposed(createMemoryStore(), { imports: { gather } as unknown as ImportStore }),
    sources,
  });
  const begun = service.importNew(context(), { seen: new SeenKeys(), keepIds: false, mode: "upsert" });
  if (begun === null) throw new TypeError("The store takes resources one after another");
  return begun;
}

/** A store that writes what it is given, or not. */
const writing = (write: NewResources["write"]): ImportStore["gather"] => {
  return () => ({ add: () => undefined, write, settled: async () => undefined });
};

const itemsOf = (...records: readonly number[]): Parameters<NewImports["add"]>[0] =>
  records.map((record) => ({ record, type: "User", body: user({ userName: `u${record}` }) }));

test("a range that is written begins anew: each item is part of one step, and one that was refused of none", async () => {
  const steps: (ImportStep | null)[] = [];
  const answers = [true, true, false, true];
  const begun = begin(
    writing(async (step) => {
      steps.push(step);
      return answers[steps.length - 1] === true;
    }),
  );
  const run = new ImportRun("r", 0);
  const ranges: unknown[] = [];
  for (const records of [[1, 2], [3], [4], [5, 6]]) {
    const [item] = begun.add(itemsOf(...records), 10) ?? [];
    ranges.push(item?.range);
    await begun.write(item?.range ?? 0, run);
  }
  expect(ranges).toEqual([0, 3, 3, 3]);
  const step = (position: number, created: number, unchanged = 0): ImportStep => ({
    run: "r",
    position,
    adds: { created, replaced: 0, unchanged },
  });
  expect(steps).toEqual([step(2, 2), step(3, 1), step(4, 1), step(3, 2, -2)]);
});

test("ids are reserved when a range begins, as many as it may have", async () => {
  const reserved: number[] = [];
  const reserveIds = (count: number): (() => string) => {
    const at = reserved.push(count);
    let made = 0;
    return () => `${at}-${(made += 1)}`;
  };
  const begun = begin(
    writing(async () => true),
    { reserveIds },
  );
  /** The ids of items, and their range. */
  const added = (most: number, ...records: readonly number[]): readonly unknown[] => {
    const items = begun.add(itemsOf(...records), most) ?? [];
    return [...items.map(({ outcome }) => outcome.id), items[0]?.range];
  };
  expect(added(7, 1, 2)).toEqual(["1-1", "1-2", 0]);
  expect(added(8, 3)).toEqual(["1-3", 0]);
  await begun.write(0, null);
  expect(added(9, 4)).toEqual(["2-1", 3]);
  await begun.write(3, null);
  expect(added(10, 5)).toEqual(["3-1", 3]);
  expect(reserved).toEqual([7, 9, 10]);
});

/** How many groups are gathered beside each other. */
const RANGES = 4;

test.each(Array.from({ length: RANGES }, (_, place) => place))(
  "what is taken for new is durable when all of it is: group %d is waited for",
  async (lost) => {
    let groups = 0;
    const begun = begin(() => {
      const place = groups;
      groups += 1;
      return {
        add: () => undefined,
        write: async () => true,
        settled: async () => {
          if (place === lost) throw new Error("The disk did not confirm it");
        },
      };
    });
    expect(groups).toBe(RANGES);
    await expect(begun.settled()).rejects.toThrow("did not confirm");
  },
);

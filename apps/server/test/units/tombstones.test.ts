import { cutoffFor, type ResourceStore } from "@scim/core";
import { describe, expect, test } from "vitest";
import { orderedIds } from "../../src/sources.ts";
import { purgeAll } from "../../src/upkeep/tombstones.ts";

const KEPT = { keptFor: async () => 30 * 86_400_000, now: () => Date.parse("2026-11-21T00:00:00.000Z") };

describe("removing tombstones", () => {
  test("goes on batch by batch until less than a batch is left", async () => {
    const batches = [500, 500, 3];
    const asked: [string, number][] = [];
    const purge: ResourceStore["purge"] = async (before, limit): Promise<number> => {
      asked.push([await cutoffFor(before, "acme"), limit]);
      return batches.shift() ?? 0;
    };
    expect(await purgeAll({ store: { purge }, ...KEPT }, () => false)).toBe(1003);
    expect(asked).toHaveLength(3);
    expect(asked[0]).toEqual(["2026-10-22T00:00:00.000Z", 500]);
  });

  test("stops when it is told to", async () => {
    let calls = 0;
    const purge = async (): Promise<number> => {
      calls += 1;
      return 500;
    };
    await purgeAll({ store: { purge }, ...KEPT }, () => calls === 2);
    expect(calls).toBe(2);
  });
});

describe("ids of resources", () => {
  test("are UUIDv7: each greater than the one before, also within a millisecond", () => {
    const { next: newId } = orderedIds();
    const millisecond = 0x0123456789ab;
    expect(newId(millisecond)).toMatch(/^01234567-89ab-7000-/);
    // Several thousand in one millisecond, and then the clock goes back.
    const ids = Array.from({ length: 4500 }, (_, at) => newId(at < 4200 ? millisecond : 0));
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(newId(millisecond + 1000)).toMatch(/^01234567-8d93-7000-/);
  });

  test("that are reserved stand before those that are made meanwhile, and others behind them", () => {
    const { next, reserve } = orderedIds();
    const millisecond = 0x0123456789ab;
    const first = next(millisecond);
    // More than one millisecond has.
    const [early, late] = [reserve(millisecond, 5000), reserve(millisecond, 2)];
    const between = next(millisecond);
    const second = Array.from({ length: 2 }, () => late(millisecond + 60_000));
    const behind = late(millisecond);
    const ids = Array.from({ length: 5000 }, () => early(millisecond + 60_000));
    const all = [first, ...ids, ...second, between, behind];
    expect(all.toSorted()).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
    expect(ids[4999]).toMatch(/^01234567-89ac-7388-/);
  });
});

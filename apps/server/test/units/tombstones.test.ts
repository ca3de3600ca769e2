import { cutoffFor, type ResourceStore } from "@scim/core";
import { describe, expect, test } from "vitest";
import { newResourceId } from "../../src/sources.ts";
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
  test("are UUIDv7: unlike, and growing with time", () => {
    const ids = Array.from({ length: 1000 }, (_, at) => newResourceId(1_700_000_000_000 + at));
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(Array.from({ length: 1000 }, () => newResourceId(0))).size).toBe(1000);
    expect(newResourceId(0x0123456789ab)).toMatch(/^01234567-89ab-7/);
  });
});

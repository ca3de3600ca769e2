import { describe, expect, test } from "vitest";
import { newResourceId } from "../../src/sources.ts";
import { purgeAll } from "../../src/tombstones.ts";

describe("removing tombstones", () => {
  test("goes on batch by batch until less than a batch is left", async () => {
    const batches = [500, 500, 3];
    const asked: [string, number][] = [];
    const purge = async (before: string, limit: number): Promise<number> => {
      asked.push([before, limit]);
      return batches.shift() ?? 0;
    };
    expect(await purgeAll({ store: { purge }, retentionDays: 30 }, () => false)).toBe(1003);
    expect(asked).toHaveLength(3);
    const days = (Date.now() - Date.parse(asked[0]?.[0] ?? "")) / 86_400_000;
    expect(days).toBeCloseTo(30, 2);
  });

  test("stops when it is told to", async () => {
    let calls = 0;
    const purge = async (): Promise<number> => {
      calls += 1;
      return 500;
    };
    await purgeAll({ store: { purge }, retentionDays: 0 }, () => calls === 2);
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

import { expect, test } from "vitest";
import { GatheredRecords } from "../../src/import/gathered-records.ts";
import type { SourceRecord } from "../../src/import/read-records.ts";

const recordOf = (record: number, bytes = 1): SourceRecord => ({
  record,
  line: record,
  bytes,
  item: () => ({ record, type: "User", body: {} }),
});

/** Most records of a group. */
const MOST = 100;

/** Adds records of ranges as they come, and takes a group whenever one has to be written: its range and its records. */
function taken(ranges: readonly number[]): readonly (readonly [number, number])[] {
  const gathered = new GatheredRecords();
  const groups: [number, number][] = [];
  for (const [index, range] of ranges.entries()) {
    gathered.add(recordOf(index + 1), range);
    while (gathered.isFull(MOST)) {
      const group = gathered.take(MOST);
      groups.push([group.range, group.records.length]);
    }
  }
  while (!gathered.isEmpty) {
    const group = gathered.take(MOST);
    groups.push([group.range, group.records.length]);
  }
  return groups;
}

const times = (count: number, range: number): readonly number[] => Array.from({ length: count }, () => range);

test("a group is written when it has as many records as it may have", () => {
  expect(taken([...times(10, 0), ...times(100, 1), ...times(5, 1)])).toEqual([
    [1, 100],
    [0, 10],
    [1, 5],
  ]);
});

test("where more records wait than shall, the group that began first is written", () => {
  expect(taken([...times(60, 2), ...times(60, 1), ...times(30, 2)])).toEqual([
    [2, 90],
    [1, 60],
  ]);
});

test("a group whose range gets no more does not wait longer than for thrice as many records as a group may have", () => {
  expect(taken([0, ...times(400, 3)])).toEqual([
    [3, 100],
    [3, 100],
    [0, 1],
    [3, 100],
    [3, 100],
  ]);
});

test("groups of long records are written earlier, and rejected records are told of with the next group", () => {
  const gathered = new GatheredRecords();
  gathered.add(recordOf(1, 8_000_000), 0);
  const rejected = { outcome: { record: 2, kind: "rejected", id: null, error: null }, line: 2 } as const;
  gathered.reject(rejected);
  expect(gathered.isFull(MOST)).toBe(false);
  gathered.add(recordOf(3, 8_000_000), 1);
  expect(gathered.isFull(MOST)).toBe(true);
  expect(gathered.take(MOST)).toMatchObject({ range: 0, records: [{ record: 1 }], rejected: [rejected] });
  expect(gathered.isFull(MOST)).toBe(false);
  expect(gathered.take(MOST)).toMatchObject({ range: 1, records: [{ record: 3 }], rejected: [] });
  for (let record = 4; record < 4 + MOST * 1.5; record += 1) gathered.reject({ ...rejected, line: record });
  expect([gathered.isFull(MOST), gathered.isEmpty]).toEqual([true, false]);
  expect(gathered.take(MOST).rejected).toHaveLength(MOST * 1.5);
  expect(gathered.isEmpty).toBe(true);
});

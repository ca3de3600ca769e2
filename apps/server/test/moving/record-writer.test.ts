import type { GatheredItem, ImportOutcome, NewImports } from "@scim/core";
import { SeenKeys } from "@scim/core";
import { afterEach, expect, test, vi } from "vitest";
import type { SourceRecord } from "../../src/import/read-records.ts";
import { RecordWriter, type WriterRun } from "../../src/import/record-writer.ts";

afterEach(() => vi.restoreAllMocks());

/** What a run is told of a store that gathers. */
function runOver(gathering: NewImports): WriterRun {
  const service = { importNew: () => gathering };
  // What the writer does not ask for is left out.
  return {
    job: { operator: { service, context: {} }, options: { dryRun: false } },
    progress: null,
    rules: { seen: new SeenKeys(), keepIds: false, mode: "upsert" },
    report: { add: () => undefined, flush: () => undefined },
    counts: { created: 0, replaced: 0, unchanged: 0 },
    records: 0,
  } as unknown as WriterRun;
}

const RECORDS: readonly SourceRecord[] = Array.from({ length: 100 }, (_, at) => ({
  record: at + 1,
  line: at + 1,
  bytes: 1,
  item: () => ({ record: at + 1, type: "User", body: {} }),
}));

test.each([
  ["of one range", 0.01, [2000, 2000, 12_000, 12_000]],
  ["of one range", 0.2, [2000, 2000, 5000, 5000]],
  ["of one range", 1, [2000, 2000, 2000, 2000]],
  ["of four ranges", 0.01, [750, 950, 4925, 6175, 6950, 8500, 6650]],
  ["of four ranges", 0.2, [750, 950, 2300, 2875, 2850, 3375, 2850]],
  ["rejected", 0, [3000, 3000, 3000, 3000]],
] as const)(
  "of records that are %s and take %d ms each, as many are written at once as others can wait for",
  async (kind, each, sizes) => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const gathered = [0, 0, 0, 0];
    const written: number[] = [];
    const rejected = kind === "rejected";
    const writer = new RecordWriter(
      runOver({
        add: (items) =>
          items.map(({ record }): GatheredItem => {
            const range = kind === "of four ranges" ? record % 4 : 0;
            gathered[range] = (gathered[range] ?? 0) + 1;
            const outcome: ImportOutcome = {
              record,
              kind: rejected ? "rejected" : "created",
              id: "1",
              error: null,
            };
            return { outcome, range: rejected ? null : range };
          }),
        // In a task of its own, so that what is added meanwhile waits for it.
        write: (range) => {
          const count = gathered[range] ?? 0;
          written.push(count);
          now += count * each;
          gathered[range] = 0;
          return new Promise((resolve) => setTimeout(resolve, 0, true));
        },
        settled: async () => undefined,
      }),
    );
    while (written.length < sizes.length) await writer.add(RECORDS);
    await writer.settled();
    expect(written).toEqual(sizes);
  },
);

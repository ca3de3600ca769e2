import type { ImportOutcome, NewImports } from "@scim/core";
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
    name: null,
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
  ["created", 0.01, [2000, 2000, 12_000, 12_000]],
  ["created", 0.2, [2000, 2000, 5000, 5000]],
  ["created", 1, [2000, 2000, 2000, 2000]],
  ["rejected", 0, [2000, 2000, 2000, 2000]],
] as const)(
  "of records that are %s in %d ms each, as many are written at once as others can wait for",
  async (kind, each, sizes) => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    let gathered = 0;
    const written: number[] = [];
    const writer = new RecordWriter(
      runOver({
        add: (items) => {
          gathered += items.length;
          return items.map(({ record }): ImportOutcome => ({
            record,
            kind,
            id: "1",
            error: null,
          }));
        },
        // In a task of its own, so that what is added meanwhile waits for it.
        write: () => {
          written.push(gathered);
          now += gathered * each;
          gathered = 0;
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

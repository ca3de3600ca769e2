import type { GatheredItem, ImportOutcome, ImportRequest, NewImports, PreparedImport } from "@scim/core";
import { SeenKeys } from "@scim/core";
import { afterEach, expect, test, vi } from "vitest";
import type { SourceRecord } from "../../src/import/read-records.ts";
import { RecordWriter, type WriterRun } from "../../src/import/record-writer.ts";

afterEach(() => vi.restoreAllMocks());

type PrepareImport = (context: object, request: ImportRequest) => Promise<PreparedImport>;

/** What a run is told of a store that gathers, and of a service that prepares what is not gathered. */
function runOver(gathering: NewImports, prepareImport?: PrepareImport): WriterRun {
  const service = { importNew: () => gathering, prepareImport };
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

/** Records behind those before, each of so many bytes. */
function recordsFrom(first: number, count: number, bytes = 1): readonly SourceRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    record: first + at,
    line: first + at,
    bytes,
    item: () => ({ record: first + at, type: "User", body: {} }),
  }));
}

const RECORDS = recordsFrom(1, 100);

/** In a task of its own, so that what is added meanwhile waits for it. */
const inTask = <Value>(value: Value): Promise<Value> =>
  new Promise((resolve) => setTimeout(resolve, 0, value));

const created = (record: number): ImportOutcome => ({ record, kind: "created", id: "1", error: null });

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
            return rejected
              ? { outcome: { ...created(record), kind: "rejected" }, range: null }
              : { outcome: created(record), range };
          }),
        write: (range) => {
          const count = gathered[range] ?? 0;
          written.push(count);
          now += count * each;
          gathered[range] = 0;
          return inTask(true);
        },
        settled: async () => undefined,
      }),
    );
    while (written.length < sizes.length) await writer.add(RECORDS);
    await writer.settled();
    expect(written).toEqual(sizes);
  },
);

/** What is asked of a store that refuses some of four ranges, and of a service that prepares. */
function refusing(isRefused: (range: number) => boolean): {
  readonly run: WriterRun;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const gathering: NewImports = {
    add: (items) => items.map(({ record }) => ({ outcome: created(record), range: record % 4 })),
    write: (range) => {
      asked.push(`write ${range}`);
      return inTask(!isRefused(range));
    },
    settled: async () => undefined,
  };
  const run = runOver(gathering, async (_, { items }) => {
    const outcomes = items.map(({ record }) => created(record));
    const records = `${outcomes.at(0)?.record} to ${outcomes.at(-1)?.record}`;
    asked.push(`prepare ${records}`);
    const apply = async (): Promise<readonly ImportOutcome[]> => {
      await inTask(null);
      asked.push(`done ${records}`);
      return outcomes;
    };
    return { outcomes, mayOverlap: true, foresee: async () => outcomes, apply };
  });
  return { run, asked };
}

test("groups that are refused are looked for in the order of the source, behind all that was gathered, and so is what follows", async () => {
  const { run, asked } = refusing((range) => range % 2 === 1);
  const writer = new RecordWriter(run);
  let next = 1;
  const add = async (): Promise<void> => {
    const records = recordsFrom(next, writer.batchRecords);
    next += records.length;
    await writer.add(records);
  };
  while (asked.length === 0) await add();
  // It is known to be refused before more is added.
  await inTask(null);
  for (let more = 0; more < 3; more += 1) await add();
  await writer.settled();
  expect(asked.slice(0, 4)).toEqual(["write 1", "write 2", "write 3", "write 0"]);
  const refused = [1, 601, 1201, 1801, 2401].flatMap((first) => [
    `prepare ${first} to ${first + 598}`,
    `done ${first} to ${first + 598}`,
  ]);
  expect(asked.slice(4, 14)).toEqual(refused);
  // Each while the one before is written.
  expect(asked.slice(14)).toEqual([
    "prepare 3001 to 3100",
    "prepare 3101 to 3400",
    "done 3001 to 3100",
    "prepare 3401 to 3700",
    "done 3101 to 3400",
    "done 3401 to 3700",
  ]);
});

test("each time that groups are refused, more of what follows is looked for before any is taken for new", async () => {
  let now = 0;
  // So slow that groups stay as small as they are.
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
  const { run } = refusing(() => true);
  const writer = new RecordWriter(run);
  const lookedFor = new Map<number, number>();
  let times = 0;
  for (let next = 1; next < 15_000;) {
    const count = writer.batchRecords;
    if (count === 100) times = lookedFor.size;
    else lookedFor.set(times, (lookedFor.get(times) ?? 0) + count);
    await writer.add(recordsFrom(next, count));
    await inTask(null);
    next += count;
  }
  // A hundred of them each time are those that were brought when it was found out.
  expect([...lookedFor.values()]).toEqual([2100, 3900]);
});

test("long records are written before more is added, of whatever range", async () => {
  const { run, asked } = refusing(() => false);
  const writer = new RecordWriter(run);
  await writer.add(recordsFrom(1, 4, 8_388_608));
  await writer.settled();
  expect(asked).toEqual(["write 1", "write 2", "write 3"]);
});

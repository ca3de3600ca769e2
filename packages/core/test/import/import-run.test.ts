import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ImportRun, type ImportCounts, type ImportOutcome } from "../../src/index.ts";

type Done = Pick<ImportOutcome, "record" | "kind">;

/** What a store keeps of a run. */
class Stored {
  position = 0;
  readonly counts = { created: 0, replaced: 0, unchanged: 0 };

  write(run: ImportRun, done: readonly Done[]): void {
    const step = run.step(done);
    this.position = step.position;
    for (const kind of ["created", "replaced", "unchanged"] as const) this.counts[kind] += step.adds[kind];
    run.took(step, done);
  }
}

/** What becomes of the records of a source, and the steps in which they are written. */
const SOURCE = fc
  .array(fc.constantFrom("created", "replaced", "unchanged", "rejected"), { minLength: 1, maxLength: 40 })
  .chain((kinds) =>
    fc.record({
      kinds: fc.constant(kinds),
      order: fc.shuffledSubarray(
        kinds.map((_, index) => index + 1),
        { minLength: kinds.length },
      ),
      size: fc.integer({ min: 1, max: 8 }),
      stop: fc.nat({ max: 20 }),
      /** Whether rejected records are passed before, as of what is taken for new, or are part of a step. */
      passes: fc.boolean(),
    }),
  );

function countsOf(done: readonly Done[]): ImportCounts {
  const count = (sought: Done["kind"]): number => done.filter(({ kind }) => kind === sought).length;
  return { created: count("created"), replaced: count("replaced"), unchanged: count("unchanged") };
}

const sumOf = ({ created, replaced, unchanged }: ImportCounts): number => created + replaced + unchanged;

test("whatever order records are written in, the position has all before it done, and what is left counts as rejected", () => {
  fc.assert(
    fc.property(SOURCE, ({ kinds, order, size, passes }) => {
      const stored = new Stored();
      const run = new ImportRun("r", 0);
      const all = order.map((record): Done => ({ record, kind: kinds[record - 1] ?? "rejected" }));
      const isDone = new Set<number>();
      for (let start = 0; start < all.length; start += size) {
        const step = all.slice(start, start + size);
        if (passes) run.pass(step.filter(({ kind }) => kind === "rejected"));
        stored.write(run, passes ? step.filter(({ kind }) => kind !== "rejected") : step);
        for (const { record } of step) isDone.add(record);
        let position = 0;
        while (isDone.has(position + 1)) position += 1;
        expect(stored.position).toBe(position);
        const rejected = kinds.slice(0, position).filter((kind) => kind === "rejected").length;
        expect(sumOf(stored.counts)).toBe(position - rejected);
      }
      expect(stored.counts).toEqual(countsOf(all));
    }),
  );
});

test("a run that is stopped anywhere and goes on counts each record once, as it came out first", () => {
  fc.assert(
    fc.property(SOURCE, ({ kinds, order, size, stop }) => {
      const stored = new Stored();
      const first = new ImportRun("r", 0);
      const all = order.map((record): Done => ({ record, kind: kinds[record - 1] ?? "rejected" }));
      const written = new Set<number>();
      for (let start = 0; start < Math.min(all.length, stop * size); start += size) {
        const step = all.slice(start, start + size);
        stored.write(first, step);
        for (const { record } of step) written.add(record);
      }
      const second = new ImportRun("r", stored.position);
      for (let record = stored.position + 1; record <= kinds.length; record += 1) {
        const kind = kinds[record - 1] ?? "rejected";
        // What was written is found again as it was written.
        stored.write(second, [
          { record, kind: written.has(record) && kind !== "rejected" ? "unchanged" : kind },
        ]);
      }
      expect(stored).toMatchObject({ position: kinds.length, counts: countsOf(all) });
    }),
  );
});

test("a step that was not written counts for nothing", () => {
  const stored = new Stored();
  const run = new ImportRun("r", 0);
  run.step([{ record: 1, kind: "created" }]);
  stored.write(run, [{ record: 2, kind: "created" }]);
  expect(stored).toMatchObject({ position: 0, counts: { created: 1, replaced: 0, unchanged: -1 } });
  stored.write(run, [{ record: 1, kind: "replaced" }]);
  expect(stored).toMatchObject({ position: 2, counts: { created: 1, replaced: 1, unchanged: 0 } });
});

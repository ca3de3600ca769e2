/**
 * How far a run has come, though its records are done in another order than that of the source.
 * @module
 */
import type { ImportCounts, ImportStep } from "../../store/import-store.ts";
import type { ImportOutcome } from "./import-request.ts";

/** A record that is done. */
type Done = Pick<ImportOutcome, "record" | "kind">;

/**
 * A run whose progress is stored. Its position is behind the last record up to which all are done. What is done beyond it
 * is counted as it came out, and taken from what is unchanged: where the run is stopped, the next part of it meets these
 * records again, unchanged, and then each counts once.
 */
export class ImportRun {
  readonly #name: string;
  /** What is stored. */
  #position: number;
  /** Records beyond the position that are done, and whether they count: rejected ones do not. */
  readonly #beyond = new Map<number, boolean>();

  /** @param position how far earlier parts have come, 0 where there was none */
  constructor(name: string, position: number) {
    this.#name = name;
    this.#position = position;
  }

  /** Keeps that records are rejected. To be called when they were told of. */
  pass(records: readonly Done[]): void {
    for (const { record } of records) this.#beyond.set(record, false);
  }

  /** The step that it is to write records now. */
  step(done: readonly Done[]): ImportStep {
    const here = new Map(done.map(({ record, kind }) => [record, kind !== "rejected"]));
    let position = this.#position;
    let met = 0;
    let ahead = 0;
    for (const counts of here.values()) if (counts) ahead += 1;
    for (;;) {
      const own = here.get(position + 1);
      const earlier = own ?? this.#beyond.get(position + 1);
      if (earlier === undefined) break;
      if (own === true) ahead -= 1;
      else if (earlier && own === undefined) met += 1;
      position += 1;
    }
    const adds = countsOf(done);
    return { run: this.#name, position, adds: { ...adds, unchanged: adds.unchanged + met - ahead } };
  }

  /** A step was written. */
  took({ position }: ImportStep, done: readonly Done[]): void {
    for (const { record, kind } of done) this.#beyond.set(record, kind !== "rejected");
    for (let record = this.#position + 1; record <= position; record += 1) this.#beyond.delete(record);
    this.#position = position;
  }
}

function countsOf(done: readonly Done[]): ImportCounts {
  const counts = { created: 0, replaced: 0, unchanged: 0 };
  for (const { kind } of done) if (kind !== "rejected") counts[kind] += 1;
  return counts;
}

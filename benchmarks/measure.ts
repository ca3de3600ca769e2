/**
 * Measures functions side by side: samples of all sides take turns, so that whatever else the machine does
 * hits all of them alike.
 * @module
 */

/** Shortest sample worth timing, in nanoseconds. */
const SAMPLE_NS = 2_000_000n;
const WARM_UP_MS = 150;

/** How often asynchronous operations are called. */
export interface AsyncRounds {
  /** Samples that count. */
  readonly samples: number;
  /** Samples before them. */
  readonly warmUp: number;
  /** Calls of a sample. */
  readonly batch: number;
}

const QUICK: AsyncRounds = { samples: 31, warmUp: 20, batch: 200 };

/** A function to measure; what it returns is kept alive, so that the call cannot be left out. */
export type Subject = () => unknown;

/** Time of one call, lower decile of the samples, in nanoseconds, by the name of the side. */
export type Timings<Side extends string> = Readonly<Record<Side, number>>;

let kept: unknown;

/** Measures all sides in one run. `samples` are taken of each. */
export function sideBySide<Side extends string>(
  sides: Readonly<Record<Side, Subject>>,
  samples = 31,
): Timings<Side> {
  // `Object.keys` loses the names of a record.
  const names = Object.keys(sides) as Side[];
  const batches = new Map(names.map((name) => [name, batchOf(sides[name])]));
  const times = new Map(names.map((name): [Side, number[]] => [name, []]));
  for (let sample = 0; sample < samples; sample += 1) {
    for (const name of names) {
      const batch = batches.get(name) ?? 1;
      times.get(name)?.push(Number(timeOf(sides[name], batch)) / batch);
    }
  }
  // Every name of `sides` has its time.
  return Object.fromEntries(names.map((name) => [name, lowerDecile(times.get(name) ?? [])])) as Timings<Side>;
}

/** The same for asynchronous operations, one after another. */
export async function sideBySideAsync<Side extends string>(
  sides: Readonly<Record<Side, () => Promise<unknown>>>,
  { samples, warmUp, batch }: AsyncRounds = QUICK,
): Promise<Timings<Side>> {
  // `Object.keys` loses the names of a record.
  const names = Object.keys(sides) as Side[];
  const times = new Map(names.map((name): [Side, number[]] => [name, []]));
  for (let sample = 0; sample < samples + warmUp; sample += 1) {
    for (const name of names) {
      const start = process.hrtime.bigint();
      for (let call = 0; call < batch; call += 1) kept = await sides[name]();
      const time = Number(process.hrtime.bigint() - start) / batch;
      if (sample >= warmUp) times.get(name)?.push(time);
    }
  }
  // Every name of `sides` has its time.
  return Object.fromEntries(names.map((name) => [name, lowerDecile(times.get(name) ?? [])])) as Timings<Side>;
}

/** Shortest time of a call among so many, in nanoseconds: for calls so long that collecting garbage would hide theirs. */
export function fastest(subject: Subject, calls: number): number {
  return Math.min(...Array.from({ length: calls }, () => Number(timeOf(subject, 1))));
}

/** The value that a tenth of the others lie below: what else the machine does only ever adds time. */
export function lowerDecile(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 10)] ?? Number.NaN;
}

/** The geometric mean of a list of ratios. */
export function geometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}

/** Calls that fill one sample, found after warming up. */
function batchOf(subject: Subject): number {
  const end = performance.now() + WARM_UP_MS;
  while (performance.now() < end) kept = subject();
  let batch = 1;
  while (timeOf(subject, batch) < SAMPLE_NS) batch *= 2;
  return batch;
}

function timeOf(subject: Subject, batch: number): bigint {
  const start = process.hrtime.bigint();
  for (let call = 0; call < batch; call += 1) kept = subject();
  return process.hrtime.bigint() - start;
}

/** The last result: reading it proves that the calls were made. */
export function lastResult(): unknown {
  return kept;
}

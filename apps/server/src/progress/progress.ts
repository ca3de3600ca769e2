/**
 * Shows how far a long command is: one line that is rewritten on a terminal; nothing elsewhere.
 * @module
 */
import process from "node:process";

/** How far a command is. */
export interface Advance {
  /** What was done, such as records. */
  readonly done: number;
  /** Part of the whole, from 0 to 1; null where nobody knows. */
  readonly part: number | null;
  /** What else to say: `3 rejected`. */
  readonly note: string;
}

/** Shows progress on standard error. */
export interface Progress {
  /** Tells how far it is; shown now and then. */
  show(advance: Advance): void;
  /** Leaves the line. */
  end(): void;
}

/** Where progress is written. */
export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const REWRITE_MS = 100;
const BAR_WIDTH = 20;

/**
 * Starts to show progress.
 * @param noun of what is done: `records`
 * @param now milliseconds, for the rate
 */
export function startProgress(
  noun: string,
  output: ProgressOutput = process.stderr,
  now: () => number = () => performance.now(),
): Progress {
  const start = now();
  const terminal = output.isTTY === true;
  let first: Advance | null = null;
  let shownAt = Number.NEGATIVE_INFINITY;
  const leave = (): void => void output.write("\r\u001B[2K");
  // Whoever hears that standard output cannot be written ends the process behind this.
  if (terminal) process.stdout.prependListener("error", leave);
  return {
    show: (advance) => {
      if (!terminal) return;
      first ??= advance;
      const time = now();
      if (time - shownAt < REWRITE_MS) return;
      shownAt = time;
      const text = progressLine(advance, { first, noun, seconds: (time - start) / 1000 });
      output.write(`\r\u001B[2K${text.slice(0, (output.columns ?? 80) - 1)}`);
    },
    end: () => {
      if (!terminal) return;
      process.stdout.off("error", leave);
      leave();
    },
  };
}

interface Since {
  /** Where it stood when it was shown first: a run that is resumed begins in the middle. */
  readonly first: Advance;
  readonly noun: string;
  readonly seconds: number;
}

/** One line: bar, percentage, count, rate, remaining time. */
function progressLine({ done, part, note }: Advance, { first, noun, seconds }: Since): string {
  const rate = seconds > 0 ? Math.round((done - first.done) / seconds) : 0;
  const words = [`${grouped(done)} ${noun}`, `${grouped(rate)}/s`];
  const gained = part === null ? 0 : part - (first.part ?? 0);
  if (part !== null && gained > 0 && part < 1)
    words.push(`${duration(((1 - part) / gained) * seconds)} left`);
  if (note !== "") words.push(note);
  const filled = Math.round((part ?? 0) * BAR_WIDTH);
  const bar =
    part === null
      ? ""
      : `[${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}] ${Math.floor(part * 100)}%  `;
  return `${bar}${words.join(", ")}`;
}

/** Where a comma stands in a whole number. */
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** A whole number with its thousands apart. What languages do would have to be loaded, which takes longer than a short command. */
export function grouped(value: number): string {
  return String(value).replaceAll(THOUSANDS, ",");
}

/**
 * How many of something there are.
 *
 * @example
 * counted(1, "entry", "entries"); // "1 entry"
 * @param many what several are called; default with an s behind it
 */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Seconds as people say them: `42 s`, `3 min 05 s`, `2 h 10 min`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, "0")} min`;
}

/**
 * When the program is told to stop, and how long it may take.
 * @module
 */
import process from "node:process";
import type { Logger } from "pino";
import { EXIT, type ExitCode } from "./failure.ts";
import type { Settings } from "./settings/table.ts";
import { STOP_SIGNALS } from "./stop-on-signals.ts";

/** Work until the first signal to stop, which `signalled` resolves to; on the second, `atOnce` runs and the process ends. */
export async function untilSignalled<Result>(
  work: (signalled: Promise<NodeJS.Signals>) => Promise<Result>,
  atOnce: () => void = () => undefined,
): Promise<Result> {
  const { promise: signalled, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let asked = false;
  const hear = (signal: NodeJS.Signals): void => {
    // A terminal that is closed may say so more than once: nobody is impatient.
    if (asked && signal === "SIGHUP") return;
    if (asked) {
      atOnce();
      process.exit(EXIT.failed);
    }
    asked = true;
    resolve(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, hear);
  try {
    return await work(signalled);
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, hear);
  }
}

/** What a start waits for, and what ends the wait. */
export interface Starting<Result> {
  readonly work: Promise<Result>;
  readonly signalled: Promise<NodeJS.Signals>;
}

/**
 * Waits for what may wait for others and has nothing to finish, such as a database to be opened that somebody else migrates: a signal
 * to stop ends the process meanwhile.
 */
export async function unlessSignalled<Result>(
  { work, signalled }: Starting<Result>,
  log: Logger,
): Promise<Result> {
  let isWaiting = true;
  const end = (signal: NodeJS.Signals): void => {
    if (!isWaiting) return;
    log.info({ signal }, "stopped before the database was open");
    log.flush();
    process.exit(EXIT.ok);
  };
  void signalled.then(end);
  try {
    return await work;
  } finally {
    isWaiting = false;
  }
}

/** Seconds that a stop may take. */
export function stopSeconds(settings: Pick<Settings, "stop.delay" | "stop.timeout">): number {
  return settings["stop.delay"] + settings["stop.timeout"];
}

/** A stop under way. */
export interface Stopping {
  /** Resolves to whether all went well. Calls `answered` where no request is under way any more. */
  readonly stop: (answered: () => void) => Promise<boolean>;
  /** Runs before the process ends with requests under way. */
  readonly atOnce?: () => void;
  /** For how long requests are waited for. */
  readonly seconds: number;
}

/** Least time in which it is seen that no request is under way, in seconds. */
const LEAST_SECONDS = 1;

/** Least time that all else has behind the last request, in seconds: receivers and a collector may hang, and the database. */
export const CLOSING_SECONDS = 5;

/** Stops within its time, or ends the process. */
export async function stopInTime({ stop, atOnce, seconds }: Stopping, log: Logger): Promise<ExitCode> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const begun = performance.now();
  const end = (after: number): NodeJS.Timeout => setTimeout(() => resolve("late"), after * 1000);
  let [timer, isAnswered] = [end(Math.max(seconds, LEAST_SECONDS)), false];
  const answered = (): void => {
    const left = seconds - (performance.now() - begun) / 1000;
    clearTimeout(timer);
    [timer, isAnswered] = [end(Math.max(left, CLOSING_SECONDS)), true];
  };
  const outcome = await Promise.race([stop(answered), late]);
  clearTimeout(timer);
  if (outcome === "late") {
    if (isAnswered) log.error("stopped before everything was closed");
    else log.error({ seconds }, "stopped with requests under way");
    log.flush();
    atOnce?.();
    // Their connections would keep the process alive.
    process.exit(EXIT.failed);
  }
  if (outcome) log.info("stopped");
  return outcome ? EXIT.ok : EXIT.failed;
}

/**
 * When the program is told to stop, and how long it may take.
 * @module
 */
import process from "node:process";
import type { Logger } from "pino";
import { EXIT, type ExitCode } from "./failure.ts";
import type { Settings } from "./settings/table.ts";
import { STOP_SIGNALS } from "./stop-on-signals.ts";

/** Resolves on the first signal to stop; on the second, `atOnce` runs and the process ends. */
export function stopSignal(atOnce: () => void = () => undefined): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        // A terminal that is closed may say so more than once: nobody is impatient.
        if (asked && signal === "SIGHUP") return;
        if (asked) {
          atOnce();
          process.exit(EXIT.failed);
        }
        asked = true;
        resolve(signal);
      });
    }
  });
}

/** Seconds that a stop may take. */
export function stopSeconds(settings: Pick<Settings, "stop.delay" | "stop.timeout">): number {
  return settings["stop.delay"] + settings["stop.timeout"];
}

/** A stop under way. */
export interface Stopping {
  /** Resolves to whether all went well. */
  readonly stop: () => Promise<boolean>;
  /** Runs before the process ends with requests under way. */
  readonly atOnce?: () => void;
  readonly seconds: number;
}

/** Stops within its time, or ends the process. */
export async function stopInTime({ stop, atOnce, seconds }: Stopping, log: Logger): Promise<ExitCode> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), seconds * 1000);
  const outcome = await Promise.race([stop(), late]);
  clearTimeout(timer);
  if (outcome === "late") {
    log.error({ seconds }, "stopped with requests under way");
    log.flush();
    atOnce?.();
    // Their connections would keep the process alive.
    process.exit(EXIT.failed);
  }
  if (outcome) log.info("stopped");
  return outcome ? EXIT.ok : EXIT.failed;
}

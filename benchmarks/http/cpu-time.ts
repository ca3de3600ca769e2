/**
 * The processor time of a server: unlike a rate it says what a request costs, also on a machine that others use.
 * @module
 */
import { readFileSync } from "node:fs";
import type { Target } from "./start.ts";

/** Microseconds of one tick of the counters: `sysconf(_SC_CLK_TCK)` is 100 wherever Node.js runs on Linux. */
const TICK_US = 10_000;
/** Places of the time in user and kernel mode, behind the name of the program. */
const USER = 11;
const KERNEL = 12;

/** Microseconds that all threads of a server have run; null where the system does not tell (other than Linux). */
export function cpuTime({ process: { pid } }: Target): number | null {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[USER]) + Number(fields[KERNEL])) * TICK_US;
  } catch {
    return null;
  }
}

/**
 * What a process takes of memory and writes, as Linux tells it; NaN elsewhere.
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";

const MIB_IN_KIB = 1024;

/** Resident memory now, in MiB. */
export function residentMiB(pid: number | undefined): number {
  return statusOf(pid, "VmRSS");
}

/** Most resident memory since {@link forgetPeak}, in MiB. */
export function peakMiB(pid: number | undefined): number {
  return statusOf(pid, "VmHWM");
}

/**
 * Most resident memory of this process, in MiB. `maxRSS` stands for it where the system does not tell better: on Linux that
 * counts what the process that started this one had, too.
 */
export function ownPeakMiB(): number {
  const peak = peakMiB(process.pid);
  return Number.isNaN(peak) ? process.resourceUsage().maxRSS / MIB_IN_KIB : peak;
}

/** Begins a new measurement of the peak. */
export function forgetPeak(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${String(pid)}/clear_refs`, "5");
  } catch {
    // The peak is that since the start then.
  }
}

/** Bytes that were handed to the system to write. */
export function writtenBytes(pid: number | undefined): number {
  return fieldOf(`/proc/${String(pid)}/io`, "wchar");
}

function statusOf(pid: number | undefined, field: string): number {
  return fieldOf(`/proc/${String(pid)}/status`, field) / MIB_IN_KIB;
}

function fieldOf(file: string, field: string): number {
  try {
    return Number(
      new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(readFileSync(file, "utf8"))?.[1] ?? Number.NaN,
    );
  } catch {
    return Number.NaN;
  }
}

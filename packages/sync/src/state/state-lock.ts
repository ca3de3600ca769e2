/**
 * Keeps two runs from using one state at a time: a file beside it that names the process.
 * @module
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { StateError, unreadable, unwritable } from "./state-error.ts";

/** A lock that is held. */
export interface StateLock {
  release(): void;
}

/** How often a lock that goes while it is looked at is tried again. */
const ATTEMPTS = 5;

/**
 * Takes the lock of a state. One whose process has ended, by a crash for one, is taken over.
 * @throws {@link StateError} where another run holds it, or it cannot be written
 */
export function lockState(path: string): StateLock {
  const file = `${path}.lock`;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (write(file, "wx")) return { release: () => rmSync(file, { force: true }) };
    const holder = holderOf(file);
    // Whoever held it let it go in between.
    if (holder === null) continue;
    if (isRunning(holder))
      throw new StateError(
        "inUse",
        `Another run uses ${path} (process ${holder}): wait for it. If there is none, remove ${file}.`,
      );
    write(file, "w");
    return { release: () => rmSync(file, { force: true }) };
  }
  throw new StateError("inUse", `${file} is there and cannot be read: if no run uses ${path}, remove it.`);
}

/** Writes the file of the lock; false where a new one is wanted, and one is there. */
function write(file: string, flag: "w" | "wx"): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag, mode: 0o600 });
    return true;
  } catch (cause) {
    if (flag === "wx" && isOf(cause, "EEXIST")) return false;
    throw unwritable(file, cause);
  }
}

/** The process that holds a lock; null where the lock is gone. */
function holderOf(file: string): number | null {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch (cause) {
    if (isOf(cause, "ENOENT")) return null;
    throw unreadable(file, cause);
  }
}

/** In a container, a process that was started again has the number that it had. */
function isRunning(holder: number): boolean {
  if (!Number.isSafeInteger(holder) || holder <= 0 || holder === process.pid) return false;
  try {
    process.kill(holder, 0);
    return true;
  } catch (cause) {
    return isOf(cause, "EPERM");
  }
}

function isOf(cause: unknown, code: string): boolean {
  return cause instanceof Error && "code" in cause && cause.code === code;
}

/**
 * Keeps two runs from using one state at a time: a file beside it that names the process.
 * @module
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { StateError, unwritable } from "./state-error.ts";

/** A lock that is held. */
export interface StateLock {
  release(): void;
}

/**
 * Takes the lock of a state. One whose process has ended, by a crash for one, is taken over.
 * @throws {@link StateError} where another run holds it
 */
export function lockState(path: string): StateLock {
  const file = `${path}.lock`;
  const holder = take(file) ? null : holderOf(file);
  if (holder !== null && isRunning(holder))
    throw new StateError(
      `Another run uses ${path} (process ${holder}): wait for it. If there is none, remove ${file}.`,
    );
  if (holder !== null) writeFileSync(file, String(process.pid));
  return { release: () => rmSync(file, { force: true }) };
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false;
    throw unwritable(file, cause);
  }
}

function holderOf(file: string): number {
  return Number(readFileSync(file, "utf8"));
}

/** In a container, a process that was started again has the number that it had. */
function isRunning(holder: number): boolean {
  if (!Number.isSafeInteger(holder) || holder <= 0 || holder === process.pid) return false;
  try {
    process.kill(holder, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM";
  }
}

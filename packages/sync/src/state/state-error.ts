/**
 * What can be wrong with a state.
 * @module
 */

/**
 * Stable names of what can be wrong with a state.
 * - `otherState`: it is the state of another target or mapping, or no state at all.
 * - `inUse`: another run uses it, or has changed it since this one planned.
 * - `unreadable`, `unwritable`: the system refuses to read or write it, for want of room or of rights.
 */
export type StateErrorCode = "otherState" | "inUse" | "unreadable" | "unwritable";

/** The state cannot be used; the message says what to do, for people. */
export class StateError extends Error {
  override readonly name = "StateError";
  readonly code: StateErrorCode;

  constructor(code: StateErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** What the system refuses to read of a state. */
export function unreadable(file: string, cause: unknown): StateError {
  return new StateError("unreadable", `${file} cannot be read: ${reasonOf(cause)}.`, cause);
}

/** What the system refuses to write of a state. */
export function unwritable(file: string, cause: unknown): StateError {
  return new StateError("unwritable", `${file} cannot be written: ${reasonOf(cause)}.`, cause);
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

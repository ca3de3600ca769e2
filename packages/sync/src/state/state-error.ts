/**
 * What can be wrong with a state.
 * @module
 */

/** The state cannot be used; the message says what to do, for people. */
export class StateError extends Error {
  override readonly name = "StateError";
}

/** What the system refuses to write of a state. */
export function unwritable(file: string, cause: unknown): StateError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StateError(`${file} cannot be written: ${reason}.`, { cause });
}

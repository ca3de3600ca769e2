/**
 * What can be wrong with a state.
 * @module
 */

/** The state cannot be used; the message says what to do, for people. */
export class StateError extends Error {
  override readonly name = "StateError";
}

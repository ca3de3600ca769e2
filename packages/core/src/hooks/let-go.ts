/**
 * Lets go what a hook returned in the place of an answer.
 * @module
 */

/** A promise that nobody waits for must not end the process when it rejects. */
export function letGo(returned: unknown): void {
  void Promise.resolve(returned).catch(() => undefined);
}

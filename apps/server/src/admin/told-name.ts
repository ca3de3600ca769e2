/**
 * Names that a client sent, as messages repeat them.
 * @module
 */

/** Longest name that is told in full, in characters: names come from the client. */
const LONGEST_TOLD = 50;

/** As much of a name as a message repeats. */
export function toldName(name: string): string {
  return name.slice(0, LONGEST_TOLD);
}

/**
 * Values of flags: one of a few words, or a whole number.
 * @module
 */
import { CommandFailure, EXIT } from "./failure.ts";

/**
 * The word of a flag that takes few.
 * @throws CommandFailure for another
 */
export function wordFlag<Word extends string>(flag: string, given: string, words: readonly Word[]): Word {
  const found = words.find((each) => each === given);
  if (found !== undefined) return found;
  throw new CommandFailure(EXIT.usage, `--${flag} must be one of ${words.join(", ")}, not '${given}'.`);
}

/** What a number of a flag may be, both ends included. */
export interface FlagBounds {
  readonly least: number;
  readonly most: number;
}

/**
 * The whole number of a flag, in digits.
 * @throws CommandFailure for what is none, or out of bounds
 */
export function wholeNumberFlag(flag: string, given: string, { least, most }: FlagBounds): number {
  const value = /^[0-9]{1,16}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new CommandFailure(EXIT.usage, `--${flag} must be a whole number from ${least} to ${most}.`);
}

/**
 * Instants as columns hold them: text in UTC with milliseconds. Comparison keys are finer.
 * @module
 */

const MILLISECONDS_LENGTH = "0000-00-00T00:00:00.000".length;

/** A millisecond. */
export interface Millisecond {
  /** As columns write it. */
  readonly text: string;
  /** Whether the key that lies in it is its beginning. */
  readonly whole: boolean;
}

/** The millisecond that a comparison key lies in. */
export function millisecondOf(key: string): Millisecond {
  return {
    text: `${key.slice(0, MILLISECONDS_LENGTH)}Z`,
    whole: /^0*$/.test(key.slice(MILLISECONDS_LENGTH)),
  };
}

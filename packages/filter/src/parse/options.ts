/**
 * Limits and tolerances of the parser.
 * @module
 */

/**
 * A deviation from the grammar that known clients send.
 * - `valuePathComparison`: `emails[type eq "work"].value eq "x"` is read as
 *   `emails[type eq "work" and value eq "x"]` (Entra ID), `emails[type eq "work"] pr` as
 *   `emails[type eq "work"]`.
 * - `lenientLiterals`: single-quoted strings, words without quotes, and `true`, `false` and `null` in
 *   any letter case are read as values.
 */
export type Tolerance = "valuePathComparison" | "lenientLiterals";

/** How a text is read. */
export interface ParseOptions {
  /** Most characters (UTF-16 code units) of a text. Default 8192; `Infinity` lifts the limit. */
  readonly maxLength?: number;
  /**
   * Deepest nesting: each group, `not (…)` and value path counts one. Default 64; at most 200, which
   * `Infinity` means too, so that no text can exhaust the stack (Node's holds about 400).
   */
  readonly maxDepth?: number;
  /** Deviations to accept. Default none: the grammar alone. */
  readonly tolerate?: ReadonlySet<Tolerance>;
  /** Is told the name of each tolerance that the text needed, once a text, after it was read. */
  readonly onTolerance?: (name: Tolerance) => void;
}

/** Default of {@link ParseOptions.maxLength}, in characters. */
export const DEFAULT_MAX_LENGTH = 8192;

/** Default of {@link ParseOptions.maxDepth}. */
export const DEFAULT_MAX_DEPTH = 64;

/** Upper bound of {@link ParseOptions.maxDepth}. */
export const MAX_DEPTH_BOUND = 200;

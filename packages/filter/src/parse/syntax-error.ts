/**
 * What is wrong with the text of a filter or a path, and where.
 * @module
 */

/**
 * Why a text was refused: it breaks the grammar, is longer than `maxLength`, or is nested deeper
 * than `maxDepth`.
 */
export type FilterSyntaxErrorCode = "syntax" | "tooLong" | "tooDeep";

/** What a {@link FilterSyntaxError} is made of, beside its message. */
export interface FilterSyntaxErrorDetail {
  readonly code: FilterSyntaxErrorCode;
  /** The whole text that was read. */
  readonly text: string;
  /** Where the fault is: UTF-16 code units from the start of the text, 0-based. */
  readonly offset: number;
  /** What could have stood there, in words of the grammar: `attribute path`, `"and"`, `end`. */
  readonly expected: readonly string[];
}

/** At most so many characters on either side of the caret. */
const CARET_CONTEXT = 40;

/**
 * The text is no filter, PATCH path or attribute path. To a client it is `400 invalidFilter`, for a
 * path of a PATCH operation `400 invalidPath` (RFC 7644 §3.12).
 *
 * The message names the position and the remedy and never repeats the text, since filters hold
 * personal values: it can be logged. {@link FilterSyntaxError.caret} shows the text.
 *
 * - `syntax`: the text breaks the grammar of RFC 7644 §3.4.2.2 or §3.5.2.
 * - `tooLong`: it has more characters than `maxLength`; nothing was read.
 * - `tooDeep`: groups, `not` and value paths are nested deeper than `maxDepth`.
 */
export class FilterSyntaxError extends Error {
  override readonly name = "FilterSyntaxError";
  readonly code: FilterSyntaxErrorCode;
  /** Where the fault is: UTF-16 code units from the start of the text, 0-based. */
  readonly offset: number;
  /** What could have stood there, in words of the grammar. */
  readonly expected: readonly string[];
  // Not a public field: loggers write those down.
  readonly #text: string;

  constructor(message: string, detail: FilterSyntaxErrorDetail) {
    super(message);
    this.code = detail.code;
    this.offset = detail.offset;
    this.expected = detail.expected;
    this.#text = detail.text;
  }

  /**
   * The text around the fault with a caret below it, for a person who wrote the filter. It repeats
   * values out of the text: do not log it.
   * @example
   * ```text
   * userName eq bjensen
   *             ^
   * ```
   */
  caret(): string {
    const start = Math.max(0, this.offset - CARET_CONTEXT);
    const end = Math.min(this.#text.length, this.offset + CARET_CONTEXT);
    const before = (start > 0 ? "…" : "") + oneLine(this.#text.slice(start, this.offset));
    const after = oneLine(this.#text.slice(this.offset, end)) + (end < this.#text.length ? "…" : "");
    return `${before}${after}\n${" ".repeat(before.length)}^`;
  }
}

// Line ends and other control characters would move the text away from the caret.
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ");
}

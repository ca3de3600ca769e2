/**
 * The one form in which values are compared: by filters, indexes, uniqueness and sorting alike.
 * @module
 */
import type { ComparableType, ComparisonKey } from "../bound.ts";
import { parseDateTime } from "./date-time.ts";
import { foldCase } from "./fold.ts";

/**
 * The key of a value: two values of an attribute are equal where their keys are, and ordered as
 * {@link compareKeys} orders their keys.
 *
 * - `string`, `reference`: the text; where `caseExact` is false, see {@link foldCase}.
 * - `binary`: the text as it is.
 * - `dateTime`: the instant as text in UTC, see {@link parseDateTime}.
 * - `integer`, `decimal`: the number, with 0 for -0; `boolean`: itself.
 * @returns undefined where the value is not of the type, and for `complex`.
 */
export function comparisonKey(
  type: ComparableType,
  caseExact: boolean,
  value: unknown,
): ComparisonKey | undefined {
  switch (type) {
    case "string":
    case "reference":
      return typeof value === "string" ? textKey(caseExact, value) : undefined;
    case "binary":
      return typeof value === "string" ? value : undefined;
    case "dateTime":
      return typeof value === "string" ? parseDateTime(value) : undefined;
    case "integer":
    case "decimal":
      // Adding zero makes 0 of -0.
      return typeof value === "number" && Number.isFinite(value) ? value + 0 : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "complex":
      return undefined;
  }
}

/** The key of a text on its own: as it is, or folded. `co`, `sw` and `ew` compare a dateTime by it. */
export function textKey(caseExact: boolean, text: string): string {
  return caseExact ? text : foldCase(text);
}

/**
 * A comparison of a column that holds text or numbers as they are.
 * @module
 */
import type { BoundComparison, CompareOperator } from "@scim/filter";
import type { Dialect, ReadKey } from "../dialect.ts";
import { constantSql, type Sql, sql } from "../sql.ts";

/** Operators that a comparison is positive in: `ne` also holds where there is no value. */
export type PositiveOperator = Exclude<CompareOperator, "ne">;

/** The operator of a comparison, or null for `ne`. */
export function positiveOperator({ operator }: BoundComparison): PositiveOperator | null {
  return operator === "ne" ? null : operator;
}

/** Operators for which the entries that match lie together in an index. */
const RANGES: ReadonlySet<CompareOperator> = new Set(["sw", "gt", "ge", "lt", "le"]);

/** Whether an index finds what matches: one key, a range of keys, or null where all keys must be seen. */
export function seekOf(operator: PositiveOperator): "equal" | "range" | null {
  if (operator === "eq") return "equal";
  return RANGES.has(operator) ? "range" : null;
}

const TEXT_OPERATORS: ReadonlySet<CompareOperator> = new Set(["co", "sw", "ew"]);

/** Stands for a half of a surrogate pair wherever text becomes UTF-8. */
const REPLACEMENT = "\ufffd";

/**
 * Whether the column says what the filter asks. It does not for parts of an instant's text, which the column
 * holds in another form; nor for text that has no form of its own in UTF-8.
 */
export function isComparable({ target, operator, key }: BoundComparison): boolean {
  if (target.missingIsFalse || (target.type === "dateTime" && TEXT_OPERATORS.has(operator))) return false;
  return typeof key !== "string" || isKeptAsIs(key);
}

/** Whether a text has a form of its own in UTF-8. */
export function isKeptAsIs(text: string): boolean {
  return text.isWellFormed() && !text.includes(REPLACEMENT);
}

/** The condition that a column compares with a key as an operator says. */
export function keyCondition(
  column: Sql,
  { operator, key }: { readonly operator: PositiveOperator; readonly key: ReadKey },
  dialect: Pick<Dialect, "contains" | "endsWith">,
): Sql {
  switch (operator) {
    case "eq":
      return sql`${column} = ${key}`;
    case "gt":
      return sql`${column} > ${key}`;
    case "ge":
      return sql`${column} >= ${key}`;
    case "lt":
      return sql`${column} < ${key}`;
    case "le":
      return sql`${column} <= ${key}`;
    case "co":
      return dialect.contains(column, String(key));
    case "ew":
      return dialect.endsWith(column, String(key));
    case "sw":
      return startsWith(column, String(key));
  }
}

function startsWith(column: Sql, prefix: string): Sql {
  const end = prefixEnd(prefix);
  return end === null ? sql`${column} >= ${prefix}` : sql`${column} >= ${prefix} AND ${column} < ${end}`;
}

const LAST_CODE_POINT = 0x10_ffff;
const BEFORE_SURROGATES = 0xd7ff;
const BEHIND_SURROGATES = 0xe000;

/** The first text behind all that begin with a prefix, in the order of code points; null where there is none. */
export function prefixEnd(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return null;
  // A surrogate is no character of its own.
  const next = last === BEFORE_SURROGATES ? BEHIND_SURROGATES : last + 1;
  return String.fromCodePoint(...points, next);
}

/** A condition that holds for every row. */
export const EVERY_ROW: Sql = constantSql(true);

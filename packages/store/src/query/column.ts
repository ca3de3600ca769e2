/**
 * Conditions on the common attributes that the store keeps in columns: `id`, `meta.created`,
 * `meta.lastModified`, `meta.version`, and `meta.resourceType`, which is the same for all resources of a
 * query. The others (`schemas`, `meta.location`) are made by the service and compared there.
 * @module
 */
import type { AttributeNode } from "@scim/core";
import { type BoundComparison, type BoundPresence, evaluateFilter } from "@scim/filter";
import { liveResources } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import type { FilterSetting } from "./compile-filter.ts";
import { millisecondOf } from "./instant.ts";
import {
  isComparable,
  keyCondition,
  type PositiveOperator,
  positiveOperator,
  seekOf,
} from "./key-condition.ts";
import { constantPredicate, type LookupSize, type Predicate, UNKNOWN } from "./predicate.ts";

type Comparison = BoundComparison<AttributeNode>;

const ALWAYS_PRESENT: ReadonlySet<string> = new Set([
  "id",
  "meta",
  "meta.created",
  "meta.lastModified",
  "meta.resourceType",
  "meta.version",
]);

/** Columns of text; only `id` has an index. */
const TEXTS: ReadonlyMap<string, { readonly column: Sql; readonly indexed: boolean }> = new Map([
  ["id", { column: sql`r.id`, indexed: true }],
  ["meta.version", { column: sql`r.version`, indexed: false }],
]);

const INSTANTS: ReadonlyMap<string, Sql> = new Map([
  ["meta.created", sql`r.created`],
  ["meta.lastModified", sql`r.last_modified`],
]);

/** A comparison with a common attribute. */
export function columnComparison(setting: FilterSetting, comparison: Comparison): Predicate {
  if (!isComparable(comparison)) return UNKNOWN;
  const { path } = comparison.target.handle;
  const instant = INSTANTS.get(path);
  if (instant !== undefined) return compareInstant(setting, comparison, instant);
  if (path === "meta.resourceType") {
    return constantPredicate(evaluateFilter(comparison, { meta: { resourceType: setting.type } }));
  }
  const text = TEXTS.get(path);
  return text === undefined || !comparison.target.caseExact
    ? UNKNOWN
    : compareText(setting, comparison, text);
}

/** `pr` on a common attribute. */
export function columnPresence({ target }: BoundPresence<AttributeNode>): Predicate {
  return ALWAYS_PRESENT.has(target.handle.path) ? constantPredicate(true) : UNKNOWN;
}

/** Whether a column of text that has an index holds one of several texts; null for other columns. */
export function columnOneOf(
  setting: FilterSetting,
  { handle: { path } }: Comparison["target"],
  among: readonly string[],
): Predicate | null {
  const text = TEXTS.get(path);
  if (text?.indexed !== true) return null;
  const list = setting.dialect.idList(among);
  return onColumn(setting, setting.dialect.among(text.column, sql`SELECT l.value FROM ${list} l`), {
    size: "equal",
    name: path,
  });
}

function compareText(
  setting: FilterSetting,
  comparison: Comparison,
  { column, indexed }: { readonly column: Sql; readonly indexed: boolean },
): Predicate {
  const operator = positiveOperator(comparison);
  const key = String(comparison.key);
  if (operator === null) return { test: sql`${column} <> ${key}`, exact: true, lookup: null };
  const seek = seekOf(operator);
  return onColumn(setting, keyCondition(column, { operator, key }, setting.dialect), {
    size: !indexed ? null : seek === "equal" ? "one" : seek,
    name: comparison.target.handle.path,
  });
}

/** Columns hold milliseconds; a literal may lie between two of them, and then equals none. */
function compareInstant(setting: FilterSetting, comparison: Comparison, column: Sql): Predicate {
  const instant = millisecondOf(String(comparison.key));
  const operator = positiveOperator(comparison);
  if (operator === null) {
    return instant.whole
      ? { test: sql`${column} <> ${instant.text}`, exact: true, lookup: null }
      : constantPredicate(true);
  }
  if (operator === "eq" && !instant.whole) return constantPredicate(false);
  const key = instant.text;
  const condition = keyCondition(
    column,
    { operator: rounded(operator, instant.whole), key },
    setting.dialect,
  );
  return onColumn(setting, condition, { size: seekOf(operator), name: comparison.target.handle.path });
}

/** Behind the beginning of a millisecond: later is from the next one on, earlier is up to this one. */
function rounded(operator: PositiveOperator, whole: boolean): PositiveOperator {
  if (whole) return operator;
  return operator === "gt" || operator === "ge" ? "gt" : "le";
}

function onColumn(
  setting: FilterSetting,
  test: Sql,
  { size, name }: { readonly size: LookupSize | null; readonly name: string },
): Predicate {
  const ids = sql`SELECT r.id FROM ${liveResources(setting.tenant, setting.type)} AND ${test}`;
  return {
    test: sql`(${test})`,
    exact: true,
    lookup: size === null ? null : { ids, size, name, complete: true },
  };
}

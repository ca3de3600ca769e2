/**
 * Conditions on collections (`members`) and inverses (`groups`). Only the `value` sub-attribute has a
 * column; what a filter says of others is left to the caller.
 * @module
 */
import { type AttributeNode, isReferenceValue, namedIds, type ResourceFilter } from "@scim/core";
import type { BoundComparison, BoundPath, BoundPresence } from "@scim/filter";
import { sql } from "../sql.ts";
import { EVERY_ROW, isComparable, isKeptAsIs, keyCondition, positiveOperator } from "./key-condition.ts";
import {
  allOf,
  anyOf,
  constantPredicate,
  type Lookup,
  negated,
  type Predicate,
  UNKNOWN,
} from "./predicate.ts";
import type { ReferenceRows } from "./reference-rows.ts";

type Comparison = BoundComparison<AttributeNode>;

/** `members.value eq "x"`, which `members eq "x"` is bound to as well. */
export function referenceComparison(rows: ReferenceRows, comparison: Comparison): Predicate {
  const row = rowComparison(rows, comparison);
  if (!row.exact) return UNKNOWN;
  if (comparison.operator === "ne") {
    return {
      test: sql`(${rows.exists(row.test)} OR NOT ${rows.exists(EVERY_ROW)})`,
      exact: true,
      lookup: null,
    };
  }
  const lookup = lookupOf(rows, comparison);
  return { test: rows.exists(row.test, lookup !== null), exact: true, lookup };
}

/** `members.value eq "x" or members.value eq "y"`: one of several values. */
export function referenceOneOf(rows: ReferenceRows, among: readonly string[]): Predicate {
  return {
    test: rows.exists(rows.isOneOf(among), true),
    exact: true,
    lookup: { ids: rows.holders(among), size: "equal", name: rows.name, complete: true },
  };
}

/** `members pr`: every row has a value. */
export function referencePresence(rows: ReferenceRows, { target }: BoundPresence<AttributeNode>): Predicate {
  if (target.handle.parent !== null && !isValue(target)) return UNKNOWN;
  return { test: rows.exists(EVERY_ROW), exact: true, lookup: null };
}

/** `members[value eq "x"]`: one row meets the whole filter. */
export function referenceValuePath(rows: ReferenceRows, filter: ResourceFilter): Predicate {
  const row = rowPredicate(rows, filter);
  const lookup = lookupOf(rows, filter);
  return { test: rows.exists(row.test, lookup !== null), exact: row.exact, lookup };
}

/** A condition on the row `m`. */
function rowPredicate(rows: ReferenceRows, filter: ResourceFilter): Predicate {
  switch (filter.kind) {
    case "comparison":
      return rowComparison(rows, filter);
    case "presence":
      return isValue(filter.target) ? constantPredicate(true) : UNKNOWN;
    case "and":
      return allOf(filter.operands.map((operand) => rowPredicate(rows, operand)));
    case "or":
      return anyOf(filter.operands.map((operand) => rowPredicate(rows, operand)));
    case "not":
      return negated(rowPredicate(rows, filter.operand));
    case "constant":
      return constantPredicate(filter.value);
    case "valuePath":
      return UNKNOWN;
  }
}

function rowComparison(rows: ReferenceRows, comparison: Comparison): Predicate {
  const { target, key } = comparison;
  if (!isReferenceValue(target) || !isComparable(comparison)) return UNKNOWN;
  const operator = positiveOperator(comparison);
  const test =
    operator === null
      ? sql`${rows.value} <> ${String(key)}`
      : sql`(${keyCondition(rows.value, { operator, key: String(key) }, rows.dialect)})`;
  return { test, exact: true, lookup: null };
}

function isValue(target: BoundPath<AttributeNode>): boolean {
  return target.handle.parent !== null && target.handle.attribute.name === "value";
}

function lookupOf(rows: ReferenceRows, filter: ResourceFilter): Lookup | null {
  const ids = namedIds(filter);
  if (ids === null || !ids.every(isKeptAsIs)) return null;
  return { ids: rows.holders(ids), size: "equal", name: rows.name, complete: filter.kind === "comparison" };
}

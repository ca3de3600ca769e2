/**
 * Compiles a bound filter to conditions on the resource `r`: each node says whether it is exact, and
 * which index finds its candidates.
 * @module
 */
import {
  type AttributeNode,
  type InverseSelection,
  isReferenceValue,
  type ResourceFilter,
  topAttribute,
} from "@scim/core";
import type { BoundComparison, BoundPresence, BoundValuePath } from "@scim/filter";
import type { Dialect } from "../dialect.ts";
import type { Serves } from "../indexes/view.ts";
import { attributeComparison, attributeOneOf, attributePresence } from "./attribute.ts";
import { columnComparison, columnOneOf, columnPresence } from "./column.ts";
import { isComparable } from "./key-condition.ts";
import { allOf, anyOf, constantPredicate, negated, type Predicate, UNKNOWN } from "./predicate.ts";
import { referenceComparison, referenceOneOf, referencePresence, referenceValuePath } from "./reference.ts";
import { collectionRows, inverseRows, type ReferenceRows } from "./reference-rows.ts";

/** What a filter is compiled for. */
export interface FilterSetting {
  readonly tenant: string;
  readonly type: string;
  readonly dialect: Dialect;
  /** How to compute the inverses; one that is missing has no values. */
  readonly inverses: readonly InverseSelection[];
  /** Which attributes are found by index. */
  readonly serves: Serves;
}

/** Values that a statement may hold: one of more terms takes longer to plan than a scan takes to begin. */
const MAX_PARAMS = 1000;

/** Compiles a filter. One that is too long for a statement is left to the caller. */
export function compileFilter(setting: FilterSetting, filter: ResourceFilter): Predicate {
  const predicate = compileNode(setting, filter);
  const { test, lookup } = predicate;
  return test.params.length + (lookup?.ids.params.length ?? 0) > MAX_PARAMS ? UNKNOWN : predicate;
}

function compileNode(setting: FilterSetting, filter: ResourceFilter): Predicate {
  switch (filter.kind) {
    case "comparison":
      return comparison(setting, filter);
    case "presence":
      return presence(setting, filter);
    case "valuePath":
      return valuePath(setting, filter);
    case "and":
      return allOf(filter.operands.map((operand) => compileNode(setting, operand)));
    case "or":
      return anyOf(alternatives(setting, filter.operands, (operand) => compileNode(setting, operand)));
    case "not":
      return negated(compileNode(setting, filter.operand));
    case "constant":
      return constantPredicate(filter.value);
  }
}

/**
 * The predicates of alternatives. Those that compare one attribute with a key each are one look-up for all of the keys: clients
 * send hundreds of them.
 */
function alternatives(
  setting: FilterSetting,
  operands: readonly ResourceFilter[],
  compile: (operand: ResourceFilter) => Predicate,
): readonly Predicate[] {
  return [...Map.groupBy(operands, attributeOfEquality)].flatMap(([, group]) => {
    const equalities = group.filter(isEquality);
    const together = equalities.length > 1 ? oneOf(setting, equalities) : null;
    return together === null ? group.map(compile) : [together];
  });
}

/** The same for filters that may be asked together, and another for each that may not. */
function attributeOfEquality(filter: ResourceFilter): unknown {
  return isEquality(filter) ? filter.target.handle.path : filter;
}

function isEquality(filter: ResourceFilter): filter is BoundComparison<AttributeNode> {
  return filter.kind === "comparison" && filter.operator === "eq" && isComparable(filter);
}

/** Whether an attribute has one of several keys; null where each has to be asked for by itself. */
function oneOf(
  setting: FilterSetting,
  [first, ...others]: readonly BoundComparison<AttributeNode>[],
): Predicate | null {
  if (first === undefined) return null;
  const { target } = first;
  const among = [...new Set([first, ...others].map(({ key }) => key))];
  switch (target.handle.storage) {
    case "value":
      return attributeOneOf(setting, target, among);
    case "column":
      return target.caseExact ? columnOneOf(setting, target, among.map(String)) : null;
    default: {
      const rows = isReferenceValue(target) ? rowsOf(setting, target.handle) : null;
      return rows === null ? null : referenceOneOf(rows, among.map(String));
    }
  }
}

function comparison(setting: FilterSetting, filter: BoundComparison<AttributeNode>): Predicate {
  switch (filter.target.handle.storage) {
    case "value":
      return attributeComparison(setting, filter);
    case "column":
      return columnComparison(setting, filter);
    default: {
      const rows = rowsOf(setting, filter.target.handle);
      return rows === null ? UNKNOWN : referenceComparison(rows, filter);
    }
  }
}

function presence(setting: FilterSetting, filter: BoundPresence<AttributeNode>): Predicate {
  switch (filter.target.handle.storage) {
    case "value":
      return attributePresence(setting, filter);
    case "column":
      return columnPresence(filter);
    default: {
      const rows = rowsOf(setting, filter.target.handle);
      return rows === null ? UNKNOWN : referencePresence(rows, filter);
    }
  }
}

function valuePath(setting: FilterSetting, filter: BoundValuePath<AttributeNode>): Predicate {
  switch (filter.target.handle.storage) {
    case "value":
      return someValue(setting, filter.filter);
    case "column":
      return UNKNOWN;
    default: {
      const rows = rowsOf(setting, filter.target.handle);
      return rows === null ? UNKNOWN : referenceValuePath(rows, filter.filter);
    }
  }
}

/**
 * What is known of resources with a value that meets a filter. The index tells values apart by resource
 * only: of two conditions it cannot say that one value meets both, nor that one fails to meet one.
 */
function someValue(setting: FilterSetting, filter: ResourceFilter): Predicate {
  switch (filter.kind) {
    case "comparison":
      return filter.operator === "ne" ? UNKNOWN : attributeComparison(setting, filter);
    case "presence":
      return attributePresence(setting, filter);
    case "and":
      return { ...allOf(filter.operands.map((operand) => someValue(setting, operand))), exact: false };
    case "or":
      return anyOf(alternatives(setting, filter.operands, (operand) => someValue(setting, operand)));
    case "constant":
      return filter.value ? UNKNOWN : constantPredicate(false);
    default:
      return UNKNOWN;
  }
}

/** The rows that hold the values of a collection or of an inverse; null where they cannot be named. */
function rowsOf(setting: FilterSetting, node: AttributeNode): ReferenceRows | null {
  const top = topAttribute(node);
  if (top.storage === "collection") return collectionRows(setting, top);
  const selection = setting.inverses.find(({ inverse }) => inverse.node.path === top.path);
  if (selection === undefined) return inverseRows(setting, []);
  // Through nested groups: only a walk tells.
  return selection.depth > 1 ? null : inverseRows(setting, selection.inverse.sources);
}

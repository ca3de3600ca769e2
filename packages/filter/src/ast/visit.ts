/**
 * Walks over a filter: one function for each kind of node, checked by type to be complete.
 * @module
 */
import type {
  AndNode,
  ComparisonNode,
  FilterNode,
  NotNode,
  OrNode,
  PresenceNode,
  ValuePathNode,
} from "./nodes.ts";

/** What to make of each kind of node, given what was made of the nodes below it. */
export interface FilterFold<Result> {
  comparison(node: ComparisonNode): Result;
  presence(node: PresenceNode): Result;
  and(operands: readonly Result[], node: AndNode): Result;
  or(operands: readonly Result[], node: OrNode): Result;
  not(operand: Result, node: NotNode): Result;
  /**
   * What was made of the filter between the brackets knows no attribute but names within it: where these are something else
   * outside of brackets, such as a column, let results be functions that are told where they stand.
   */
  valuePath(filter: Result, node: ValuePathNode): Result;
}

/**
 * Computes a result from the leaves upwards.
 * @example
 * ```ts
 * const count = foldFilter<number>(node, {
 *   comparison: () => 1,
 *   presence: () => 1,
 *   and: (operands) => operands.reduce((sum, each) => sum + each, 0),
 *   or: (operands) => operands.reduce((sum, each) => sum + each, 0),
 *   not: (operand) => operand,
 *   valuePath: (filter) => filter,
 * });
 * ```
 */
export function foldFilter<Result>(node: FilterNode, fold: FilterFold<Result>): Result {
  switch (node.kind) {
    case "comparison":
      return fold.comparison(node);
    case "presence":
      return fold.presence(node);
    case "and":
      return fold.and(foldAll(node.operands, fold), node);
    case "or":
      return fold.or(foldAll(node.operands, fold), node);
    case "not":
      return fold.not(foldFilter(node.operand, fold), node);
    case "valuePath":
      return fold.valuePath(foldFilter(node.filter, fold), node);
  }
}

/** What to do at each kind of node; where a function is missing, nothing. */
export interface FilterVisitor {
  comparison?(node: ComparisonNode): void;
  presence?(node: PresenceNode): void;
  and?(node: AndNode): void;
  or?(node: OrNode): void;
  not?(node: NotNode): void;
  valuePath?(node: ValuePathNode): void;
}

/** Calls a visitor at every node, each before the nodes below it, from left to right. */
export function visitFilter(node: FilterNode, visitor: FilterVisitor): void {
  switch (node.kind) {
    case "comparison":
      visitor.comparison?.(node);
      return;
    case "presence":
      visitor.presence?.(node);
      return;
    case "and":
      visitor.and?.(node);
      visitAll(node.operands, visitor);
      return;
    case "or":
      visitor.or?.(node);
      visitAll(node.operands, visitor);
      return;
    case "not":
      visitor.not?.(node);
      visitFilter(node.operand, visitor);
      return;
    case "valuePath":
      visitor.valuePath?.(node);
      visitFilter(node.filter, visitor);
      return;
  }
}

function foldAll<Result>(nodes: readonly FilterNode[], fold: FilterFold<Result>): readonly Result[] {
  return nodes.map((node) => foldFilter(node, fold));
}

function visitAll(nodes: readonly FilterNode[], visitor: FilterVisitor): void {
  for (const node of nodes) visitFilter(node, visitor);
}

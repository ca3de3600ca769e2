/**
 * Filters as expressions, which are joined by methods (RFC 7644 §3.4.2.2).
 * @module
 */
import { and, not, or, printFilter, type FilterNode } from "@scim/filter/ast";

/** A filter that was built. */
export class FilterExpression {
  /** The tree, as `@scim/filter/ast` has it. */
  readonly node: FilterNode;

  constructor(node: FilterNode) {
    this.node = node;
  }

  /** This and all others match. */
  and(...others: readonly FilterExpression[]): FilterExpression {
    return new FilterExpression(and(this.node, ...others.map(({ node }) => node)));
  }

  /** This or one of the others matches. */
  or(...others: readonly FilterExpression[]): FilterExpression {
    return new FilterExpression(or(this.node, ...others.map(({ node }) => node)));
  }

  /** This does not match. */
  not(): FilterExpression {
    return new FilterExpression(not(this.node));
  }

  /** The text of the filter. */
  toString(): string {
    return printFilter(this.node);
  }
}

/**
 * The tree of a filter and of a PATCH path (RFC 7644 §3.4.2.2, §3.5.2), without the parser.
 * @module
 */

/** Comparison operators of RFC 7644 §3.4.2.2 Table 3, `pr` aside. */
export type CompareOperator = "eq" | "ne" | "co" | "sw" | "ew" | "gt" | "ge" | "lt" | "le";

/** A JSON literal to compare with. */
export type Literal = string | number | boolean | null;

/** `[URN ":"] name ["." sub-attribute]`, spelled as the client wrote it. */
export interface AttributePath {
  readonly kind: "attributePath";
  /** Everything before the last colon, or null. */
  readonly urn: string | null;
  readonly attribute: string;
  readonly subAttribute: string | null;
}

/** `path op literal` */
export interface ComparisonNode {
  readonly kind: "comparison";
  readonly path: AttributePath;
  readonly operator: CompareOperator;
  readonly value: Literal;
}

/** `path pr` */
export interface PresenceNode {
  readonly kind: "presence";
  readonly path: AttributePath;
}

/** Two or more operands, all of which must match. */
export interface AndNode {
  readonly kind: "and";
  readonly operands: readonly FilterNode[];
}

/** Two or more operands, one of which must match. */
export interface OrNode {
  readonly kind: "or";
  readonly operands: readonly FilterNode[];
}

/** `not (operand)` */
export interface NotNode {
  readonly kind: "not";
  readonly operand: FilterNode;
}

/** `path[filter]`: one value of the attribute meets the whole filter. */
export interface ValuePathNode {
  readonly kind: "valuePath";
  readonly path: AttributePath;
  /** Paths in it are relative to the value: `type`, not `emails.type`. */
  readonly filter: FilterNode;
}

/** A filter. */
export type FilterNode = ComparisonNode | PresenceNode | AndNode | OrNode | NotNode | ValuePathNode;

/** The target of a PATCH operation: an attribute, some of its values, or a sub-attribute of these. */
export interface PatchPath {
  readonly kind: "patchPath";
  /** The attribute; its sub-attribute where the path has no value filter. */
  readonly path: AttributePath;
  /** The value filter between brackets, or null. */
  readonly filter: FilterNode | null;
  /** The sub-attribute behind a value filter, or null. */
  readonly subAttribute: string | null;
}

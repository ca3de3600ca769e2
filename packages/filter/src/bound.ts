/**
 * A filter whose names are resolved against a schema: what evaluators and SQL compilers read.
 * @module
 */
import type { CompareOperator } from "./ast/nodes.ts";

/** Data types that a filter can compare; `complex` can only be tested for presence. */
export type ComparableType =
  | "string"
  | "boolean"
  | "decimal"
  | "integer"
  | "dateTime"
  | "binary"
  | "reference"
  | "complex";

/** An attribute that a path names. `Handle` is the caller's own description of it. */
export interface BoundPath<Handle = unknown> {
  /** Member names from the resource (inside a value filter: from the value) to the attribute, in the schema's spelling. Empty: the value itself. */
  readonly keys: readonly string[];
  /** The full attribute path in the schema's spelling, for messages and look-ups. */
  readonly path: string;
  readonly type: ComparableType;
  readonly caseExact: boolean;
  /** Whether the path can lead to more than one value. */
  readonly multiValued: boolean;
  /** Whether a missing value reads as false (`primary`, RFC 7643 §2.4). */
  readonly missingIsFalse: boolean;
  readonly handle: Handle;
}

/**
 * A literal made ready for comparison, see `comparisonKey`: text (case-folded where the attribute is
 * not case exact; for instants, UTC with nine digits of fraction or more), number or boolean.
 */
export type ComparisonKey = string | number | boolean;

/** An attribute compared with a literal: `userName eq "ann"`. */
export interface BoundComparison<Handle = unknown> {
  readonly kind: "comparison";
  readonly target: BoundPath<Handle>;
  readonly operator: CompareOperator;
  /**
   * Never null: `eq null` and `ne null` are bound as presence. For `co`, `sw` and `ew` on a dateTime,
   * text to look for in the value's own text, case-folded where the attribute is not case exact.
   */
  readonly key: ComparisonKey;
}

/** Whether an attribute has a value: `title pr`. */
export interface BoundPresence<Handle = unknown> {
  readonly kind: "presence";
  readonly target: BoundPath<Handle>;
}

/** Whether all operands hold. */
export interface BoundAnd<Handle = unknown> {
  readonly kind: "and";
  readonly operands: readonly BoundFilter<Handle>[];
}

/** Whether an operand holds. */
export interface BoundOr<Handle = unknown> {
  readonly kind: "or";
  readonly operands: readonly BoundFilter<Handle>[];
}

/** Whether the operand does not hold. */
export interface BoundNot<Handle = unknown> {
  readonly kind: "not";
  readonly operand: BoundFilter<Handle>;
}

/** Whether one value of an attribute meets a filter: `emails[type eq "work"]`. */
export interface BoundValuePath<Handle = unknown> {
  readonly kind: "valuePath";
  readonly target: BoundPath<Handle>;
  /** Paths in it are relative to one value of the target. */
  readonly filter: BoundFilter<Handle>;
}

/** Always or never true: an attribute that the resource type does not have, in a query over several types. */
export interface BoundConstant {
  readonly kind: "constant";
  readonly value: boolean;
}

/** A filter with every name resolved and every literal checked against its attribute's type. */
export type BoundFilter<Handle = unknown> =
  | BoundComparison<Handle>
  | BoundPresence<Handle>
  | BoundAnd<Handle>
  | BoundOr<Handle>
  | BoundNot<Handle>
  | BoundValuePath<Handle>
  | BoundConstant;

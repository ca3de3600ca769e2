/**
 * `@scim/filter`: SCIM filters and PATCH paths. This file is the whole public surface.
 * @module
 */
export type {
  AndNode,
  AttributePath,
  CompareOperator,
  ComparisonNode,
  FilterNode,
  Literal,
  NotNode,
  OrNode,
  PatchPath,
  PresenceNode,
  ValuePathNode,
} from "./ast/nodes.ts";
export type {
  BoundAnd,
  BoundComparison,
  BoundConstant,
  BoundFilter,
  BoundNot,
  BoundOr,
  BoundPath,
  BoundPresence,
  BoundValuePath,
  ComparableType,
  ComparisonKey,
} from "./bound.ts";

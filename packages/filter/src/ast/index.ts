/**
 * `@scim/filter/ast`: the tree without the parser: no Chevrotain, no side effects.
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
} from "./nodes.ts";

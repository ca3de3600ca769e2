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
export {
  and,
  attributePath,
  co,
  compare,
  eq,
  ew,
  FilterBuildError,
  ge,
  gt,
  le,
  lt,
  ne,
  not,
  or,
  patchPath,
  present,
  sw,
  valuePath,
} from "./build.ts";
export type { FilterBuildErrorCode, PatchPathParts, PathInput } from "./build.ts";
export { printAttributePath, printFilter, printLiteral, printPatchPath } from "./print.ts";
export { foldFilter, visitFilter } from "./visit.ts";
export type { FilterFold, FilterVisitor } from "./visit.ts";

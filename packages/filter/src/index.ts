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
export {
  literalPlaces,
  parseAttributePath,
  parsedOrNull,
  parseFilter,
  parsePatchPath,
} from "./parse/parse.ts";
export type { LiteralPlace } from "./parse/parse.ts";
export { createFilterCache } from "./parse/cache.ts";
export type { CacheCounts, FilterCache, FilterCacheOptions } from "./parse/cache.ts";
export type { ParseOptions, Tolerance } from "./parse/options.ts";
export { FilterSyntaxError } from "./parse/syntax-error.ts";
export type { FilterSyntaxErrorCode } from "./parse/syntax-error.ts";
export { bindFilter, bindValueFilter } from "./bind/bind.ts";
export type { BindOptions } from "./bind/bind.ts";
export type { AttributeResolver, Resolution } from "./bind/resolver.ts";
export { FilterSemanticError } from "./bind/semantic-error.ts";
export type { FilterSemanticErrorCode } from "./bind/semantic-error.ts";
export { parseDateTime, utcInstant } from "./compare/date-time.ts";
export { composeText } from "./compare/fold.ts";
export { comparisonKey } from "./compare/key.ts";
export { compareKeys } from "./compare/order.ts";
export { compileFilter, evaluateFilter } from "./evaluate/evaluate.ts";
export type { ResourceTest } from "./evaluate/evaluate.ts";
export { comparePlaces, compareSortKeys, sortKeyOf } from "./evaluate/sort-key.ts";
export type { SortPath, SortPlace } from "./evaluate/sort-key.ts";

/**
 * `@scim/filter/evaluate`: tests and orders resources by bound filters and sorts, without the parser: no Chevrotain.
 * @module
 */
export type { BoundFilter, ComparisonKey } from "../bound.ts";
export { compileFilter } from "./evaluate.ts";
export type { ResourceTest } from "./evaluate.ts";
export { comparePlaces, compareSortKeys, sortKeyOf } from "./sort-key.ts";
export type { SortPath, SortPlace } from "./sort-key.ts";

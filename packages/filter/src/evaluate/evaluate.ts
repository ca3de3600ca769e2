/**
 * Decides whether a resource meets a bound filter (RFC 7644 §3.4.2.2; rules R7644-F-01 to F-25).
 * @module
 */
import type { BoundComparison, BoundFilter, BoundPath } from "../bound.ts";
import { valueTest } from "./comparison.ts";
import { isPresent, someValue } from "./values.ts";
import type { Walk } from "./values.ts";

/** Says of a resource, or of one value of an attribute for a value filter, whether it matches. */
export type ResourceTest = (resource: unknown) => boolean;

/**
 * Makes a test of a bound filter, for use on many resources. It never throws, whatever the resource
 * holds; a resource's member names must be in the schema's spelling.
 *
 * - A multi-valued attribute matches where any of its values does (R7644-F-10); `ne` where any differs
 *   (R7644-F-13).
 * - An attribute without a value meets no comparison but `ne` (R7644-F-04); a missing `primary` is false
 *   (R7644-F-06).
 * - null and `[]` are no values; `""` and `{}` do not count for `pr` (R7644-F-05).
 */
export function compileFilter(filter: BoundFilter): ResourceTest {
  switch (filter.kind) {
    case "comparison":
      return compileComparison(filter);
    case "presence":
      return compilePresence(filter.target);
    case "valuePath": {
      const test = compileFilter(filter.filter);
      const walk: Walk = { keys: filter.target.keys, missing: undefined };
      return (resource) => someValue(resource, walk, test);
    }
    case "not": {
      const test = compileFilter(filter.operand);
      return (resource) => !test(resource);
    }
    case "and": {
      const tests = filter.operands.map(compileFilter);
      return (resource) => tests.every((test) => test(resource));
    }
    case "or": {
      const tests = filter.operands.map(compileFilter);
      return (resource) => tests.some((test) => test(resource));
    }
    case "constant":
      return () => filter.value;
  }
}

/** Whether one resource meets a bound filter; see {@link compileFilter}, which is faster for many. */
export function evaluateFilter(filter: BoundFilter, resource: unknown): boolean {
  return compileFilter(filter)(resource);
}

function compileComparison(comparison: BoundComparison): ResourceTest {
  const { target, operator } = comparison;
  const walk: Walk = { keys: target.keys, missing: target.missingIsFalse ? false : undefined };
  const test = valueTest(comparison);
  if (operator !== "ne") return (resource) => someValue(resource, walk, test);
  return (resource) => someValue(resource, walk, test) || !someValue(resource, walk, () => true);
}

function compilePresence({ keys }: BoundPath): ResourceTest {
  const walk: Walk = { keys, missing: undefined };
  return (resource) => someValue(resource, walk, isPresent);
}

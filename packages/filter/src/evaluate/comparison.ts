/**
 * One comparison of a value with a literal.
 * @module
 */
import type { CompareOperator } from "../ast/nodes.ts";
import type { BoundComparison, ComparisonKey } from "../bound.ts";
import { comparisonKey, textKey } from "../compare/key.ts";
import { compareKeys } from "../compare/order.ts";

/** Compares a value's key with the literal's. */
type KeyTest = (key: ComparisonKey) => boolean;

/** A test of one value; a value that is not of the attribute's type only differs. */
export function valueTest({ target, operator, key }: BoundComparison): (value: unknown) => boolean {
  const test = keyTest(operator, key);
  const asText = target.type === "dateTime" && (operator === "co" || operator === "sw" || operator === "ew");
  return (value) => {
    const own = asText
      ? textOf(target.caseExact, value)
      : comparisonKey(target.type, target.caseExact, value);
    return own === undefined ? operator === "ne" : test(own);
  };
}

function textOf(caseExact: boolean, value: unknown): string | undefined {
  return typeof value === "string" ? textKey(caseExact, value) : undefined;
}

function keyTest(operator: CompareOperator, key: ComparisonKey): KeyTest {
  switch (operator) {
    case "eq":
      return (own) => own === key;
    case "ne":
      return (own) => own !== key;
    case "co":
      return (own) => String(own).includes(String(key));
    case "sw":
      return (own) => String(own).startsWith(String(key));
    case "ew":
      return (own) => String(own).endsWith(String(key));
    case "gt":
      return (own) => compareKeys(own, key) > 0;
    case "ge":
      return (own) => compareKeys(own, key) >= 0;
    case "lt":
      return (own) => compareKeys(own, key) < 0;
    case "le":
      return (own) => compareKeys(own, key) <= 0;
  }
}

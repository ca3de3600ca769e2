/**
 * Assertions of the contract, so that it needs no test runner.
 * @module
 */

/** A store that does not keep a rule. */
export class ContractViolation extends Error {
  override readonly name = "ContractViolation";
  readonly actual: unknown;
  readonly expected: unknown;

  constructor(what: string, actual: unknown, expected: unknown) {
    super(`${what}: got ${print(actual)}, expected ${print(expected)}`);
    this.actual = actual;
    this.expected = expected;
  }
}

/** Requires that two values are the same JSON; the order of an object's members does not count. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (print(actual) !== print(expected)) throw new ContractViolation(what, actual, expected);
}

/** Requires that a condition holds. */
export function expectTrue(condition: boolean, what: string): void {
  if (!condition) throw new ContractViolation(what, false, true);
}

/** Requires that a value is one of several. */
export function expectOneOf(actual: unknown, expected: readonly unknown[], what: string): void {
  if (!expected.some((each) => print(each) === print(actual)))
    throw new ContractViolation(what, actual, expected);
}

function print(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => sorted(member)) ?? "undefined";
}

function sorted(value: unknown): unknown {
  if (value instanceof Map) return sorted(Object.fromEntries(value));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Filters put together from parts of which some always or never hold.
 * @module
 */
import type { BoundConstant, BoundFilter } from "@scim/filter";

/** A filter that always or never holds. */
export function constantFilter(value: boolean): BoundConstant {
  return { kind: "constant", value };
}

/** One operand may decide: a false one of `and`, a true one of `or`. The opposite says nothing. */
export function joinedFilter<Handle>(
  kind: "and" | "or",
  operands: readonly BoundFilter<Handle>[],
): BoundFilter<Handle> {
  const deciding = kind === "or";
  if (operands.some((each) => each.kind === "constant" && each.value === deciding)) {
    return constantFilter(deciding);
  }
  const open = operands.filter((each) => each.kind !== "constant");
  const [only, ...others] = open;
  if (only === undefined) return constantFilter(!deciding);
  return others.length === 0 ? only : { kind, operands: open };
}

/** The opposite of a filter. */
export function negatedFilter<Handle>(operand: BoundFilter<Handle>): BoundFilter<Handle> {
  return operand.kind === "constant" ? constantFilter(!operand.value) : { kind: "not", operand };
}

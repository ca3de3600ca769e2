/**
 * Works out what a filter says of a resource type as a whole, so that a query over several types leaves alone
 * those in which nothing can match: `meta.resourceType eq "User"` (RFC 7644 §3.4.2.1).
 * @module
 */
import { evaluateFilter } from "@scim/filter";
import type { ResourceFilter } from "../../store/port.ts";

/** The filter with all that is the same for every resource of a type worked out. */
export function narrowToType(filter: ResourceFilter, type: string): ResourceFilter {
  switch (filter.kind) {
    case "comparison":
    case "presence":
      return filter.target.path === "meta.resourceType"
        ? constant(evaluateFilter(filter, { meta: { resourceType: type } }))
        : filter;
    case "and":
    case "or":
      return joined(
        filter.kind,
        filter.operands.map((operand) => narrowToType(operand, type)),
      );
    case "not":
      return negated(narrowToType(filter.operand, type));
    case "valuePath":
    case "constant":
      return filter;
  }
}

function constant(value: boolean): ResourceFilter {
  return { kind: "constant", value };
}

/** One operand may decide: a false one of `and`, a true one of `or`. The opposite says nothing. */
function joined(kind: "and" | "or", operands: readonly ResourceFilter[]): ResourceFilter {
  const deciding = kind === "or";
  if (operands.some((each) => each.kind === "constant" && each.value === deciding)) return constant(deciding);
  const open = operands.filter((each) => each.kind !== "constant");
  const [only, ...others] = open;
  if (only === undefined) return constant(!deciding);
  return others.length === 0 ? only : { kind, operands: open };
}

function negated(operand: ResourceFilter): ResourceFilter {
  return operand.kind === "constant" ? constant(!operand.value) : { kind: "not", operand };
}

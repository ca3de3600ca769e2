/**
 * Works out what a filter says of a resource type as a whole, so that a query over several types leaves alone
 * those in which nothing can match: `meta.resourceType eq "User"` (RFC 7644 §3.4.2.1).
 * @module
 */
import { evaluateFilter } from "@scim/filter";
import type { ResourceFilter } from "../../store/port.ts";
import { constantFilter, joinedFilter, negatedFilter } from "./constants.ts";

/** The filter with all that is the same for every resource of a type worked out. */
export function narrowToType(filter: ResourceFilter, type: string): ResourceFilter {
  switch (filter.kind) {
    case "comparison":
    case "presence":
      return filter.target.path === "meta.resourceType"
        ? constantFilter(evaluateFilter(filter, { meta: { resourceType: type } }))
        : filter;
    case "and":
    case "or":
      return joinedFilter(
        filter.kind,
        filter.operands.map((operand) => narrowToType(operand, type)),
      );
    case "not":
      return negatedFilter(narrowToType(filter.operand, type));
    case "valuePath":
    case "constant":
      return filter;
  }
}

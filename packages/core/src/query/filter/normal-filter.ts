/**
 * A filter as text that is the same for all spellings of it: spaces, parentheses and the letter case of names and
 * operators do not count.
 * @module
 */
import type { AttributePath, FilterNode } from "@scim/filter";
import { foldFilter, printFilter } from "@scim/filter/ast";

/** The text of a filter. */
export function normalFilter(filter: FilterNode): string {
  return printFilter(
    foldFilter<FilterNode>(filter, {
      comparison: (node) => ({ ...node, path: lowerCase(node.path) }),
      presence: (node) => ({ ...node, path: lowerCase(node.path) }),
      valuePath: (inner, node) => ({ ...node, path: lowerCase(node.path), filter: inner }),
      and: (operands) => ({ kind: "and", operands }),
      or: (operands) => ({ kind: "or", operands }),
      not: (operand) => ({ kind: "not", operand }),
    }),
  );
}

function lowerCase({ kind, urn, attribute, subAttribute }: AttributePath): AttributePath {
  return {
    kind,
    urn: urn?.toLowerCase() ?? null,
    attribute: attribute.toLowerCase(),
    subAttribute: subAttribute?.toLowerCase() ?? null,
  };
}

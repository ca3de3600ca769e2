/**
 * The tolerance `valuePathComparison`: a comparison behind a value filter moves into its brackets.
 * @module
 */
import type { AttributePath, FilterNode, ValuePathNode } from "../ast/nodes.ts";

/** The path of a sub-attribute within brackets. */
export function subAttributePath(name: string): AttributePath {
  return { kind: "attributePath", urn: null, attribute: name, subAttribute: null };
}

/**
 * `emails[type eq "work"].value eq "x"` → `emails[type eq "work" and value eq "x"]`. Where no
 * sub-attribute is named, `pr` asks for any value that meets the filter, which the filter does already.
 */
export function withinValueFilter(
  node: ValuePathNode,
  comparison: FilterNode,
  named: boolean,
): ValuePathNode {
  if (!named && comparison.kind === "presence") return node;
  const { filter } = node;
  const operands = filter.kind === "and" ? [...filter.operands, comparison] : [filter, comparison];
  return { kind: "valuePath", path: node.path, filter: { kind: "and", operands } };
}

/**
 * Writes trees as text: the inverse of the parser, `parseFilter(printFilter(node))` gives `node` back.
 * @module
 */
import type { AttributePath, FilterNode, Literal, PatchPath } from "./nodes.ts";

/**
 * Writes a filter with as few parentheses as the tree needs.
 * @example
 * ```ts
 * printFilter(and(eq("userType", "Employee"), not(present("title"))));
 * // 'userType eq "Employee" and not (title pr)'
 * ```
 */
export function printFilter(node: FilterNode): string {
  switch (node.kind) {
    case "comparison":
      return `${printAttributePath(node.path)} ${node.operator} ${printLiteral(node.value)}`;
    case "presence":
      return `${printAttributePath(node.path)} pr`;
    case "valuePath":
      return `${printAttributePath(node.path)}[${printFilter(node.filter)}]`;
    case "not":
      return `not (${printFilter(node.operand)})`;
    case "and":
      return node.operands
        .map((operand) => grouped(operand, operand.kind === "and" || operand.kind === "or"))
        .join(" and ");
    case "or":
      return node.operands.map((operand) => grouped(operand, operand.kind === "or")).join(" or ");
  }
}

/** Writes the path of a PATCH operation: `emails[type eq "work"].value`. */
export function printPatchPath(node: PatchPath): string {
  const filter = node.filter === null ? "" : `[${printFilter(node.filter)}]`;
  const subAttribute = node.subAttribute === null ? "" : `.${node.subAttribute}`;
  return `${printAttributePath(node.path)}${filter}${subAttribute}`;
}

/** Writes an attribute path: `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value`. */
export function printAttributePath(node: AttributePath): string {
  const urn = node.urn === null ? "" : `${node.urn}:`;
  const subAttribute = node.subAttribute === null ? "" : `.${node.subAttribute}`;
  return `${urn}${node.attribute}${subAttribute}`;
}

/** Writes a value as the filter grammar has it: JSON. */
export function printLiteral(value: Literal): string {
  return JSON.stringify(value);
}

function grouped(node: FilterNode, parentheses: boolean): string {
  return parentheses ? `(${printFilter(node)})` : printFilter(node);
}

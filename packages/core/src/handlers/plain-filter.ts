/**
 * The filter of a query as a handler reads it: a tree of attribute names and literals.
 * @module
 */
import type { AttributePath, BoundPath, FilterNode } from "@scim/filter";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceFilter } from "../store/port.ts";

/** A filter; a constant where nothing of it depends on a resource. */
export type PlainFilter = FilterNode | boolean;

/** The tree of a bound filter, names in the schema's spelling. */
export function plainFilter(filter: ResourceFilter): PlainFilter {
  return plain(filter, pathOf);
}

type NamePath = (target: BoundPath<AttributeNode>) => AttributePath;

function plain(filter: ResourceFilter, nameOf: NamePath): PlainFilter {
  switch (filter.kind) {
    case "comparison": {
      const { operator, key } = filter;
      return { kind: "comparison", path: nameOf(filter.target), operator, value: key };
    }
    case "presence":
      return { kind: "presence", path: nameOf(filter.target) };
    case "constant":
      return filter.value;
    case "not": {
      const operand = plain(filter.operand, nameOf);
      return typeof operand === "boolean" ? !operand : { kind: "not", operand };
    }
    case "valuePath": {
      const inner = plain(filter.filter, innerPath);
      if (typeof inner !== "boolean")
        return { kind: "valuePath", path: nameOf(filter.target), filter: inner };
      return inner && { kind: "presence", path: nameOf(filter.target) };
    }
    case "and":
    case "or":
      return joined(
        filter.kind,
        filter.operands.map((operand) => plain(operand, nameOf)),
      );
  }
}

function joined(kind: "and" | "or", operands: readonly PlainFilter[]): PlainFilter {
  const deciding = kind === "or";
  if (operands.includes(deciding)) return deciding;
  const open = operands.filter((each) => typeof each !== "boolean");
  const [only, ...others] = open;
  if (only === undefined) return !deciding;
  return others.length === 0 ? only : { kind, operands: open };
}

/** `urn:…:User:manager.value`, `name.givenName`. */
function pathOf({ handle }: BoundPath<AttributeNode>): AttributePath {
  const { parent, extension, attribute } = handle;
  return {
    kind: "attributePath",
    urn: extension,
    attribute: parent === null ? attribute.name : parent.attribute.name,
    subAttribute: parent === null ? null : attribute.name,
  };
}

/** Within brackets, a name is that of a sub-attribute; `value` stands for a plain value itself. */
function innerPath({ keys }: BoundPath<AttributeNode>): AttributePath {
  return { kind: "attributePath", urn: null, attribute: keys[0] ?? "value", subAttribute: null };
}

/**
 * What a query reads of a resource beside its own JSON: for stores that give candidates.
 * @module
 */
import type { BoundPath } from "@scim/filter";
import type { AttributeNode } from "../model/attribute-node.ts";
import { joinedIds } from "../query/filter/joined-ids.ts";
import type { ReadSelection, ResourceFilter, StoreQuery } from "./port.ts";

/** The attribute of the resource that a node is or belongs to. */
export function topAttribute(node: AttributeNode): AttributeNode {
  return node.parent === null ? node : topAttribute(node.parent);
}

/** The collections and inverses that the filter and the sort key of a query read. */
export function queryReads({ filter, sort, select }: StoreQuery): ReadSelection {
  const filtered = (filter === null ? [] : attributesOf(filter)).map(topAttribute);
  const sorted = sort === null ? [] : [topAttribute(sort.target.handle)];
  const paths = new Set([...filtered, ...sorted].map(({ path }) => path));
  const collections = pathsOfCollections([...filtered, ...sorted.filter(hasPrimary)]);
  return {
    collections,
    first: pathsOfCollections(sorted).filter((path) => !collections.includes(path)),
    inverses: select.inverses.filter(({ inverse }) => paths.has(inverse.node.path)),
  };
}

function pathsOfCollections(nodes: readonly AttributeNode[]): readonly string[] {
  return [...new Set(nodes.filter(({ storage }) => storage === "collection").map(({ path }) => path))];
}

/** Whether one of the values of an attribute may be the primary, which sorts wherever it stands (RFC 7644 §3.4.2.3). */
export function hasPrimary({ subAttributes }: AttributeNode): boolean {
  return subAttributes.has("primary");
}

/** The attributes that a filter names, before brackets and in them. */
export function attributesOf(filter: ResourceFilter): readonly AttributeNode[] {
  switch (filter.kind) {
    case "comparison":
    case "presence":
      return [filter.target.handle];
    case "valuePath":
      return [filter.target.handle, ...attributesOf(filter.filter)];
    case "and":
    case "or":
      return filter.operands.flatMap(attributesOf);
    case "not":
      return attributesOf(filter.operand);
    case "constant":
      return [];
  }
}

/**
 * The ids one of which has every reference that meets a filter on references, such as `value eq "x" and type eq "User"` in the
 * brackets of `members[…]`; null where it does not tell them.
 */
export function namedIds(filter: ResourceFilter): readonly string[] | null {
  switch (filter.kind) {
    case "comparison":
      return filter.operator === "eq" && isReferenceValue(filter.target) ? [String(filter.key)] : null;
    case "and":
    case "or":
      return joinedIds(filter.kind, filter.operands.map(namedIds));
    case "valuePath":
      return namedIds(filter.filter);
    default:
      return null;
  }
}

/** Whether what is compared is the id that a reference holds, letter by letter. */
export function isReferenceValue({ handle, caseExact }: BoundPath<AttributeNode>): boolean {
  return caseExact && handle.parent !== null && handle.attribute.name === "value";
}

/**
 * What a query reads of a resource beside its own JSON: for stores that give candidates.
 * @module
 */
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ReadSelection, ResourceFilter, StoreQuery } from "./port.ts";

/** The attribute of the resource that a node is or belongs to. */
export function topAttribute(node: AttributeNode): AttributeNode {
  return node.parent === null ? node : topAttribute(node.parent);
}

/** The collections and inverses that the filter and the sort key of a query read. */
export function queryReads({ filter, sort, select }: StoreQuery): ReadSelection {
  const nodes = [
    ...(filter === null ? [] : attributesOf(filter)),
    ...(sort === null ? [] : [sort.target.handle]),
  ].map(topAttribute);
  const paths = new Set(nodes.map((node) => node.path));
  return {
    collections: [...new Set(nodes.filter((node) => node.storage === "collection").map((node) => node.path))],
    inverses: select.inverses.filter(({ inverse }) => paths.has(inverse.node.path)),
  };
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

/**
 * What a filter or a sort key reads beside the resource's own JSON.
 * @module
 */
import type { AttributeNode, AttributeStorage, ReadSelection, ResourceFilter, StoreQuery } from "@scim/core";

/** The top attribute that a node belongs to, and how its values are kept. */
export function storageOf(node: AttributeNode): {
  readonly top: AttributeNode;
  readonly storage: AttributeStorage;
} {
  let top = node;
  while (top.parent !== null) top = top.parent;
  return { top, storage: top.storage };
}

/** The collections and inverses that a query's filter and sort key read, for candidates. */
export function readByFilter({ filter, sort, select }: StoreQuery): ReadSelection {
  const nodes = [...(filter === null ? [] : nodesOf(filter)), ...(sort === null ? [] : [sort.target.handle])];
  const tops = nodes.map(storageOf);
  const inverses = new Set(tops.filter(({ storage }) => storage === "inverse").map(({ top }) => top.path));
  const collections = tops.filter(({ storage }) => storage === "collection").map(({ top }) => top.path);
  return {
    collections: [...new Set(collections)],
    inverses: select.inverses.filter(({ inverse }) => inverses.has(inverse.node.path)),
  };
}

function nodesOf(filter: ResourceFilter): readonly AttributeNode[] {
  switch (filter.kind) {
    case "comparison":
    case "presence":
    case "valuePath":
      return [filter.target.handle];
    case "and":
    case "or":
      return filter.operands.flatMap(nodesOf);
    case "not":
      return nodesOf(filter.operand);
    case "constant":
      return [];
  }
}

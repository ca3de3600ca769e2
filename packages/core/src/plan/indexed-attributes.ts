/**
 * The attributes of a resource type whose entries a write brings: those that the store's catalog of indexes names, or
 * those of the schema where a store keeps none.
 * @module
 */
import type { AttributeNode } from "../model/attribute-node.ts";
import { isIndexable, nodesByPath } from "../model/indexable.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { IndexCatalog, TypeIndexes } from "../store/index-catalog.ts";

/** The attributes to index. */
export interface IndexedAttributes {
  readonly nodes: readonly AttributeNode[];
  /** Revision of the catalog that they cover; null where an attribute of it is not known here. */
  readonly revision: number | null;
}

const known = new WeakMap<TypeIndexes, WeakMap<ResourceModel, IndexedAttributes>>();

/** The attributes to index of a resource type of a tenant. */
export function indexedAttributes(
  model: ResourceModel,
  catalog: IndexCatalog | undefined,
  tenant: string,
): IndexedAttributes {
  if (catalog === undefined) return { nodes: model.indexed, revision: null };
  const indexes = catalog.of(tenant, model.name);
  const byModel = known.get(indexes) ?? new WeakMap<ResourceModel, IndexedAttributes>();
  known.set(indexes, byModel);
  const found = byModel.get(model) ?? attributesOf(model, indexes);
  byModel.set(model, found);
  return found;
}

function attributesOf(model: ResourceModel, { declared, always, revision }: TypeIndexes): IndexedAttributes {
  const nodes = indexableNodes(model, declared);
  const others = always
    .map((path) => nodesByPath(model).get(path.toLowerCase()))
    .filter((node) => node !== undefined)
    .filter(isIndexable);
  return {
    nodes: [...new Set([...others, ...(nodes ?? [])])],
    revision: nodes === null ? null : revision,
  };
}

/** The attributes of paths; null where one is not known, or cannot have an index here. */
export function indexableNodes(
  model: ResourceModel,
  paths: readonly string[],
): readonly AttributeNode[] | null {
  const byPath = nodesByPath(model);
  const nodes = paths
    .map((path) => byPath.get(path.toLowerCase()))
    .filter((node) => node !== undefined)
    .filter(isIndexable);
  return nodes.length === paths.length ? nodes : null;
}

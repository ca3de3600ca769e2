/**
 * Reference collections apart from the rest of a resource, and how they differ between two states.
 * @module
 */
import { equalInList } from "../attributes/equal.ts";
import {
  copyObject,
  isMutableObject,
  ownMutable,
  type MutableObject,
  type MutableValue,
} from "../attributes/json-object.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { ReferenceValue } from "../store/stored-resource.ts";
import type { CollectionDelta } from "../store/write-plan.ts";

/** Values of collections, by collection. */
export type CollectionValues = ReadonlyMap<AttributeNode, readonly ReferenceValue[]>;

/**
 * Takes the values of all collections out of a resource, in place. An extension that holds references alone stays
 * as an empty object: so it is known that the resource has it.
 */
export function takeCollections(model: ResourceModel, resource: MutableObject): CollectionValues {
  const taken = new Map<AttributeNode, readonly ReferenceValue[]>();
  for (const { node } of model.collections) {
    const holder = holderOf(node, resource);
    const values = holder?.[node.attribute.name];
    if (holder === undefined || values === undefined) continue;
    taken.set(node, Array.isArray(values) ? values.flatMap(toReference) : []);
    delete holder[node.attribute.name];
  }
  return taken;
}

/** Puts values of collections into a resource, in place. */
export function putCollections(values: CollectionValues, resource: MutableObject): void {
  for (const [node, references] of values) {
    if (references.length === 0) continue;
    const holder = holderOf(node, resource) ?? {};
    if (node.extension !== null) resource[node.extension] = holder;
    holder[node.attribute.name] = references.map(({ value, rest }) => ({ value, ...copyObject(rest) }));
  }
}

function holderOf(node: AttributeNode, resource: MutableObject): MutableObject | undefined {
  if (node.extension === null) return resource;
  const held = ownMutable(resource, node.extension);
  return isMutableObject(held) ? held : undefined;
}

/** One value of a collection; none where it names nothing. */
export function toReference(value: MutableValue): readonly ReferenceValue[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const { value: id, ...rest } = value;
  return typeof id === "string" ? [{ value: id, rest }] : [];
}

/** How collections change from the known values to the wanted ones. A new order alone is no change. */
export function collectionDeltas(
  known: CollectionValues,
  wanted: CollectionValues,
): readonly CollectionDelta[] {
  const deltas: CollectionDelta[] = [];
  if (known.size === 0 && wanted.size === 0) return deltas;
  for (const node of new Set([...known.keys(), ...wanted.keys()])) {
    const before = new Map((known.get(node) ?? []).map((reference) => [reference.value, reference]));
    const after = new Map((wanted.get(node) ?? []).map((reference) => [reference.value, reference]));
    const remove = [...before.keys()].filter((value) => !after.has(value));
    const add = [...after.values()].filter((reference) => {
      const same = before.get(reference.value);
      return same === undefined || !equalInList(same.rest, reference.rest);
    });
    if (remove.length > 0 || add.length > 0) deltas.push({ path: node.path, remove, add });
  }
  return deltas;
}

/** Values in the order that the store gives them once the change is made: those that stay first, then new ones. */
export function inStoredOrder(
  known: readonly ReferenceValue[],
  wanted: readonly ReferenceValue[],
): readonly ReferenceValue[] {
  const after = new Map(wanted.map((reference) => [reference.value, reference]));
  const before = new Set(known.map((reference) => reference.value));
  const kept = known
    .map((reference) => after.get(reference.value))
    .filter((reference) => reference !== undefined);
  return [...kept, ...wanted.filter((reference) => !before.has(reference.value))];
}

/**
 * The difference between two states of a resource, as the PATCH operations that lead from one to the other
 * (RFC 7644 §3.5.2). Values that are never returned have no place in it.
 * @module
 */
import {
  isJsonArray,
  isJsonObject,
  referencedTypes,
  type JsonObject,
  type JsonValue,
  type PatchOperation,
} from "@scim/schemas";
import { equalValues } from "../../attributes/equal.ts";
import { own } from "../../attributes/json-object.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import type { ReferenceValue } from "../../store/stored-resource.ts";
import type { CollectionDelta } from "../../store/write-plan.ts";

/** How members of an object change: the attributes of a resource or an extension, or the parts of a complex value. */
export function memberDifference(
  nodes: ReadonlyMap<string, AttributeNode>,
  before: JsonObject,
  after: JsonObject,
): readonly PatchOperation[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const node = nodes.get(name.toLowerCase());
    return node === undefined ? [] : valueDifference(node, own(before, name), own(after, name));
  });
}

function valueDifference(
  node: AttributeNode,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly PatchOperation[] {
  if (node.attribute.returned === "never" || equalValues(before, after)) return [];
  const path = node.path;
  const isExtension = node.extension === path;
  if (isExtension && after === undefined && holdsRequired(node, before)) return [{ op: "remove", path }];
  if (isExtension) return memberDifference(node.subAttributes, objectOf(before), objectOf(after));
  if (isJsonObject(before) && isJsonObject(after) && !isAnother(node, before, after))
    return removingLast(memberDifference(node.subAttributes, before, after));
  if (after === undefined) return [{ op: "remove", path }];
  return [{ op: before === undefined ? "add" : "replace", path, value: shown(node, after) }];
}

/** The same operations, in an order in which a required value never loses its last part before it gets another. */
function removingLast(operations: readonly PatchOperation[]): readonly PatchOperation[] {
  const isRemoval = ({ op }: PatchOperation): boolean => op === "remove";
  return [...operations.filter((each) => !isRemoval(each)), ...operations.filter(isRemoval)];
}

/** Whether an extension holds what it requires: that goes with the whole of it alone. */
function holdsRequired(extension: AttributeNode, values: JsonValue | undefined): boolean {
  return Object.keys(objectOf(values)).some(
    (name) => extension.subAttributes.get(name.toLowerCase())?.attribute.required === true,
  );
}

/** Whether a reference names another resource: whatever described the one before goes with it. */
function isAnother(node: AttributeNode, before: JsonObject, after: JsonObject): boolean {
  return (
    referencedTypes(node.attribute).length > 0 && !equalValues(own(before, "value"), own(after, "value"))
  );
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value without parts that are never returned. */
function shown(node: AttributeNode, value: JsonValue): JsonValue {
  if (node.subAttributes.size === 0) return value;
  if (isJsonArray(value)) return value.map((each) => shown(node, each));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name]) => node.subAttributes.get(name.toLowerCase())?.attribute.returned !== "never",
    ),
  );
}

/**
 * How a collection changes. `known` are the values that are there and come again with something else beside them:
 * these go first, since what stands beside a value cannot be changed.
 */
export function collectionDifference(
  { path, remove, add }: CollectionDelta,
  known: readonly ReferenceValue[],
): readonly PatchOperation[] {
  const removed: readonly PatchOperation[] =
    remove === "all"
      ? [{ op: "remove", path }]
      : [...remove, ...known.map(({ value }) => value)].map((value) => ({
          op: "remove",
          path: `${path}[value eq ${JSON.stringify(value)}]`,
        }));
  if (add.length === 0) return removed;
  return [...removed, { op: "add", path, value: add.map(({ value, rest }) => ({ value, ...rest })) }];
}

/**
 * Which values of reference collections a PATCH must know: those that its paths and values name, and only where
 * an operation speaks of all of them, every one. So adding one member costs the same in every group.
 * @module
 */
import { isJsonObject, isJsonArray, type JsonValue } from "@scim/schemas";
import { idInAddress } from "../attributes/reference.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { BoundOperation } from "./apply.ts";
import { namedId } from "./coalesce.ts";
import { makesPrimary } from "./makes-primary.ts";
import { nestedValue } from "./multi-valued.ts";

/** The values of a collection that must be read. */
export type CollectionNeed = readonly string[] | "all";

/** The needs of bound operations, by collection. */
export function collectionNeeds(
  operations: readonly BoundOperation[],
): ReadonlyMap<AttributeNode, CollectionNeed> {
  const needs = new Map<AttributeNode, Set<string> | "all">();
  for (const operation of operations) {
    const node = operation.target.attribute;
    if (node.storage !== "collection") continue;
    const known = needs.get(node);
    if (known === "all") continue;
    const named = namedValues(operation);
    needs.set(node, named === "all" ? "all" : new Set([...(known ?? []), ...named]));
  }
  return new Map([...needs].map(([node, need]) => [node, need === "all" ? need : [...need]]));
}

function namedValues(operation: BoundOperation): readonly string[] | "all" {
  const { target, change } = operation;
  if (makesPrimary(operation)) return "all";
  if (target.filter !== null) {
    const id = namedId(target.filter.written);
    return id === null ? "all" : [id];
  }
  if (target.sub !== null || change.op === "replace") return "all";
  if (change.value === undefined || change.value === null) return change.op === "add" ? [] : "all";
  const nested = change.op === "remove" ? nestedValue(target.attribute, change.value) : undefined;
  return idsIn(nested ?? change.value) ?? "all";
}

/** The ids in a list of references; null where one is told by neither its `value` nor its address. */
function idsIn(value: JsonValue): readonly string[] | null {
  const ids: string[] = [];
  for (const each of isJsonArray(value) ? value : [value]) {
    const id = isJsonObject(each) ? idOf(each) : each;
    if (typeof id !== "string") return null;
    ids.push(id);
  }
  return ids;
}

function idOf(reference: Readonly<Record<string, JsonValue>>): JsonValue | undefined {
  return memberIn(reference, "value") ?? idInAddress(memberIn(reference, "$ref"));
}

function memberIn(object: Readonly<Record<string, JsonValue>>, lowerName: string): JsonValue | undefined {
  const name = Object.keys(object).find((each) => each.toLowerCase() === lowerName);
  return name === undefined ? undefined : object[name];
}

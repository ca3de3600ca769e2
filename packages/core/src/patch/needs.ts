/**
 * Which values of reference collections a PATCH must know: those that its paths and values name, and only where
 * operations select among all of them, every one. So adding one member costs the same in every group.
 * @module
 */
import type { FilterNode } from "@scim/filter/ast";
import { isJsonObject, isJsonArray, type JsonValue } from "@scim/schemas";
import { idInAddress } from "../attributes/reference.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { BoundOperation } from "./apply.ts";
import { namedId } from "./coalesce.ts";
import { makesPrimary } from "./makes-primary.ts";
import { nestedValue } from "./multi-valued.ts";
import type { PatchTarget } from "./target.ts";

/** Whether a filter selects a value. */
type ResourceTest = NonNullable<PatchTarget["filter"]>["matches"];

/**
 * The values of a collection that must be read. `whole`: the one operation on it says all that it will hold, so that they count
 * only for what changes.
 */
export type CollectionNeed = SomeValues | "all" | "whole";

/** Values of a collection: those of some ids, and those that a removal selects. */
export interface SomeValues {
  readonly ids: readonly string[];
  /** Tests of values, few of them: what passes one is removed. */
  readonly selected: readonly ResourceTest[];
}

/** Most tests that go through a collection value by value; with more, all values are read. */
const MOST_TESTS = 8;

/** The needs of bound operations, by collection. */
export function collectionNeeds(
  operations: readonly BoundOperation[],
): ReadonlyMap<AttributeNode, CollectionNeed> {
  const needs = new Map<AttributeNode, { ids: Set<string>; selected: ResourceTest[] } | "all" | "whole">();
  for (const operation of operations) {
    const node = operation.target.attribute;
    if (node.storage !== "collection") continue;
    const before = needs.get(node);
    const needed = before === "all" ? before : neededBy(operation);
    if (before === undefined && needed === "whole") {
      needs.set(node, needed);
      continue;
    }
    if (typeof before === "string" || typeof needed === "string") {
      needs.set(node, "all");
      continue;
    }
    const known = before ?? { ids: new Set(), selected: [] };
    for (const id of needed.ids) known.ids.add(id);
    known.selected.push(...needed.selected);
    needs.set(node, known.selected.length > MOST_TESTS ? "all" : known);
  }
  return new Map(
    [...needs].map(([node, need]) => [
      node,
      typeof need === "string" ? need : { ...need, ids: [...need.ids] },
    ]),
  );
}

function neededBy(operation: BoundOperation): CollectionNeed {
  const { target, change } = operation;
  if (makesPrimary(operation)) return "all";
  if (target.filter !== null) {
    const ids = idsOf(target.filter.written);
    if (ids !== null) return { ids, selected: [] };
    // What a removal does not select stays as it is. What is set may have to be told from all others.
    return change.op === "remove" ? { ids: [], selected: [target.filter.matches] } : "all";
  }
  if (target.sub !== null) return "all";
  if (change.op === "replace") return "whole";
  if (change.value === undefined || change.value === null)
    return change.op === "add" ? { ids: [], selected: [] } : "whole";
  const nested = change.op === "remove" ? nestedValue(target.attribute, change.value) : undefined;
  const ids = idsIn(nested ?? change.value);
  return ids === null ? "all" : { ids, selected: [] };
}

/** The ids of all values that a filter may select; null where it does not tell them. */
function idsOf(filter: FilterNode): readonly string[] | null {
  if (filter.kind === "and") return filter.operands.map(idsOf).find((ids) => ids !== null) ?? null;
  if (filter.kind === "or") {
    const ids = filter.operands.map(idsOf);
    return ids.every((each) => each !== null) ? ids.flat() : null;
  }
  const id = namedId(filter);
  return id === null ? null : [id];
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

/**
 * Which values of a reference collection a PATCH must know: those that its paths and values name, and only where
 * an operation speaks of all of them, every one. So adding one member costs the same in every group.
 * @module
 */
import type { FilterNode } from "@scim/filter/ast";
import { isJsonObject, isJsonArray, type JsonValue } from "@scim/schemas";
import { idInAddress, isAddress } from "../attributes/reference.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { joinedIds } from "../query/filter/joined-ids.ts";
import type { BoundOperation } from "./apply.ts";
import { namedId } from "./coalesce.ts";
import { makesPrimary } from "./makes-primary.ts";
import { nestedValue } from "./multi-valued.ts";
import { isUnassigned } from "./singular.ts";
import type { PatchTarget } from "./target.ts";

/** Whether a filter selects a value. */
type ResourceTest = NonNullable<PatchTarget["filter"]>["matches"];

/** The values of a collection that must be read. */
export type CollectionNeed = SomeValues | "all";

/** Values of a collection: those of some ids, and those that operations select. */
export interface SomeValues {
  readonly ids: readonly string[];
  /** Tests of values, few of them: what passes one is removed, or changed. */
  readonly selected: readonly ResourceTest[];
}

/** Most tests that go through a collection value by value; with more, all values are read. */
const MOST_TESTS = 8;

/** What the operations on one collection need. */
export function collectionNeed(operations: readonly BoundOperation[]): CollectionNeed {
  const ids = new Set<string>();
  const selected: ResourceTest[] = [];
  for (const operation of operations) {
    const needed = neededBy(operation);
    if (needed === "all") return "all";
    for (const id of needed.ids) ids.add(id);
    selected.push(...needed.selected);
    if (selected.length > MOST_TESTS) return "all";
  }
  return { ids: [...ids], selected };
}

function neededBy(operation: BoundOperation): CollectionNeed {
  const { target, change } = operation;
  if (makesPrimary(operation)) return "all";
  if (target.filter !== null) {
    // What is not selected stays as it is, and can only be what is made, or what a selected value becomes.
    const brought = change.op === "remove" ? [] : idsBrought(operation);
    if (brought === null) return "all";
    const ids = idsOf(target.filter.written);
    return ids === null
      ? { ids: brought, selected: [target.filter.matches] }
      : { ids: [...ids, ...brought], selected: [] };
  }
  if (target.sub !== null || change.op === "replace") return "all";
  if (change.value === undefined || change.value === null)
    return change.op === "add" ? { ids: [], selected: [] } : "all";
  const nested = change.op === "remove" ? nestedValue(target.attribute, change.value) : undefined;
  const ids = idsIn(nested ?? change.value);
  return ids === null ? "all" : { ids, selected: [] };
}

/**
 * Whether an operation changes values one by one: what becomes of a value tells nothing of others, and it stays the same
 * reference.
 */
export function isPiecewise(operation: BoundOperation): boolean {
  const { target, change } = operation;
  const { attribute, filter, sub } = target;
  if (filter === null && sub === null) return false;
  if (sub !== null && (sub.attribute.name.toLowerCase() === "value" || isAddress(attribute, sub)))
    return false;
  if (change.op === "remove") return true;
  // With an id it could make a value, where it selects none.
  const isNamed = filter !== null && idsOf(filter.written) !== null;
  return !isNamed && idsBrought(operation)?.length === 0;
}

/** The ids that an operation gives to the values that it sets; null where it does not tell them. */
function idsBrought({ target, change }: BoundOperation): readonly string[] | null {
  const { attribute, sub } = target;
  // Of one that is immutable, the whole is compared.
  if (attribute.attribute.mutability === "immutable") return null;
  if (sub === null) return isUnassigned(change.value) ? [] : idsInPart(change.value);
  if (isAddress(attribute, sub)) return null;
  return isId(sub) ? idsInPart({ value: change.value ?? null }) : [];
}

/** The id in parts of a reference; null where they are no object, or may tell it in another way. */
function idsInPart(part: JsonValue | undefined): readonly string[] | null {
  if (!isJsonObject(part)) return null;
  const id = memberIn(part, "value") ?? null;
  if (id !== null) return typeof id === "string" ? [id] : null;
  return (memberIn(part, "$ref") ?? null) === null ? [] : null;
}

/** Whether a sub-attribute is what references are known by. */
function isId({ attribute }: AttributeNode): boolean {
  return attribute.name.toLowerCase() === "value";
}

/** The ids of all values that a filter may select; null where it does not tell them. */
function idsOf(filter: FilterNode): readonly string[] | null {
  if (filter.kind === "and" || filter.kind === "or")
    return joinedIds(filter.kind, filter.operands.map(idsOf));
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

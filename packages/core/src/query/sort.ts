/**
 * Reads `sortBy` and `sortOrder`, and orders resources in memory (RFC 7644 §3.4.2.3).
 * @module
 */
import {
  comparisonKey,
  compareKeys,
  FilterSyntaxError,
  parseAttributePath,
  type ComparisonKey,
} from "@scim/filter";
import { isJsonObject, isJsonArray, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { own, valueAt } from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { findAttribute, type FoundAttribute } from "../model/find-attribute.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { StoreQuery } from "../store/port.ts";
import { boundPath } from "./bind.ts";

/** A sort as the store takes it. */
export type Sort = NonNullable<StoreQuery["sort"]>;

/** The sort parameters of a query; null where not given. */
export interface SortRequest {
  readonly sortBy: string | null;
  readonly sortOrder: string | null;
}

/**
 * Reads the sort of a query; null where it names none.
 * @throws ScimError `invalidValue` for an attribute that cannot be sorted by, or an unknown order
 */
export function readSort(model: ResourceModel, request: SortRequest, context: RequestContext): Sort | null {
  const { sortBy, sortOrder } = request;
  const order = sortOrder?.toLowerCase() ?? "ascending";
  if (order !== "ascending" && order !== "descending") {
    throw new ScimError("invalidValue", "'sortOrder' must be 'ascending' or 'descending'.");
  }
  if (sortBy === null) return null;
  const node = sortable(find(model, sortBy, context));
  if (node === null) {
    throw new ScimError(
      "invalidValue",
      `'sortBy' must name an attribute of ${model.name} that holds plain values and is returned.`,
    );
  }
  return { target: boundPath(node, node.keys), descending: order === "descending" };
}

function find(model: ResourceModel, sortBy: string, context: RequestContext): FoundAttribute | null {
  try {
    const found = findAttribute(model, parseAttributePath(sortBy));
    if (found?.unqualified !== true) return found;
    if (!context.profile.switches.has("unqualified-extension-names")) return null;
    context.onSwitch("unqualified-extension-names", found.node.path);
    return found;
  } catch (error) {
    if (error instanceof FilterSyntaxError) return null;
    throw error;
  }
}

/** A multi-valued complex attribute is sorted by its `value`. */
function sortable(found: FoundAttribute | null): AttributeNode | null {
  if (found === null || found.node.attribute.returned === "never") return null;
  const { node } = found;
  if (node.attribute.type !== "complex") return node;
  return node.attribute.multiValued ? (node.subAttributes.get("value") ?? null) : null;
}

/** What a resource is ordered by: of several values the primary one, else the first; undefined without value. */
export function sortKey(sort: Sort, resource: JsonObject): ComparisonKey | undefined {
  const { handle: node } = sort.target;
  const parent = node.parent;
  if (parent?.attribute.multiValued !== true) return keyOf(node, firstOf(valueAt(resource, node.keys)));
  const values = valueAt(resource, parent.keys);
  const list = isJsonArray(values) ? values.filter(isJsonObject) : [];
  const chosen = list.find((value) => own(value, "primary") === true) ?? list[0];
  return chosen === undefined ? undefined : keyOf(node, own(chosen, node.attribute.name));
}

function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(value) ? value[0] : value;
}

function keyOf(node: AttributeNode, value: JsonValue | undefined): ComparisonKey | undefined {
  if (value === undefined || value === null) return undefined;
  return comparisonKey(node.attribute.type, node.attribute.caseExact, value);
}

/** A resource in an ordered list. */
export interface Ordered {
  readonly id: string;
  readonly key: ComparisonKey | undefined;
}

/** Orders by key, resources without one last (descending: first), and those that are equal by id. */
export function compareOrdered(left: Ordered, right: Ordered, descending: boolean): number {
  const order = compareOptional(left.key, right.key);
  if (order !== 0) return descending ? -order : order;
  return compareKeys(left.id, right.id);
}

function compareOptional(left: ComparisonKey | undefined, right: ComparisonKey | undefined): number {
  if (left === undefined || right === undefined)
    return Number(left === undefined) - Number(right === undefined);
  return compareKeys(left, right);
}

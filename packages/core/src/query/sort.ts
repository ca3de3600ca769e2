/**
 * Reads `sortBy` and `sortOrder` (RFC 7644 §3.4.2.3).
 * @module
 */
import {
  parseAttributePath,
  parsedOrNull,
  sortKeyOf,
  type AttributePath,
  type ComparisonKey,
  type SortPath,
} from "@scim/filter";
import { ScimError, type JsonObject } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { findAttribute, type FoundAttribute } from "../model/find-attribute.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { StoreQuery } from "../store/port.ts";
import { boundPath, isHidden, type Among } from "./bind.ts";

/** A sort as the store takes it. */
export type Sort = NonNullable<StoreQuery["sort"]>;

/** The sort parameters of a query; null where not given. */
export interface SortRequest {
  readonly sortBy: string | null;
  readonly sortOrder: string | null;
}

/**
 * Reads `sortOrder`: whether the order is descending.
 * @throws ScimError `invalidValue` for an unknown order
 */
export function readDescending(sortOrder: string | null): boolean {
  const order = sortOrder?.toLowerCase() ?? "ascending";
  if (order === "ascending" || order === "descending") return order === "descending";
  throw new ScimError("invalidValue", "'sortOrder' must be 'ascending' or 'descending'.");
}

/**
 * Reads the sort of a query; null where it names none, and among several types (RFC 7644 §3.4.2.1) also where
 * this one has no attribute of the name.
 * @throws ScimError `invalidValue` for an attribute that cannot be sorted by, or an unknown order
 */
export function readSort(
  model: ResourceModel,
  { sortBy, sortOrder, among = "one" }: SortRequest & { readonly among?: Among },
  context: RequestContext,
): Sort | null {
  const descending = readDescending(sortOrder);
  if (sortBy === null) return null;
  const path = parsedOrNull(() => parseAttributePath(sortBy));
  const found = path === null ? null : find(model, path, context);
  if (path !== null && found === null && among === "several") return null;
  const node = sortable(found);
  if (node === null) {
    throw new ScimError(
      "invalidValue",
      `'sortBy' must name an attribute of ${model.name} that holds plain values and is returned.`,
    );
  }
  return { target: boundPath(node, node.keys), descending };
}

function find(model: ResourceModel, path: AttributePath, context: RequestContext): FoundAttribute | null {
  const found = findAttribute(model, path);
  if (found?.unqualified !== true) return found;
  if (!context.profile.switches.has("unqualified-extension-names")) return null;
  context.onSwitch("unqualified-extension-names", found.node.path);
  return found;
}

/** A multi-valued complex attribute is sorted by its `value`. */
function sortable(found: FoundAttribute | null): AttributeNode | null {
  const node = found?.node;
  if (node === undefined) return null;
  const value = node.attribute.multiValued ? node.subAttributes.get("value") : undefined;
  const meant = node.attribute.type === "complex" ? value : node;
  return meant === undefined || isHidden(meant) ? null : meant;
}

/** What a resource is ordered by: of several values the primary one, else the first; null without value. */
export function sortKey(sort: Sort, resource: JsonObject): ComparisonKey | null {
  return sortKeyOf(sortPath(sort.target.handle), resource);
}

/** Where what resources are ordered by lies. */
export function sortPath({ attribute, keys, parent }: AttributeNode): SortPath {
  const inList = parent?.attribute.multiValued === true;
  return {
    keys: inList ? parent.keys : keys,
    sub: inList ? attribute.name : null,
    type: attribute.type,
    caseExact: attribute.caseExact,
  };
}

/**
 * What a resource's own row says: its JSON, and what stands in columns beside it. References from and to others,
 * addresses and `schemas` are not in it. A store that goes through resources tests and orders them by that where it
 * reads them, in a thread of their own if it likes: what it needs for it is plain data.
 * @module
 */
import { compileFilter, type BoundFilter, type BoundPath, type SortPath } from "@scim/filter";
import { referencedTypes } from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import { constantFilter, joinedFilter, negatedFilter } from "../query/filter/constants.ts";
import { sortPath } from "../query/sort.ts";
import type { ResourceFilter, StoreQuery } from "./port.ts";
import type { StoredResource } from "./stored-resource.ts";

/** Common attributes that stand beside the JSON. */
const COLUMNS: ReadonlySet<string> = new Set([
  "id",
  "meta.resourceType",
  "meta.created",
  "meta.lastModified",
  "meta.version",
]);

/** What the own row of a resource says of a filter. */
export interface OwnFilter {
  /**
   * A filter that every match meets, over the JSON with `id` and
   * `meta: { resourceType, created, lastModified, version }` added.
   */
  readonly filter: BoundFilter<null>;
  /** Whether matches alone meet it. */
  readonly exact: boolean;
}

/** The part of a filter that the own row of a resource decides. */
export function ownFilter(filter: ResourceFilter): OwnFilter {
  return { filter: weakened(filter, true), exact: isOwn(filter) };
}

/** Of resources, those that {@link ownFilter} lets through. */
export function passingOwn(
  resources: readonly StoredResource[],
  filter: ResourceFilter,
): readonly StoredResource[] {
  const test = compileFilter(ownFilter(filter).filter);
  return resources.filter(({ type, id, created, lastModified, version, body }) =>
    test({ ...body, id, meta: { resourceType: type, created, lastModified, version } }),
  );
}

/** Where the sort key of a query lies in the same JSON; null where it is not in it. */
export function ownSort(sort: NonNullable<StoreQuery["sort"]>): SortPath | null {
  const { handle } = sort.target;
  return isOwnAttribute(handle) ? sortPath(handle) : null;
}

/** The filter with each part that the row does not decide taken for true, or for false below a `not`. */
function weakened(filter: ResourceFilter, undecided: boolean): BoundFilter<null> {
  switch (filter.kind) {
    case "and":
    case "or":
      return joinedFilter(
        filter.kind,
        filter.operands.map((operand) => weakened(operand, undecided)),
      );
    case "not":
      return negatedFilter(weakened(filter.operand, !undecided));
    default:
      return isOwn(filter) ? withoutHandles(filter) : constantFilter(undecided);
  }
}

function isOwn(filter: ResourceFilter): boolean {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.operands.every(isOwn);
    case "not":
      return isOwn(filter.operand);
    case "valuePath":
      return filter.target.handle.storage === "value" && isOwn(filter.filter);
    case "comparison":
    case "presence":
      return isOwnAttribute(filter.target.handle);
    case "constant":
      return true;
  }
}

function isOwnAttribute(node: AttributeNode): boolean {
  if (node.storage === "column") return COLUMNS.has(node.path);
  return node.storage === "value" && node.extension !== node.path && !holdsAddress(node);
}

/** Whether a value holds or is the address of what it refers to, which is made anew where it is read. */
function holdsAddress({ attribute, parent }: AttributeNode): boolean {
  if (attribute.name === "$ref" && parent !== null) return referencedTypes(parent.attribute).length > 0;
  return attribute.type === "complex" && referencedTypes(attribute).length > 0;
}

function withoutHandles(filter: ResourceFilter): BoundFilter<null> {
  switch (filter.kind) {
    case "and":
    case "or":
      return { kind: filter.kind, operands: filter.operands.map(withoutHandles) };
    case "not":
      return { kind: "not", operand: withoutHandles(filter.operand) };
    case "valuePath":
      return { ...filter, target: withoutHandle(filter.target), filter: withoutHandles(filter.filter) };
    case "comparison":
    case "presence":
      return { ...filter, target: withoutHandle(filter.target) };
    case "constant":
      return filter;
  }
}

function withoutHandle(target: BoundPath<AttributeNode>): BoundPath<null> {
  return { ...target, handle: null };
}

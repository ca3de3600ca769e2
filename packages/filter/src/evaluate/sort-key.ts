/**
 * What resources are ordered by, and how (RFC 7644 §3.4.2.3).
 * @module
 */
import type { ComparableType, ComparisonKey } from "../bound.ts";
import { comparisonKey } from "../compare/key.ts";
import { compareKeys } from "../compare/order.ts";
import { ownMember } from "./values.ts";

/** The attribute that resources are ordered by, as plain data. */
export interface SortPath {
  /** Member names from the resource to the attribute; to the list of which it is a sub-attribute, where there is one. */
  readonly keys: readonly string[];
  /** Name of the sub-attribute in each value of that list; null where there is no list of complex values. */
  readonly sub: string | null;
  readonly type: ComparableType;
  readonly caseExact: boolean;
}

/** What a resource is ordered by: of several values the primary one, else the first; null without value. */
export function sortKeyOf({ keys, sub, type, caseExact }: SortPath, resource: unknown): ComparisonKey | null {
  let value = resource;
  for (const key of keys) value = Array.isArray(value) ? undefined : ownMember(value, key);
  const held = sub === null ? value : ownMember(chosenOf(value), sub);
  return comparisonKey(type, caseExact, Array.isArray(held) ? held[0] : held) ?? null;
}

function chosenOf(values: unknown): unknown {
  if (!Array.isArray(values)) return undefined;
  const list: readonly unknown[] = values.filter(isObject);
  return list.find((value) => ownMember(value, "primary") === true) ?? list[0];
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where a resource stands in an order: by key, null where it has none, and then by id. */
export interface SortPlace {
  readonly key: ComparisonKey | null;
  readonly id: string;
}

/** Orders by key, resources without one last (descending: first), and those that are equal by id. */
export function comparePlaces(left: SortPlace, right: SortPlace, descending: boolean): number {
  return compareSortKeys(left.key, right.key, descending) || compareKeys(left.id, right.id);
}

/** Orders by key alone. */
export function compareSortKeys(
  left: ComparisonKey | null,
  right: ComparisonKey | null,
  descending: boolean,
): number {
  const order =
    left === null || right === null
      ? Number(left === null) - Number(right === null)
      : compareKeys(left, right);
  return descending ? -order : order;
}

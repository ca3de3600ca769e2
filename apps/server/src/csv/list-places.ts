/**
 * The lists of a resource that is made of columns: columns of one list have its values side by side, so that what stands
 * first in one belongs to what stands first in another, also where something between is empty.
 * @module
 */
import type { AttributeNode } from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { hasKey, type Target, type ValueKey } from "./target.ts";

/** A JSON object under construction. */
export type Members = Record<string, JsonValue | undefined>;

/** A value, or nothing in its place. */
export type Place = JsonValue | undefined;

/** A resource under construction. */
export interface Made {
  readonly resource: Members;
  /** Values of lists that no column has filled so far. */
  readonly gaps: Set<JsonValue>;
}

/** Values of a list, as one column has them. */
export interface ListColumn {
  readonly name: string;
  /** The sub-attribute that the column holds. */
  readonly sub: string;
  /** Which values it holds; null for all. */
  readonly key: ValueKey | null;
  readonly places: readonly Place[];
}

/** Puts what a column has into the values of a list, and keeps the places of what it lacks. */
export function putInList({ name, sub, key, places }: ListColumn, holder: Members, gaps: Made["gaps"]): void {
  const list = isJsonArray(holder[name]) ? [...holder[name]] : [];
  const found = list.filter(isJsonObject).filter((each) => hasKey(each, key));
  for (const [index, value] of places.entries()) {
    const known = found[index];
    if (value === undefined && known !== undefined) continue;
    const made: Members = { ...known, ...(key === null ? {} : Object.fromEntries(key)) };
    if (value !== undefined) made[sub] = value;
    // Every member has a value.
    const complete = made as JsonObject;
    if (value === undefined) gaps.add(complete);
    if (known === undefined) list.push(complete);
    else list[list.indexOf(known)] = complete;
  }
  holder[name] = list;
}

/** Takes out of a list what no column has filled; each column fills something. */
export function closeGaps({ top }: Target, { resource, gaps }: Made): void {
  const holder = holderOf(top, resource);
  const list = holder?.[top.attribute.name];
  if (holder !== undefined && isJsonArray(list))
    holder[top.attribute.name] = list.filter((each) => !gaps.has(each));
}

/** What holds an attribute in a resource under construction: the resource, or its extension; undefined for none yet. */
export function holderOf({ extension }: AttributeNode, resource: Members): Members | undefined {
  if (extension === null) return resource;
  const held = resource[extension];
  return isJsonObject(held) ? held : undefined;
}

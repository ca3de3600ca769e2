/**
 * How many values a list may have that is no reference collection.
 * @module
 */
import { isJsonArray, ScimError, type JsonObject } from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import { valueAt } from "./json-object.ts";

/** What bounds the lists of a resource. */
export interface ListBound {
  /** Most values; a list of the resource or of an extension that had more may keep as many. */
  readonly maxValues: number;
  /** What was there before a change. Default: nothing was. */
  readonly before?: (() => JsonObject) | undefined;
}

/**
 * Refuses a list that is too long.
 * @param list its attribute, and the path that names it in the message
 * @throws ScimError `invalidValue`
 */
export function requireShort(
  { node, path }: { readonly node: AttributeNode; readonly path: string },
  count: number,
  { maxValues, before }: ListBound,
): void {
  if (count <= maxValues) return;
  const held = node.parent === null && before !== undefined ? valueAt(before(), node.keys) : undefined;
  if (isJsonArray(held) && count <= held.length) return;
  throw new ScimError(
    "invalidValue",
    `Attribute '${path}' has more than ${String(maxValues)} values: send fewer.`,
  );
}

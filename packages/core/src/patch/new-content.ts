/**
 * Operations that say what a reference collection holds from then on, whatever it holds.
 * @module
 */
import { isJsonArray, type JsonValue } from "@scim/schemas";
import type { RequestOperation } from "./apply.ts";
import { isUnassigned } from "./singular.ts";

/** What a collection comes to hold: of its present values, at most what stays beside them is looked up. */
export interface NewContent {
  /** The one that gives a list, of which values that are held keep their immutable details; null where all go first. */
  readonly replacing: RequestOperation | null;
  /** The only list that they give; null where there is none, or several operations do. */
  readonly list: readonly JsonValue[] | null;
}

/** The new content of a collection; null where it depends on the present one. */
export function newContentOf([first, ...others]: readonly RequestOperation[]): NewContent | null {
  if (first === undefined || first.target.filter !== null || first.target.sub !== null) return null;
  const { op, value } = first.change;
  const removesAll = op === "remove" ? value === undefined || value === null : isUnassigned(value);
  if (op !== "add" && removesAll) return { replacing: null, list: onlyListOf(others) };
  // What follows may ask for details that values keep.
  if (op !== "replace" || others.length > 0) return null;
  return { replacing: first, list: onlyListOf([first]) };
}

function onlyListOf([only, ...others]: readonly RequestOperation[]): readonly JsonValue[] | null {
  if (only === undefined || others.length > 0) return null;
  const { target, change } = only;
  const isList = target.filter === null && target.sub === null && change.op !== "remove";
  return isList && isJsonArray(change.value) ? change.value : null;
}

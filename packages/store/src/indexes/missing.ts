/**
 * How the index tells that a resource has no value of an attribute: by an entry of a path of its own, so that those
 * resources are found as fast as the others.
 * @module
 */
import type { IndexEntry } from "@scim/core";
import type { ComparisonKey } from "@scim/filter";

/** The path of the entries of resources without a value. No attribute path has its last character. */
export function missingPath(path: string): string {
  return `${path}?`;
}

/** An entry as the table holds it. */
export interface StoredEntry {
  readonly path: string;
  readonly key: ComparisonKey;
}

/** What the table holds of an entry. */
export function storedEntry({ path, key }: IndexEntry): StoredEntry {
  return key === null ? { path: missingPath(path), key: "" } : { path, key };
}

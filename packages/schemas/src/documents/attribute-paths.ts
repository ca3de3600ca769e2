/**
 * The attribute paths of a list of attributes, flat.
 * @module
 */
import type { Attribute } from "../attribute.ts";

/** An attribute and the path that names it, such as `name.givenName`. */
export interface AttributeAtPath {
  readonly path: string;
  readonly attribute: Attribute;
}

/** Every attribute and sub-attribute by its path in lower case. `prefix` stands in front of each path. */
export function attributePaths(
  attributes: readonly Attribute[],
  prefix = "",
): ReadonlyMap<string, AttributeAtPath> {
  const paths = new Map<string, AttributeAtPath>();
  addPaths(attributes, prefix, paths);
  return paths;
}

function addPaths(
  attributes: readonly Attribute[],
  prefix: string,
  paths: Map<string, AttributeAtPath>,
): void {
  for (const attribute of attributes) {
    const path = `${prefix}${attribute.name}`;
    paths.set(path.toLowerCase(), { path, attribute });
    addPaths(attribute.subAttributes, `${path}.`, paths);
  }
}

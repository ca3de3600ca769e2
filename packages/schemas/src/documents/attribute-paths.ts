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

/** Every attribute and sub-attribute by its path in lower case. */
export function attributePaths(
  attributes: readonly Attribute[],
  prefix = "",
): ReadonlyMap<string, AttributeAtPath> {
  const paths = new Map<string, AttributeAtPath>();
  for (const attribute of attributes) {
    const path = `${prefix}${attribute.name}`;
    paths.set(path.toLowerCase(), { path, attribute });
    for (const [key, sub] of attributePaths(attribute.subAttributes, `${path}.`)) paths.set(key, sub);
  }
  return paths;
}

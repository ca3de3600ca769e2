/**
 * Finds attributes by their paths, in any letter case.
 * @module
 */
import { resolveAttribute, type Attribute, type AttributeDefinition } from "../attribute.ts";

/** An attribute and the path that names it, such as `name.givenName`. */
export interface AttributeAtPath {
  readonly path: string;
  readonly attribute: Attribute;
}

/** The attribute that a path names, in any letter case; undefined where it names none. */
export type FindAttribute = (path: string) => AttributeAtPath | undefined;

/** Finds attributes and sub-attributes of a list. */
export function attributeAt(
  attributes: readonly AttributeDefinition[],
  path: string,
): AttributeAtPath | undefined {
  let [list, found]: [readonly AttributeDefinition[], AttributeDefinition | undefined] = [
    attributes,
    undefined,
  ];
  const names: string[] = [];
  for (const name of path.toLowerCase().split(".")) {
    found = byName(list).get(name);
    if (found === undefined) return undefined;
    names.push(found.name);
    list = found.type === "complex" ? found.subAttributes : [];
  }
  return found === undefined ? undefined : { path: names.join("."), attribute: resolveAttribute(found) };
}

/** Finds attributes behind the URN of their schema; the path that is found begins with `prefix`. */
export function attributeBehind(
  schema: {
    readonly urn: string;
    readonly attributes: readonly AttributeDefinition[];
    readonly prefix: string;
  },
  path: string,
): AttributeAtPath | undefined {
  const { urn, attributes, prefix } = schema;
  if (path[urn.length] !== ":" || path.slice(0, urn.length).toLowerCase() !== urn.toLowerCase())
    return undefined;
  const found = attributeAt(attributes, path.slice(urn.length + 1));
  return found === undefined ? undefined : { ...found, path: `${prefix}${found.path}` };
}

const indexes = new WeakMap<readonly AttributeDefinition[], ReadonlyMap<string, AttributeDefinition>>();

/** Attributes by lower-case name; made once of each list, since a document may name thousands of paths. */
function byName(attributes: readonly AttributeDefinition[]): ReadonlyMap<string, AttributeDefinition> {
  const known = indexes.get(attributes);
  if (known !== undefined) return known;
  const made = new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
  indexes.set(attributes, made);
  return made;
}

/**
 * Attributes that refer to resources: complex, with a `value` that holds an id and a `$ref` that names it.
 * @module
 */
import type { Attribute } from "./attribute.ts";

/** Reference types that name no resource type (RFC 7643 §7). */
const NO_RESOURCE_TYPES: ReadonlySet<string> = new Set(["external", "uri"]);

/**
 * Names of the resource types that a complex attribute refers to through `value` and `$ref`, such as `User` and
 * `Group` for `members`; empty where it refers to none.
 *
 * @example
 * referencedTypes(resolveAttribute(GROUP_SCHEMA.attributes[1])); // ["User", "Group"]
 */
export function referencedTypes(attribute: Attribute): readonly string[] {
  if (attribute.type !== "complex" || !attribute.subAttributes.some((sub) => sub.name === "value")) return [];
  const reference = attribute.subAttributes.find((sub) => sub.name === "$ref" && sub.type === "reference");
  return reference === undefined ? [] : namedTypes(reference);
}

/** Names of the resource types among the `referenceTypes` of a reference. */
export function namedTypes({ referenceTypes }: Attribute): readonly string[] {
  return referenceTypes.filter((type) => !NO_RESOURCE_TYPES.has(type));
}

/**
 * Whether an attribute is a reference collection: it holds many references that clients write, and a service keeps
 * them as rows instead of a list.
 */
export function isReferenceCollection(attribute: Attribute): boolean {
  return (
    attribute.multiValued && attribute.mutability !== "readOnly" && referencedTypes(attribute).length > 0
  );
}

/**
 * A resource type as one complex attribute, so that whole resources are compared by the rules of any other value.
 * @module
 */
import { COMMON_ATTRIBUTES, resolveAttribute, type Attribute } from "@scim/schemas";
import type { ClientResourceType } from "../resources/resource-type.ts";

/** The attribute whose value is a resource; extensions are parts of it under their URNs. */
export function resourceAttribute({
  schema,
  extensions,
}: Pick<ClientResourceType, "schema" | "extensions">): Attribute {
  const whole = resolveAttribute({
    name: schema.id,
    type: "complex",
    subAttributes: [
      ...COMMON_ATTRIBUTES,
      ...schema.attributes,
      ...extensions.map(
        ({ id, attributes }) => ({ name: id, type: "complex", subAttributes: attributes }) as const,
      ),
    ],
  });
  return { ...whole, subAttributes: whole.subAttributes.map(workedOut) };
}

/** Services work out `schemas`, whatever was sent. */
function workedOut(attribute: Attribute): Attribute {
  return attribute.name === "schemas" ? { ...attribute, mutability: "readOnly" } : attribute;
}

/** A part of a complex attribute by its name, in any letter case. */
export function partOf(attribute: Attribute | undefined, name: string): Attribute | undefined {
  const folded = name.toLowerCase();
  return attribute?.subAttributes.find((part) => part.name.toLowerCase() === folded);
}

/** Whether answers do not show an attribute, or on request alone (RFC 7643 §7). */
export function isHidden({ returned }: Attribute): boolean {
  return returned === "never" || returned === "request";
}

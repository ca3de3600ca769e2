/**
 * What resources of a type hold, in one line that a model can go by.
 * @module
 */
import type { ClientResourceType } from "@scim/client/fetch";
import type { AttributeDefinition } from "@scim/schemas";

/** The attributes that clients write: `userName (required), name {familyName, …}, emails [{value, type, primary}]`. */
export function attributesLine({ schema, extensions }: ClientResourceType): string {
  const own = schema.attributes.flatMap(described).join(", ");
  const more = extensions.map(
    ({ id, attributes }) => `"${id}" {${attributes.flatMap(described).join(", ")}}`,
  );
  return [own, ...more].join(", ");
}

function described(attribute: AttributeDefinition): readonly string[] {
  const { name, mutability, required, multiValued, type } = attribute;
  if (mutability === "readOnly") return [];
  const subs =
    type === "complex"
      ? ` {${attribute.subAttributes
          .filter((sub) => sub.mutability !== "readOnly" && sub.name !== "$ref")
          .map((sub) => sub.name)
          .join(", ")}}`
      : "";
  const kind = type === "string" || type === "complex" ? "" : ` (${type})`;
  const shape = multiValued === true ? ` [${subs.trim() || type}]` : subs + kind;
  return [`${name}${shape}${required === true ? " (required)" : ""}`];
}

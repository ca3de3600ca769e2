/**
 * Sub-attributes that RFC 7643 §2.4 gives a meaning: a schema that spells one in other letters means the same one, since letter
 * case does not tell names apart (RFC 7643 §2.1).
 * @module
 */
import type { AttributeDefinition, ComplexAttributeDefinition } from "../attribute.ts";
import type { IssueList } from "./issue-list.ts";

const USUAL: ReadonlyMap<string, string> = new Map(
  ["value", "type", "display", "primary"].map((name) => [name, name]),
);

/** The attributes with these sub-attributes as the RFC spells them, which is noted. */
export function spellUsual(
  attributes: readonly AttributeDefinition[],
  issues: IssueList,
): readonly AttributeDefinition[] {
  return attributes.map((attribute, index) => {
    if (!hasUsual(attribute) || attribute.subAttributes.every(isSpelled)) return attribute;
    const subAttributes = attribute.subAttributes.map((sub, at) => {
      if (isSpelled(sub)) return sub;
      const name = usualName(sub);
      issues.note(`attributes[${index}].subAttributes[${at}].name`, `is read as ${name}: spell it so`);
      return { ...sub, name };
    });
    return { ...attribute, subAttributes };
  });
}

/** Whether the names have that meaning: in values of a list, and beside the address of what is referred to. */
function hasUsual(attribute: AttributeDefinition): attribute is ComplexAttributeDefinition {
  if (attribute.type !== "complex") return false;
  return attribute.multiValued === true || attribute.subAttributes.some(({ name }) => name === "$ref");
}

function isSpelled(sub: AttributeDefinition): boolean {
  return sub.name === usualName(sub);
}

function usualName({ name }: AttributeDefinition): string {
  return USUAL.get(name.toLowerCase()) ?? name;
}

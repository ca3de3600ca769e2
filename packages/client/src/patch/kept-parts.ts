/**
 * Which parts of a complex value stay where a client leaves them out: what is immutable (RFC 7644 §3.5.1), and the
 * address of a reference, which services make.
 * @module
 */
import { referencedTypes, type Attribute, type JsonObject } from "@scim/schemas";
import { isEqual } from "./json-equality.ts";

/** Names of the parts that are to go. */
export function removedParts(attribute: Attribute, before: JsonObject, after: JsonObject): readonly string[] {
  return Object.keys(before).filter(
    (name) => !Object.hasOwn(after, name) && !isImmutable(attribute, name) && !isAddress(attribute, name),
  );
}

/** Whether a part that is immutable is to have another value: then the whole is another value. */
export function isRenewed(attribute: Attribute, before: JsonObject, after: JsonObject): boolean {
  return Object.keys(before).some(
    (name) =>
      Object.hasOwn(after, name) &&
      !isEqual(before[name], after[name]) &&
      isImmutable(attribute, name) &&
      !isAddress(attribute, name),
  );
}

/** Whether a value cannot go for what is immutable in it. What describes a reference goes with its `value`. */
export function mustStay(attribute: Attribute, before: JsonObject): boolean {
  if (referencedTypes(attribute).length > 0 && !isImmutable(attribute, "value")) return false;
  return Object.keys(before).some((name) => isImmutable(attribute, name));
}

function isImmutable({ subAttributes }: Attribute, name: string): boolean {
  return subAttributes.some(
    (sub) => sub.mutability === "immutable" && sub.name.toLowerCase() === name.toLowerCase(),
  );
}

/** Whether a part is the address of what a reference refers to. */
export function isAddress(attribute: Attribute, name: string): boolean {
  return name === "$ref" && referencedTypes(attribute).length > 0;
}

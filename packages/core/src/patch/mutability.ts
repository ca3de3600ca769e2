/**
 * What PATCH may change (RFC 7644 §3.5.2): nothing readOnly, nothing immutable that has another value,
 * nothing required away.
 * @module
 */
import { referencedTypes, ScimError } from "@scim/schemas";
import { isPresentValue } from "../attributes/equal.ts";
import {
  isMutableObject,
  ownMutable,
  type MutableObject,
  type MutableValue,
} from "../attributes/json-object.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { isSecret } from "../model/secrets.ts";
import type { PatchTarget } from "./target.ts";

/** Refuses a path that names a readOnly attribute. */
export function refuseReadOnly(target: PatchTarget): void {
  const readOnly = [target.attribute, target.sub].find((node) => node?.attribute.mutability === "readOnly");
  if (readOnly === undefined || readOnly === null) return;
  throw new ScimError(
    "mutability",
    `Attribute '${readOnly.path}' is readOnly: the service sets it, leave it out of the operations.`,
  );
}

/**
 * Whether an attribute keeps the value that it has, since it is immutable: then setting the same value again is no change.
 * @throws ScimError `mutability` for another value, or none
 */
export function keepsImmutable(
  node: AttributeNode,
  current: MutableValue | undefined,
  next: MutableValue | undefined,
): boolean {
  if (node.attribute.mutability !== "immutable" || current === undefined) return false;
  if (isPresentValue(node, current, next)) return true;
  throw immutableValue(node);
}

/** The refusal of a change of an immutable attribute that has a value. */
export function immutableValue(node: AttributeNode): ScimError {
  return new ScimError(
    "mutability",
    `Attribute '${node.path}' is immutable and has a value: it cannot be changed or removed.`,
  );
}

/**
 * Refuses to take the value of a required attribute away. References are left to whoever knows whether there are
 * others than those that were read.
 */
export function refuseRequired(node: AttributeNode, current: MutableValue | undefined): void {
  if (node.attribute.required && current !== undefined && node.storage !== "collection")
    throw requiredValue(node);
}

/** The refusal of a removal that leaves a required attribute without a value. */
export function requiredValue(node: AttributeNode): ScimError {
  return new ScimError(
    "mutability",
    `Attribute '${node.path}' is required: replace its value instead of removing it.`,
  );
}

/** Sets an attribute of a holder, unless that changes an immutable value. */
export function assign(holder: MutableObject, node: AttributeNode, value: MutableValue): void {
  const { name } = node.attribute;
  if (!keepsImmutable(node, ownMutable(holder, name), value)) holder[name] = value;
}

/**
 * Takes an attribute of a holder away, unless it is required or immutable, or holds what is. Nothing there is no error.
 */
export function unassign(holder: MutableObject, node: AttributeNode): void {
  refuseRequired(node, ownMutable(holder, node.attribute.name));
  refuseSecretAway(holder, node);
  dropWithExtension(holder, node);
}

/** Refuses to take a required secret away, one value or a list, of what has it. */
export function refuseSecretAway(holder: MutableObject, node: AttributeNode): void {
  if (node.attribute.required && isSecret(node) && isThere(holder, node)) throw requiredValue(node);
}

/** Whether what holds a secret is there, so that it has one: nobody sees the secret itself. */
function isThere(holder: MutableObject, { parent, extension }: AttributeNode): boolean {
  return (parent === null && extension === null) || Object.keys(holder).length > 0;
}

/** Takes an attribute away with the extension that it belongs to, unless it is immutable or holds what is. */
export function dropWithExtension(holder: MutableObject, node: AttributeNode): void {
  const current = ownMutable(holder, node.attribute.name);
  keepsImmutable(node, current, undefined);
  if (isMutableObject(current) && canStay(node)) {
    for (const sub of node.subAttributes.values())
      keepsImmutable(sub, ownMutable(current, sub.attribute.name), undefined);
  }
  delete holder[node.attribute.name];
}

/** What stands beside the `value` of a reference goes with it, unless the `value` itself cannot go. */
function canStay(node: AttributeNode): boolean {
  const value = node.subAttributes.get("value");
  return referencedTypes(node.attribute).length === 0 || value?.attribute.mutability === "immutable";
}

/**
 * How much of a value the log may show, told by the annotations of a resource type.
 * @module
 */
import type { AttributeNode, ModelCatalog, ResourceModel } from "@scim/core";
import { isScimError, type Sensitivity } from "@scim/schemas";

const RANKS: Readonly<Record<Sensitivity, number>> = { none: 0, personal: 1, secret: 2 };

const known = new WeakMap<AttributeNode, Sensitivity>();

/**
 * The sensitivity of an attribute's values: as annotated at it or at what holds it; else that of the most sensitive
 * part. A simple attribute without annotation is personal, so that forgetting protects, unless it is boolean: such a
 * value tells nothing of a person that its path does not tell. An attribute that no schema knows is personal.
 */
export function sensitivityOf(node: AttributeNode | undefined): Sensitivity {
  if (node === undefined) return "personal";
  const cached = known.get(node);
  if (cached !== undefined) return cached;
  const sensitivity = annotated(node) ?? inner(node);
  known.set(node, sensitivity);
  return sensitivity;
}

function annotated(node: AttributeNode): Sensitivity | undefined {
  return node.annotation.sensitivity ?? (node.parent === null ? undefined : annotated(node.parent));
}

function inner(node: AttributeNode): Sensitivity {
  const parts = [...node.subAttributes.values()].map(sensitivityOf);
  if (parts.length === 0) return node.attribute.type === "boolean" ? "none" : "personal";
  return parts.reduce((most, part) => (RANKS[part] > RANKS[most] ? part : most));
}

const uniform = new WeakMap<AttributeNode, boolean>();

/** Whether the log may show as much of each part of an attribute as of every other. */
export function isUniform(node: AttributeNode): boolean {
  const cached = uniform.get(node);
  if (cached !== undefined) return cached;
  const sensitivity = sensitivityOf(node);
  const found = [...node.subAttributes.values()].every(
    (part) => sensitivityOf(part) === sensitivity && isUniform(part),
  );
  uniform.set(node, found);
  return found;
}

/** What the log has to know of a resource type: its attributes by lower-case name, as a `ResourceModel` has them. Plain data. */
export type AuditedAttributes = ResourceModel["members"];

/** The model of a resource type; null where it is not served any more. */
export function modelOrNull(catalog: ModelCatalog, type: string): ResourceModel | null {
  try {
    return catalog.model(type);
  } catch (error) {
    if (isScimError(error)) return null;
    throw error;
  }
}

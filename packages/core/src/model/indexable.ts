/**
 * Which attributes can have an index, and why others cannot.
 * @module
 */
import { parseAttributePath } from "@scim/filter";
import { referencedTypes, ScimError } from "@scim/schemas";
import type { AttributeNode } from "./attribute-node.ts";
import { findAttribute } from "./find-attribute.ts";
import type { ResourceModel } from "./resource-model.ts";
import { isSecret } from "./secrets.ts";

const paths = new WeakMap<ResourceModel, ReadonlyMap<string, AttributeNode>>();

/** The attributes and sub-attributes of a resource type by their path in lower case. */
export function nodesByPath(model: ResourceModel): ReadonlyMap<string, AttributeNode> {
  const known = paths.get(model);
  if (known !== undefined) return known;
  const nodes = new Map<string, AttributeNode>();
  const add = (node: AttributeNode): void => {
    nodes.set(node.path.toLowerCase(), node);
    for (const sub of node.subAttributes.values()) add(sub);
  };
  for (const node of model.members.values()) add(node);
  paths.set(model, nodes);
  return nodes;
}

/** Whether entries can be made of an attribute: it is simple, and its values are part of the body. */
export function isIndexable(node: AttributeNode): boolean {
  return node.attribute.type !== "complex" && !isSecret(node) && reasonOfStorage(node) === null;
}

/** Whether a resource has at most one value of an attribute. */
export function isSingular(node: AttributeNode): boolean {
  return !node.attribute.multiValued && (node.parent === null || isSingular(node.parent));
}

/**
 * The attribute of a path as a person writes it, for an index.
 * @throws ScimError `invalidPath` saying why it cannot have one
 */
export function indexableAttribute(model: ResourceModel, text: string): AttributeNode {
  const found = findPath(model, text);
  if (found === null) {
    throw new ScimError("invalidPath", `${model.name} has no attribute ${text}.`);
  }
  const reason = reasonAgainst(found);
  if (reason !== null) throw new ScimError("invalidPath", `${found.path} cannot have an index: ${reason}.`);
  return found;
}

function findPath(model: ResourceModel, text: string): AttributeNode | null {
  const exact = nodesByPath(model).get(text.toLowerCase());
  if (exact !== undefined) return exact;
  try {
    return findAttribute(model, parseAttributePath(text))?.node ?? null;
  } catch (error) {
    throw new ScimError("invalidPath", `${text} is no attribute path.`, { cause: error });
  }
}

function reasonAgainst(node: AttributeNode): string | null {
  const { attribute, subAttributes } = node;
  if (isHidden(node)) return "its values are never returned";
  const kept = reasonOfStorage(node);
  if (kept !== null) return kept;
  if (attribute.type === "complex") return withSuggestion(subAttributes);
  return attribute.type === "binary" ? "binary values are not compared" : null;
}

function reasonOfStorage({ attribute, storage, parent }: AttributeNode): string | null {
  switch (storage) {
    case "column":
      return "the service keeps it apart from the values of resources";
    case "collection":
      return "references have rows of their own, and these their index";
    case "inverse":
      return "it is computed from the references of others";
    case "value": {
      const isMade =
        attribute.name === "$ref" && parent !== null && referencedTypes(parent.attribute).length > 0;
      return isMade ? "the address of a reference is made anew in each answer" : null;
    }
  }
}

function withSuggestion(subAttributes: ReadonlyMap<string, AttributeNode>): string {
  const first = [...subAttributes.values()].find((node) => reasonAgainst(node) === null);
  return first === undefined ? "it is complex" : `it is complex; name a sub-attribute, such as ${first.path}`;
}

/** Whether nobody may read values of an attribute, or of one that it is part of. */
function isHidden(node: AttributeNode): boolean {
  if (isSecret(node) || node.attribute.returned === "never") return true;
  return node.parent !== null && isHidden(node.parent);
}

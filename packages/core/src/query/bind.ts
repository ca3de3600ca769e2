/**
 * Binds filters and sort keys to the attributes of a resource type.
 * @module
 */
import { referencedTypes } from "@scim/schemas";
import type { AttributePath, AttributeResolver, BoundPath, Resolution } from "@scim/filter";
import type { RequestContext } from "../context.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { findAttribute } from "../model/find-attribute.ts";
import type { ResourceModel } from "../model/resource-model.ts";

type BindContext = Pick<RequestContext, "profile" | "onSwitch">;

/** Whether a query is over one resource type, or over several, where names that this one lacks have no value. */
export type Among = "one" | "several";

/** Finds the attributes that the paths of a filter name. */
export function filterResolver(
  model: ResourceModel,
  context: BindContext,
  among: Among = "one",
): AttributeResolver<AttributeNode> {
  const missing = among === "one" ? "unknown" : "noValue";
  return {
    resolve: (path, within) => {
      const found = within === null ? resolveTop(path, model, context) : resolveWithin(path, within);
      return found === "unknown" ? missing : found;
    },
    comparand: (target) => {
      const node = meantNode(target.handle, context);
      return node === target.handle ? target : boundPath(node, node.keys);
    },
  };
}

function resolveTop(
  path: AttributePath,
  model: ResourceModel,
  context: BindContext,
): Resolution<AttributeNode> {
  const found = findAttribute(model, path);
  if (found === null) return "unknown";
  if (found.unqualified) {
    if (!context.profile.switches.has("unqualified-extension-names")) return "unknown";
    context.onSwitch("unqualified-extension-names", found.node.path);
  }
  return isHidden(found.node) ? "hidden" : boundPath(found.node, found.node.keys);
}

/** Whether values of the attribute, or of what it is part of, are never returned: nobody may find them out either. */
export function isHidden({ attribute, parent }: AttributeNode): boolean {
  return attribute.returned === "never" || (parent !== null && isHidden(parent));
}

/** `manager eq "x"` means `manager.value eq "x"` where the profile reads a reference as a string. */
function meantNode(node: AttributeNode, context: BindContext): AttributeNode {
  if (node.attribute.multiValued || referencedTypes(node.attribute).length === 0) return node;
  const value = node.subAttributes.get("value");
  if (value === undefined || !context.profile.switches.has("reference-as-string")) return node;
  context.onSwitch("reference-as-string", node.path);
  return value;
}

function resolveWithin(path: AttributePath, within: BoundPath<AttributeNode>): Resolution<AttributeNode> {
  if (path.urn !== null || path.subAttribute !== null) return "unknown";
  const name = path.attribute.toLowerCase();
  const node = within.handle;
  if (node.subAttributes.size === 0) {
    return name === "value" ? { ...boundPath(node, []), multiValued: false } : "unknown";
  }
  const sub = node.subAttributes.get(name);
  if (sub === undefined) return "unknown";
  if (sub.attribute.returned === "never") return "hidden";
  return { ...boundPath(sub, [sub.attribute.name]), multiValued: sub.attribute.multiValued };
}

/** An attribute as a filter or a sort compares it. */
export function boundPath(node: AttributeNode, keys: readonly string[]): BoundPath<AttributeNode> {
  const { attribute, parent } = node;
  return {
    keys,
    path: node.path,
    type: attribute.type,
    caseExact: attribute.caseExact,
    multiValued: attribute.multiValued || (parent?.attribute.multiValued ?? false),
    missingIsFalse:
      attribute.type === "boolean" &&
      attribute.name === "primary" &&
      (parent?.attribute.multiValued ?? false),
    handle: node,
  };
}

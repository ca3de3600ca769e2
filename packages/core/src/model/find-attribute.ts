/**
 * Finds the attribute that a path names (RFC 7644 §3.10): letter case does not matter, the URN of the
 * base schema may be left out.
 * @module
 */
import type { AttributePath } from "@scim/filter";
import type { AttributeNode } from "./attribute-node.ts";
import type { ResourceModel } from "./resource-model.ts";

/** A node that a path names, and whether it was found only by leaving the extension's URN out. */
export interface FoundAttribute {
  readonly node: AttributeNode;
  readonly unqualified: boolean;
}

/** The attribute of a path, or null where the resource type has none of that name. */
export function findAttribute(model: ResourceModel, path: AttributePath): FoundAttribute | null {
  const top = path.urn === null ? findUnprefixed(model, path.attribute) : findPrefixed(model, path, path.urn);
  if (top === null || path.subAttribute === null) return top;
  if (top.node.extension !== null && top.node.path === top.node.extension) return null;
  const sub = top.node.subAttributes.get(path.subAttribute.toLowerCase());
  return sub === undefined ? null : { node: sub, unqualified: top.unqualified };
}

function findUnprefixed(model: ResourceModel, name: string): FoundAttribute | null {
  const lower = name.toLowerCase();
  const own = model.members.get(lower);
  if (own !== undefined) return { node: own, unqualified: false };
  const inExtensions = [...model.extensions.values()].flatMap((extension) => {
    const node = extension.node.subAttributes.get(lower);
    return node === undefined ? [] : [node];
  });
  const [only, ...others] = inExtensions;
  return only === undefined || others.length > 0 ? null : { node: only, unqualified: true };
}

function findPrefixed(model: ResourceModel, path: AttributePath, urn: string): FoundAttribute | null {
  const lower = urn.toLowerCase();
  const name = path.attribute.toLowerCase();
  if (lower === model.schema.toLowerCase()) {
    const own = model.members.get(name);
    return own === undefined ? null : { node: own, unqualified: false };
  }
  const inExtension = model.extensions.get(lower)?.node.subAttributes.get(name);
  if (inExtension !== undefined) return { node: inExtension, unqualified: false };
  const extension = model.extensions.get(`${lower}:${name}`);
  return extension === undefined ? null : { node: extension.node, unqualified: false };
}

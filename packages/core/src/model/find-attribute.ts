/**
 * Finds the attribute that a path names (RFC 7644 §3.10): letter case does not matter, the URN of the
 * base schema may be left out.
 * @module
 */
import type { AttributePath } from "@scim/filter";
import type { AttributeNode } from "./attribute-node.ts";
import type { ResourceModel } from "./resource-model.ts";

/** A node that a path names, and whether it was found only by writing the extension's URN otherwise, or not at all. */
export interface FoundAttribute {
  readonly node: AttributeNode;
  readonly unqualified: boolean;
}

/** An attribute that a path begins with. */
export interface FoundTop extends FoundAttribute {
  /** The name behind it, or null. */
  readonly subAttribute: string | null;
}

/** The attribute of a path, or null where the resource type has none of that name. */
export function findAttribute(model: ResourceModel, path: AttributePath): FoundAttribute | null {
  const top = findTop(model, path);
  if (top === null || top.subAttribute === null) return top;
  const sub = top.node.subAttributes.get(top.subAttribute.toLowerCase());
  return sub === undefined ? null : { node: sub, unqualified: top.unqualified };
}

/** The attribute that a path begins with, or null where the resource type has none of that name. */
export function findTop(model: ResourceModel, path: AttributePath): FoundTop | null {
  const { urn, attribute, subAttribute } = path;
  const top = urn === null ? findUnprefixed(model, attribute) : findPrefixed(model, path, urn);
  const isAttribute = top !== null && top.node.path !== top.node.extension;
  if (isAttribute || urn === null || subAttribute === null)
    return top === null ? null : { ...top, subAttribute };
  // A dot for the colon behind the URN.
  const node = membersOf(model, `${urn}:${attribute}`)?.get(subAttribute.toLowerCase());
  return node === undefined ? null : { node, unqualified: true, subAttribute: null };
}

/** The attributes of a schema, or null where a URN names none of the resource type's. */
function membersOf(model: ResourceModel, urn: string): ReadonlyMap<string, AttributeNode> | null {
  const lower = urn.toLowerCase();
  if (lower === model.schema.toLowerCase()) return model.members;
  return model.extensions.get(lower)?.node.subAttributes ?? null;
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
  const own = membersOf(model, lower)?.get(name);
  if (own !== undefined) return { node: own, unqualified: false };
  if (lower === model.schema.toLowerCase()) return null;
  const extension = model.extensions.get(`${lower}:${name}`);
  return extension === undefined ? null : { node: extension.node, unqualified: false };
}

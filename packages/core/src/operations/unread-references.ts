/**
 * What a PATCH must know of references that it did not read: only whether there are any.
 * @module
 */
import { isJsonArray } from "@scim/schemas";
import { valueAt, type MutableObject } from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { requiredValue } from "../patch/mutability.ts";
import type { CollectionValues } from "../plan/collections.ts";
import type { StoredResource } from "../store/stored-resource.ts";
import { scopeOf } from "../store/scope.ts";
import { lackingValue } from "../validation/validator.ts";

/** A resource after the operations of a PATCH. */
export interface PatchedResource {
  readonly stored: StoredResource;
  readonly model: ResourceModel;
  readonly resource: MutableObject;
  /** The references that were read before. */
  readonly known: CollectionValues;
  /** Collections that hold nothing of what they held but what was given. */
  readonly renewed: Pick<ReadonlyMap<AttributeNode, unknown>, "has">;
}

/** Keeps an extension that lost all that is known of it, but holds references that were not read. */
export async function keepExtensions(
  environment: Environment,
  context: RequestContext,
  patched: PatchedResource,
): Promise<void> {
  const { stored, model, resource } = patched;
  for (const { node } of model.collections) {
    const { extension } = node;
    if (extension === null || !Object.hasOwn(stored.body, extension) || Object.hasOwn(resource, extension))
      continue;
    if (await holdsUnread(environment, context, { ...patched, node })) resource[extension] = {};
  }
}

/**
 * Checks that required collections have a value, read or not.
 * @throws ScimError naming the attribute: `mutability` where the last value would go, `invalidValue` where there never
 *   was one
 */
export async function requireReferences(
  environment: Environment,
  context: RequestContext,
  patched: PatchedResource,
): Promise<void> {
  const { model, resource, known, renewed } = patched;
  for (const { node } of model.collections) {
    const { extension } = node;
    if (!node.attribute.required || (extension !== null && !Object.hasOwn(resource, extension))) continue;
    const value = valueAt(resource, node.keys);
    if (isJsonArray(value) && value.length > 0) continue;
    if (isUntouched(node, patched) || (await holdsUnread(environment, context, { ...patched, node })))
      continue;
    if (renewed.has(node) || (known.get(node)?.length ?? 0) > 0) throw requiredValue(node);
    throw lackingValue(node.path);
  }
}

/** Whether no operation speaks of a collection, and its extension was there. */
function isUntouched(node: AttributeNode, { stored, known, renewed }: PatchedResource): boolean {
  if (known.has(node) || renewed.has(node)) return false;
  return node.extension === null || Object.hasOwn(stored.body, node.extension);
}

/** Whether a collection holds more than was read of it. */
export async function holdsUnread(
  environment: Environment,
  context: RequestContext,
  { stored, known, renewed, node }: PatchedResource & { readonly node: AttributeNode },
): Promise<boolean> {
  if (renewed.has(node)) return false;
  const read = known.get(node)?.length ?? 0;
  const owner = { type: stored.type, id: stored.id, path: node.path };
  const values = await environment.store.references(scopeOf(context), owner, { first: read + 1 });
  return values.length > read;
}

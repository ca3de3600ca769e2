/**
 * References of attributes that are immutable, which are rows of the store and no part of the body: a change keeps
 * them or is refused (RFC 7644 §3.5.1, §3.5.2).
 * @module
 */
import { isJsonObject, type JsonObject } from "@scim/schemas";
import { keepRequired, otherImmutable } from "../attributes/immutable.ts";
import { isMutableObject, own, ownMutable, type MutableObject } from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ExtensionModel } from "../model/attribute-tree.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { immutableValue } from "../patch/mutability.ts";
import { collectionDeltas, type CollectionValues } from "../plan/collections.ts";
import type { ReferenceValue } from "../store/stored-resource.ts";
import { holdsUnread, type PatchedResource } from "./unread-references.ts";

/** What a PUT makes of a resource and its references. */
export interface ReplacedReferences {
  readonly model: ResourceModel;
  /** The body before, as sent, and as it will be: to that is added what an extension requires. */
  readonly body: { readonly before: JsonObject; readonly sent: JsonObject; readonly after: MutableObject };
  /** All references before, and those that the request gives. */
  readonly known: CollectionValues;
  readonly wanted: CollectionValues;
}

/**
 * The references that a PUT leads to: immutable ones that were left out stay, and so does what is required of an
 * extension that stays for what is immutable in it.
 * @throws ScimError `mutability` for immutable references that are others than before
 */
export function keepReferences(replaced: ReplacedReferences): CollectionValues {
  const references = new Map(replaced.wanted);
  for (const [node, before] of replaced.known) {
    if (node.attribute.mutability !== "immutable" || before.length === 0) continue;
    const after = references.get(node) ?? [];
    if (after.length === 0) references.set(node, before);
    else if (collectionDeltas(new Map([[node, before]]), new Map([[node, after]])).length > 0)
      throw otherImmutable(node);
  }
  for (const extension of replaced.model.extensions.values()) keepExtension(extension, replaced, references);
  return references;
}

/** Where an extension was left out, but something in it stays, what it requires stays too. */
function keepExtension(
  { urn, node }: ExtensionModel,
  { body, known }: ReplacedReferences,
  references: Map<AttributeNode, readonly ReferenceValue[]>,
): void {
  const before = own(body.before, urn);
  if (!isJsonObject(before) || Object.hasOwn(body.sent, urn)) return;
  const held = ownMutable(body.after, urn);
  const hasReferences = [...references.keys()].some(({ extension }) => extension === urn);
  if (!hasReferences && held === undefined) return;
  const values = isMutableObject(held) ? held : {};
  keepRequired(node.subAttributes, before, values);
  body.after[urn] = values;
  for (const [collection, present] of known) {
    const { extension, attribute } = collection;
    if (extension === urn && attribute.required && present.length > 0) references.set(collection, present);
  }
}

/**
 * Refuses a PATCH that gives more references to an immutable attribute that has some.
 * @throws ScimError `mutability`
 */
export async function refuseMoreReferences(
  environment: Environment,
  context: RequestContext,
  patched: PatchedResource & { readonly wanted: CollectionValues },
): Promise<void> {
  const { known, wanted } = patched;
  for (const [node, after] of wanted) {
    if (node.attribute.mutability !== "immutable") continue;
    const before = known.get(node) ?? [];
    const [change] = collectionDeltas(new Map([[node, before]]), new Map([[node, after]]));
    if (change === undefined) continue;
    if (before.length > 0 || (await holdsUnread(environment, context, { ...patched, node })))
      throw immutableValue(node);
  }
}

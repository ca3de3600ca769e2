/**
 * The attributes that a PUT leads to: those of its body, and what a PUT cannot change.
 * @module
 */
import { ScimError, type JsonValue } from "@scim/schemas";
import { isPresentValue } from "../attributes/equal.ts";
import { keepHidden } from "../attributes/hidden.ts";
import { keepImmutable, keepReadOnly } from "../attributes/immutable.ts";
import {
  copyObject,
  isMutableObject,
  ownMutable,
  valueAt,
  type MutableObject,
} from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { CollectionValues } from "../plan/collections.ts";
import type { Selection } from "../projection/selection.ts";
import type { PlannedSecrets } from "../secrets/request-secrets.ts";
import type { StoredResource } from "../store/stored-resource.ts";

/** What a body asks for. */
export interface Replacement {
  readonly model: ResourceModel;
  readonly selection: Selection;
  /** As sent, without collections. */
  readonly body: MutableObject;
  readonly wanted: CollectionValues;
  readonly secrets: PlannedSecrets;
  /** Attributes whose value in the body is their default. */
  readonly defaulted: ReadonlySet<AttributeNode>;
  /** ReadOnly values of the body, which must not differ where the profile does not ignore them. */
  readonly readOnly: ReadonlyMap<AttributeNode, JsonValue>;
}

/**
 * The attributes that a body leads to, collections aside. What is never returned and was not given stays: who sends back
 * what they read could not tell it.
 */
export function replacedBody(
  input: Replacement & { readonly stored: StoredResource },
  context: RequestContext,
): MutableObject {
  const { model, stored } = input;
  checkReadOnly(input, context);
  const body = copyObject(input.body);
  dropDefaults(input, body);
  const keepUnseen = (): void => {
    if (model.hidden.length > 0) keepHidden(model.members, stored.body, body);
  };
  keepUnseen();
  keepReadOnly(model.members, stored.body, body);
  keepImmutable(model.members, stored.body, body);
  // Once more, within values that are there again for what is readOnly or immutable in them.
  keepUnseen();
  return body;
}

/** A default gives way to the value that the resource has where that is immutable, or nobody sees it (RFC 7644 §3.5.1). */
function dropDefaults(
  { defaulted, stored }: Replacement & { readonly stored: StoredResource },
  body: MutableObject,
): void {
  for (const { attribute, extension, keys } of defaulted) {
    const holder = extension === null ? body : ownMutable(body, extension);
    const isKept = attribute.mutability === "immutable" || attribute.returned === "never";
    if (!isKept || valueAt(stored.body, keys) === undefined) continue;
    if (isMutableObject(holder)) delete holder[attribute.name];
  }
}

/** `meta` and derived attributes are ignored; others that differ are refused unless the profile ignores them too. */
function checkReadOnly(
  input: Replacement & { readonly stored: StoredResource },
  context: RequestContext,
): void {
  for (const [node, value] of input.readOnly) {
    if (node.storage === "inverse" || (node.storage === "column" && node.attribute.name === "meta")) continue;
    const current =
      node.attribute.name === "id" && node.storage === "column"
        ? input.stored.id
        : valueAt(input.stored.body, node.keys);
    if (isPresentValue(node, current, value)) continue;
    if (!context.profile.switches.has("ignore-read-only")) {
      throw new ScimError(
        "mutability",
        `Attribute '${node.path}' is readOnly: send its present value, or leave it out.`,
      );
    }
    context.onSwitch("ignore-read-only", node.path);
  }
}

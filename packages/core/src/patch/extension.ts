/**
 * Operations on an extension as a whole, as one for each of its attributes: so every later step sees attributes.
 * @module
 */
import { isJsonObject, ScimError, type JsonObject } from "@scim/schemas";
import { givenTwice, meantValue, refuseUnknown } from "../attributes/decode.ts";
import { own } from "../attributes/json-object.ts";
import { withoutValues } from "../attributes/without-values.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { BoundOperation } from "./apply.ts";
import { isUnassigned } from "./singular.ts";
import type { BindingContext } from "./state.ts";

/**
 * The operations that one comes to; itself where its target is no extension. ReadOnly attributes are ignored, as
 * they are inside every value.
 * @throws ScimError `invalidValue` where the value is no object, or an attribute is unknown and not tolerated;
 *   `invalidSyntax` for names equal but for letter case
 */
export function onAttributes(operation: BoundOperation, context: BindingContext): readonly BoundOperation[] {
  const { target, change } = operation;
  const extension = target.attribute;
  if (extension.extension !== extension.path) return [operation];
  if (change.op === "remove" || isUnassigned(change.value)) {
    return change.op === "add" ? [] : removals(extension, context);
  }
  const value = meantValue(extension, change.value, context.decode);
  if (!isJsonObject(value)) {
    throw new ScimError(
      "invalidValue",
      `The value of extension '${extension.path}' must be an object whose members are attributes.`,
    );
  }
  return settings(extension, { op: change.op, value }, context);
}

function removals(extension: AttributeNode, { target }: BindingContext): readonly BoundOperation[] {
  const withExtension = target.model.extensions.get(extension.path.toLowerCase())?.required === false;
  return [...extension.subAttributes.values()]
    .filter(isWritable)
    .map((node) => ({ target: wholeOf(node), change: { op: "remove", value: undefined, withExtension } }));
}

function settings(
  extension: AttributeNode,
  change: { readonly op: "add" | "replace"; readonly value: JsonObject },
  context: BindingContext,
): readonly BoundOperation[] {
  const bound: BoundOperation[] = [];
  const seen = new Set<string>();
  for (const key of Object.keys(change.value)) {
    const lower = key.toLowerCase();
    if (seen.has(lower)) throw givenTwice(`${extension.path}:${withoutValues(key)}`);
    seen.add(lower);
    const value = own(change.value, key);
    const node = extension.subAttributes.get(lower);
    if (value === undefined) continue;
    if (node === undefined) refuseUnknown(`${extension.path}:${withoutValues(key)}`, context.decode);
    else if (isWritable(node)) bound.push({ target: wholeOf(node), change: { op: change.op, value } });
  }
  return bound;
}

function isWritable(node: AttributeNode): boolean {
  return node.attribute.mutability !== "readOnly";
}

function wholeOf(node: AttributeNode): BoundOperation["target"] {
  return { attribute: node, sub: null, filter: null, path: node.path };
}

/**
 * What stands beside the `value` of a reference that stays in a list: `type` and `display` of members are immutable
 * (RFC 7643 §4.2), so they stay as they were first sent.
 * @module
 */
import { ScimError, type JsonObject } from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ReferenceValue } from "../store/stored-resource.ts";
import type { DecodeContext } from "./decode.ts";
import { isPresentValue } from "./equal.ts";
import { copy, copyObject, own, ownMutable, type MutableObject } from "./json-object.ts";

type DetailContext = Pick<DecodeContext, "profile" | "onSwitch">;

/**
 * Carries the immutable details of a reference that stays over, in place. Others are ignored, or refused where the
 * profile says so; what it had none of may be added.
 * @throws ScimError `mutability`
 */
export function keepDetails(
  node: AttributeNode,
  change: { readonly before: JsonObject; readonly after: MutableObject },
  context: DetailContext,
): void {
  const { before, after } = change;
  for (const sub of node.subAttributes.values()) {
    const { name, mutability } = sub.attribute;
    const was = own(before, name);
    if (mutability !== "immutable" || was === undefined) continue;
    const is = ownMutable(after, name);
    if (is !== undefined && !isPresentValue(sub, was, is)) refuse(sub, context);
    after[name] = copy(was);
  }
}

function refuse(sub: AttributeNode, context: DetailContext): void {
  if (!context.profile.switches.has("ignore-read-only")) {
    throw new ScimError(
      "mutability",
      `Attribute '${sub.path}' is immutable: send the present one of each value that stays, or leave it out.`,
    );
  }
  context.onSwitch("ignore-read-only", sub.path);
}

/**
 * The references of a list that replaces another, those that stay with their immutable details.
 * @throws ScimError `mutability`
 */
export function withKeptDetails(
  node: AttributeNode,
  change: { readonly before: readonly ReferenceValue[]; readonly after: readonly ReferenceValue[] },
  context: DetailContext,
): readonly ReferenceValue[] {
  const known = new Map(change.before.map(({ value, rest }) => [value, rest]));
  return change.after.map((reference) => {
    const before = known.get(reference.value);
    if (before === undefined) return reference;
    const after = copyObject(reference.rest);
    keepDetails(node, { before, after }, context);
    return { value: reference.value, rest: after };
  });
}

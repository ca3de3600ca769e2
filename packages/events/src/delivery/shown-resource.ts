/**
 * A resource as receivers of whole payloads are shown it.
 * @module
 */
import { schemasOf, type AttributeNode, type FeedEvent, type ResourceModel } from "@scim/core";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { sensitivityOf } from "../audit/sensitivity.ts";

/**
 * The resource that an event led to, with its schemas and id and without what is annotated as secret; null where it was
 * deleted, where only collections changed, and where its type is not served any more.
 */
export function shownResource({ id, after }: FeedEvent, model: ResourceModel | null): JsonObject | null {
  if (after === null || model === null) return null;
  return { schemas: schemasOf(model, after), id, ...withoutSecrets(after, model.members) };
}

/** A value of a member without what is annotated as secret; undefined where all of it is. */
export function shownValue(value: JsonValue, node: AttributeNode | undefined): JsonValue | undefined {
  if (node === undefined || node.subAttributes.size === 0)
    return sensitivityOf(node) === "secret" ? undefined : value;
  return inside(value, node);
}

function withoutSecrets(object: JsonObject, nodes: ReadonlyMap<string, AttributeNode>): JsonObject {
  const shown = Object.entries(object).flatMap(([name, value]): [string, JsonValue][] => {
    const kept = shownValue(value, nodes.get(name.toLowerCase()));
    return kept === undefined ? [] : [[name, kept]];
  });
  return Object.fromEntries(shown);
}

function inside(value: JsonValue, node: AttributeNode): JsonValue {
  if (Array.isArray(value)) return value.map((each: JsonValue) => inside(each, node));
  return isJsonObject(value) ? withoutSecrets(value, node.subAttributes) : value;
}

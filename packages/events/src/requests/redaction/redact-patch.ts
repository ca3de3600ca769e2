/**
 * Redacts PATCH requests (RFC 7644 §3.5.2): each operation by the attribute that it is about.
 * @module
 */
import type { ResourceModel } from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { redactPath } from "./redact-filter.ts";
import type { Redaction } from "./redaction.ts";
import {
  memberOf,
  redactMembers,
  redactPlain,
  redactValue,
  shownMembers,
  shownValues,
  type ValuePlace,
} from "./redact-value.ts";

/** How a PATCH is read. */
interface PatchReading {
  readonly redaction: Redaction;
  /** The resource type that the address names; null for none. */
  readonly model: ResourceModel | null;
}

/** Redacts the body of a PATCH request. Beside the operations it may hold a resource, as some clients send one in their place. */
export function redactPatch({ redaction, model }: PatchReading, body: JsonObject): JsonObject {
  return shownMembers(redaction, { object: body, path: "" }, (name, value, path) => {
    const known = name.toLowerCase();
    if (known === "schemas") return redactPlain(redaction, value);
    if (known !== "operations")
      return redactValue(redaction, value, { node: model?.members.get(known), path });
    const list = isJsonArray(value) ? value : [value];
    return shownValues(redaction, { list, path }, (each) =>
      redactOperation({ redaction, model }, each, path),
    );
  });
}

/** Redacts one operation, of a PATCH or of what a dry run would change. */
export function redactOperation(
  { redaction, model }: PatchReading,
  operation: JsonValue,
  place: string,
): JsonValue {
  if (!isJsonObject(operation)) return redactValue(redaction, operation, { node: undefined, path: place });
  const path = memberOf(operation, "path");
  const target = typeof path === "string" ? redactPath(redaction, path, model) : null;
  return shownMembers(redaction, { object: operation, path: place }, (name, value, at) => {
    switch (name.toLowerCase()) {
      case "op":
        return typeof value === "string" && /^(?:add|remove|replace)$/i.test(value)
          ? redaction.plain(value)
          : redactValue(redaction, value, { node: undefined, path: at });
      case "path":
        return target === null ? redactValue(redaction, value, { node: undefined, path: at }) : target.text;
      case "value":
        if (target !== null) return redactTarget(redaction, value, { node: target.node, path: at });
        return isJsonObject(value)
          ? redactPaths({ redaction, model }, value, at)
          : redactValue(redaction, value, { node: undefined, path: at });
      default:
        return redactValue(redaction, value, { node: undefined, path: at });
    }
  });
}

/** The value of an attribute, or an object that holds it once more by its name, as in `{"members": […]}`. */
function redactTarget(redaction: Redaction, value: JsonValue, place: ValuePlace): JsonValue {
  const { node, path } = place;
  if (!isJsonObject(value) || node === undefined) return redactValue(redaction, value, place);
  const nodes = new Map([[node.attribute.name.toLowerCase(), node], ...node.subAttributes]);
  return redactMembers(redaction, { object: value, path }, nodes);
}

/** A value without a path: its names are those of attributes, or paths of their own. */
function redactPaths({ redaction, model }: PatchReading, value: JsonObject, path: string): JsonObject {
  return shownMembers(redaction, { object: value, path }, (name, each, at) => {
    const node = model?.members.get(name.toLowerCase()) ?? redactPath(redaction, name, model).node;
    return redactValue(redaction, each, { node, path: at });
  });
}

/**
 * Attributes that an application states, in normal form: names spelled as the schema spells them, nulls and empty
 * values dropped, lists made where one value was given. Of types, only what kind of value of JSON it is is checked here.
 * @module
 */
import {
  isJsonArray,
  isJsonObject,
  type AttributeType,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { isSecret } from "../model/secrets.ts";
import type { MutableObject, MutableValue } from "./json-object.ts";
import { isAddress } from "./reference.ts";

/** What values of attribute types are in JSON; of all others they are text. */
const KINDS: ReadonlyMap<AttributeType, "boolean" | "number"> = new Map([
  ["boolean", "boolean"],
  ["decimal", "number"],
  ["integer", "number"],
]);

/** Who states attributes. */
export interface Stating {
  /** As errors name it: `The handler of User`. */
  readonly by: string;
  /** Called with the path of what is no attribute that a store keeps: it is left out. */
  readonly onOther: (path: string) => void;
}

/**
 * The attributes of a resource, reference collections included; what is derived, secret or unknown is left out.
 * @throws TypeError where a value is of another kind than the attribute's
 */
export function statedAttributes(model: ResourceModel, stated: JsonObject, stating: Stating): MutableObject {
  if (!mayHaveMembers(stated))
    throw new TypeError(
      `${stating.by} stated attributes as no plain object, but a promise, a Map or the like`,
    );
  return statedMembers(stated, { nodes: model.members, holder: null, stating });
}

interface MembersPlace {
  readonly nodes: ReadonlyMap<string, AttributeNode>;
  /** The attribute whose value they are; null for the resource itself. */
  readonly holder: AttributeNode | null;
  readonly stating: Stating;
}

function statedMembers(stated: JsonObject, { nodes, holder, stating }: MembersPlace): MutableObject {
  const result: MutableObject = {};
  for (const [name, value] of Object.entries(stated)) {
    const node = nodes.get(name.toLowerCase());
    if (node === undefined || !isKept(node)) {
      stating.onOther(holder === null ? name : `${holder.path}.${name}`);
      continue;
    }
    // The address of what a reference names is made anew where it is read.
    if (holder !== null && isAddress(holder, node)) continue;
    const kept = statedValue(node, value, stating);
    if (kept !== undefined) result[node.attribute.name] = kept;
  }
  return result;
}

function isKept(node: AttributeNode): boolean {
  return (node.storage === "value" || node.storage === "collection") && !isSecret(node);
}

function statedValue(node: AttributeNode, value: JsonValue, stating: Stating): MutableValue | undefined {
  if (!node.attribute.multiValued) return statedOne(node, value, stating);
  const list = isJsonArray(value) ? value : [value];
  const values = list.map((each) => statedOne(node, each, stating)).filter((each) => each !== undefined);
  return values.length === 0 ? undefined : values;
}

function statedOne(
  node: AttributeNode,
  value: JsonValue | undefined,
  stating: Stating,
): MutableValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (node.attribute.type !== "complex") {
    const kind = KINDS.get(node.attribute.type) ?? "string";
    const isOne = typeof value === kind && (typeof value !== "number" || Number.isFinite(value));
    if (!isOne || typeof value === "object")
      throw new TypeError(`${stating.by} stated attribute '${node.path}' as no ${kind}`);
    return value;
  }
  if (!isJsonObject(value) || !mayHaveMembers(value))
    throw new TypeError(`${stating.by} stated attribute '${node.path}' as no object`);
  const members = statedMembers(value, { nodes: node.subAttributes, holder: node, stating });
  return Object.keys(members).length === 0 ? undefined : members;
}

/**
 * Whether an object can be one of JSON. A promise that nobody waited for, a Map and a date have no members: they would pass
 * for an object without values, and what they stand for would be lost.
 */
function mayHaveMembers(value: JsonObject): boolean {
  if (Object.keys(value).length > 0) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm have another `Object.prototype`.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

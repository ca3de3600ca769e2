/**
 * Attributes that a write gives, of those whose answer depends on it: what is returned on request (RFC 7643 §7).
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { own } from "../attributes/json-object.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";

/** Collects what a write gives. */
export class GivenAttributes {
  readonly #model: ResourceModel;
  readonly #nodes = new Set<AttributeNode>();

  constructor(model: ResourceModel) {
    this.#model = model;
  }

  get nodes(): ReadonlySet<AttributeNode> {
    return this.#nodes;
  }

  /** Adds the attributes of a resource. */
  addAll(resource: JsonObject): void {
    if (this.#model.onRequest.size > 0) this.#addMembers(resource, this.#model.members);
  }

  /** Adds an attribute with its value, as it was sent, and what is given within it. */
  add(node: AttributeNode, value: JsonValue | undefined): void {
    if (!this.#model.onRequest.has(node)) return;
    this.#nodes.add(node);
    if (isJsonArray(value)) for (const each of value) this.add(node, each);
    else if (isJsonObject(value)) this.#addMembers(value, node.subAttributes);
  }

  #addMembers(object: JsonObject, members: ReadonlyMap<string, AttributeNode>): void {
    for (const name of Object.keys(object)) {
      const node = members.get(name.toLowerCase());
      if (node !== undefined) this.add(node, own(object, name));
    }
  }
}

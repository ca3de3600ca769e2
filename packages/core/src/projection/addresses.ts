/**
 * The addresses of resources, and of what references name.
 * @module
 */
import { isJsonObject, referencedTypes, type JsonObject, type JsonValue } from "@scim/schemas";
import { own } from "../attributes/json-object.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { ReferenceValue } from "../store/stored-resource.ts";

/** What addresses are made of. */
export interface AddressPlace {
  /** The model of the resource that holds the references. */
  readonly model: ResourceModel;
  /** Base of all locations, without a trailing slash. */
  readonly baseUrl: string;
}

/** The absolute address of a resource. */
export function locationOf(model: ResourceModel, id: string, baseUrl: string): string {
  return addressAt(`${baseUrl}${model.definition.endpoint}`, id);
}

/** What stands in an address as it is (RFC 3986 §2.3), as almost every id does: to see that is far less work than to encode. */
const UNRESERVED = /^[\w.~-]*$/;

/** The address of an id at an endpoint, whose own address is absolute. */
export function addressAt(endpoint: string, id: string): string {
  return `${endpoint}/${UNRESERVED.test(id) ? id : encodeURIComponent(id)}`;
}

/** The address of what a stored value of a singular reference names, where there is one and its type is known. */
export function addressIn(
  place: AddressPlace,
  node: AttributeNode,
  held: JsonValue | undefined,
): string | undefined {
  const id = isJsonObject(held) ? own(held, "value") : undefined;
  return isJsonObject(held) && typeof id === "string"
    ? addressOf(place, node, { id, type: own(held, "type") })
    : undefined;
}

/** The address of what a reference names, where its type is known. */
function addressOf(
  place: AddressPlace,
  node: AttributeNode,
  reference: { readonly id: string; readonly type: JsonValue | undefined },
): string | undefined {
  const types = referencedTypes(node.attribute);
  const type =
    typeof reference.type === "string" ? reference.type : types.length === 1 ? types[0] : undefined;
  const endpoint = type === undefined ? undefined : place.model.endpoints.get(type);
  return endpoint === undefined ? undefined : addressAt(`${place.baseUrl}${endpoint}`, reference.id);
}

/** References of a collection, each with its `$ref` where the type is known. */
export function withAddresses(
  node: AttributeNode,
  values: readonly ReferenceValue[],
  place: AddressPlace,
): readonly JsonObject[] {
  return values.map(({ value, rest }) => {
    const address = addressOf(place, node, { id: value, type: own(rest, "type") });
    return address === undefined ? { value, ...rest } : { value, $ref: address, ...rest };
  });
}

/**
 * References to resources (`members`, `manager`, …): form is checked, existence never. `$ref` is checked,
 * used to learn the type, and never stored: answers make it anew.
 * @module
 */
import { isJsonArray, ScimError, type JsonObject } from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import { referencedTypes, type ResourceModel } from "../model/resource-model.ts";
import { own, ownMutable, type MutableObject } from "./json-object.ts";

/** RFC 3986 unreserved characters: what an id made by our stores is made of. */
const RESOURCE_ID = /^[A-Za-z0-9._~-]{1,128}$/;
/** No white space, no control characters, nothing that a URI reference must escape. */
const URI_REFERENCE = /^[^\s<>"{}|\\^`\p{Cc}]+$/u;
/** The end of a reference: endpoint and id. */
const ENDPOINT_AND_ID = /(?:^|\/)([A-Za-z][\w-]*)\/([^/?#]+)$/;

interface ReferencePlace {
  /** The value's members, names bound. */
  readonly members: MutableObject;
  /** For messages: the attribute with its index. */
  readonly path: string;
  readonly model: ResourceModel;
}

/**
 * Checks one value of an attribute that refers to resources, and drops its `$ref`.
 * @throws ScimError `invalidValue` for a malformed id or `$ref`, an unknown type, or a member without value
 */
export function bindReference(node: AttributeNode, raw: JsonObject, place: ReferencePlace): MutableObject {
  const types = referencedTypes(node.attribute);
  const { members, path } = place;
  if (types.length === 0) return members;
  const reference = takeReference(raw, members, path);
  const [, endpoint, id] = (reference === null ? null : ENDPOINT_AND_ID.exec(reference)) ?? [];
  const named = endpoint === undefined ? undefined : typeOfEndpoint(place.model, endpoint, types);
  if (ownMutable(members, "value") === undefined && named !== undefined && id !== undefined)
    members["value"] = id;
  if (node.storage === "collection") requireId(members, path);
  if (node.subAttributes.has("type")) bindType(members, { types, named, path });
  return members;
}

function takeReference(raw: JsonObject, members: MutableObject, path: string): string | null {
  const name = Object.keys(raw).find((each) => each.toLowerCase() === "$ref");
  delete members["$ref"];
  const reference = name === undefined ? undefined : own(raw, name);
  if (reference === undefined || reference === null || reference === "") return null;
  if (isJsonArray(reference) && reference.length === 0) return null;
  if (typeof reference !== "string" || !URI_REFERENCE.test(reference)) {
    throw new ScimError(
      "invalidValue",
      `Attribute '${path}.$ref' must be a URI, absolute or relative to the base URL.`,
    );
  }
  return reference;
}

function typeOfEndpoint(
  model: ResourceModel,
  endpoint: string,
  types: readonly string[],
): string | undefined {
  const wanted = `/${endpoint.toLowerCase()}`;
  return types.find((type) => model.endpoints.get(type)?.toLowerCase() === wanted);
}

function requireId(members: MutableObject, path: string): void {
  const value = ownMutable(members, "value");
  if (value === undefined || value === "") {
    throw new ScimError("invalidValue", `Attribute '${path}.value' is required: give the id of a resource.`);
  }
  if (typeof value !== "string" || !RESOURCE_ID.test(value)) {
    throw new ScimError(
      "invalidValue",
      `Attribute '${path}.value' must be a resource id: 1 to 128 letters, digits, '-', '.', '_' or '~'.`,
    );
  }
}

function bindType(
  members: MutableObject,
  known: { readonly types: readonly string[]; readonly named: string | undefined; readonly path: string },
): void {
  const given = ownMutable(members, "type");
  if (given === undefined) {
    // Where there is one type, answers make the same $ref with and without it: what is read must write back the same.
    if (known.named !== undefined && known.types.length > 1) members["type"] = known.named;
    return;
  }
  const type =
    typeof given === "string"
      ? known.types.find((each) => each.toLowerCase() === given.toLowerCase())
      : undefined;
  if (type === undefined) {
    throw new ScimError(
      "invalidValue",
      `Attribute '${known.path}.type' must be one of: ${known.types.join(", ")}.`,
    );
  }
  members["type"] = type;
}

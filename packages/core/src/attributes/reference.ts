/**
 * References to resources (`members`, `manager`, …): form is checked, existence never. `$ref` is checked,
 * used to learn the type, and never stored: answers make it anew.
 * @module
 */
import {
  isJsonArray,
  namedTypes,
  referencedTypes,
  ScimError,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { IdForm } from "../store/capabilities.ts";
import { own, ownMutable, type MutableObject, type MutableValue } from "./json-object.ts";

/** No white space, no control characters, nothing that a URI reference must escape. */
const URI_REFERENCE = /^[^\s<>"{}|\\^`\p{Cc}]+$/u;
/** The end of a reference: endpoint and id. */
const ENDPOINT_AND_ID = /(?:^|\/)([A-Za-z][\w-]*)\/([^/?#]+)$/;

/** Whether a sub-attribute is the address of what a value of the attribute refers to. */
export function isAddress(node: AttributeNode, sub: AttributeNode): boolean {
  return sub.attribute.name === "$ref" && referencedTypes(node.attribute).length > 0;
}

/**
 * Whether a value is the empty id of an attribute that refers to one resource: none has it, so it names none. Where an id is
 * required it is refused instead.
 */
export function isEmptyId(node: AttributeNode, value: JsonValue | undefined): boolean {
  const { attribute, parent } = node;
  if (value !== "" || attribute.name !== "value" || attribute.required || parent === null) return false;
  return !parent.attribute.multiValued && referencedTypes(parent.attribute).length > 0;
}

/** Where a reference stands. */
interface ReferencePlace {
  /** The value's members, names bound. */
  readonly members: MutableObject;
  /** For messages: the attribute with its index. */
  readonly path: string;
  readonly model: ResourceModel;
  /** Whether the value is part of one that has an id. */
  readonly isPart?: boolean | undefined;
}

/**
 * Checks one value of an attribute that refers to resources, and drops its `$ref`.
 * @throws ScimError `invalidValue` for a malformed id or `$ref`, an unknown type, or a member without value
 */
export function bindReference(node: AttributeNode, raw: JsonObject, place: ReferencePlace): MutableObject {
  const types = referencedTypes(node.attribute);
  const { members, path } = place;
  if (types.length === 0) return members;
  delete members["$ref"];
  const named = namedBy(node, raw, place);
  if (ownMutable(members, "value") === undefined && named !== null) members["value"] = named.id;
  if (node.storage === "collection" && !(place.isPart === true && ownMutable(members, "value") === undefined))
    requireId(members, path, idForms(node, place.model));
  if (node.subAttributes.has("type")) bindType(members, { types, named: named?.type, path });
  return members;
}

/**
 * The resource that the address of a reference names; null where there is none, or its endpoint is unknown.
 * @throws ScimError `invalidValue` for what is no address, or one of a type that the attribute does not refer to
 */
export function namedBy(
  node: AttributeNode,
  raw: JsonObject,
  { model, path }: Pick<ReferencePlace, "model" | "path">,
): { readonly type: string; readonly id: string } | null {
  const [, endpoint, segment] = ENDPOINT_AND_ID.exec(addressIn(raw, path) ?? "") ?? [];
  const type = endpoint === undefined ? undefined : typeOfEndpoint(model, endpoint);
  if (type === undefined || segment === undefined) return null;
  const types = referencedTypes(node.attribute);
  if (!types.includes(type)) throw wrongType(`${path}.$ref`, types);
  return { type, id: decodedSegment(segment) };
}

/** The id that an address ends in, whatever it is the address of; undefined for none. */
export function idInAddress(address: JsonValue | undefined): string | undefined {
  const [, , segment] = (typeof address === "string" ? ENDPOINT_AND_ID.exec(address) : null) ?? [];
  return segment === undefined ? undefined : decodedSegment(segment);
}

/** The text of a segment of an address (RFC 3986 §2.1); one that is badly encoded as it is. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function addressIn(raw: JsonObject, path: string): string | null {
  const name = Object.keys(raw).find((each) => each.toLowerCase() === "$ref");
  const reference = name === undefined ? undefined : own(raw, name);
  if (reference === undefined || reference === null || reference === "") return null;
  if (isJsonArray(reference) && reference.length === 0) return null;
  if (typeof reference !== "string" || !URI_REFERENCE.test(reference)) {
    throw notUri(`${path}.$ref`);
  }
  return reference;
}

/**
 * Checks the text of an attribute of type reference: where only resources of some types may be named, it must be a
 * URI, and no endpoint of another type (RFC 7643 §2.3.7, §7).
 * @throws ScimError `invalidValue`
 */
export function checkReference(
  node: AttributeNode,
  value: string,
  place: Omit<ReferencePlace, "members">,
): void {
  const types = namedTypes(node.attribute);
  if (types.length === 0 || types.length < node.attribute.referenceTypes.length || value === "") return;
  if (!URI_REFERENCE.test(value)) throw notUri(place.path);
  const [, endpoint] = ENDPOINT_AND_ID.exec(value) ?? [];
  const named = endpoint === undefined ? undefined : typeOfEndpoint(place.model, endpoint);
  if (named !== undefined && !types.includes(named)) throw wrongType(place.path, types);
}

/** The error for text that is no URI. */
export function notUri(path: string): ScimError {
  return new ScimError(
    "invalidValue",
    `Attribute '${path}' must be a URI, absolute or relative to the base URL.`,
  );
}

function wrongType(path: string, types: readonly string[]): ScimError {
  return new ScimError(
    "invalidValue",
    `Attribute '${path}' must refer to a resource of: ${types.join(", ")}.`,
  );
}

/** The resource type that an endpoint belongs to, whatever its letter case. */
function typeOfEndpoint(model: ResourceModel, endpoint: string): string | undefined {
  const wanted = `/${endpoint.toLowerCase()}`;
  for (const [type, path] of model.endpoints) if (path.toLowerCase() === wanted) return type;
  return undefined;
}

const formsOfNodes = new WeakMap<AttributeNode, readonly IdForm[]>();

/** The forms of the ids that a collection may name, each once. */
function idForms(node: AttributeNode, model: ResourceModel): readonly IdForm[] {
  const known = formsOfNodes.get(node);
  if (known !== undefined) return known;
  const forms = [...new Set(referencedTypes(node.attribute).map(model.idForm))];
  formsOfNodes.set(node, forms);
  return forms;
}

function requireId(members: MutableObject, path: string, forms: readonly IdForm[]): void {
  const value = ownMutable(members, "value");
  if (value === undefined || value === "") {
    throw new ScimError("invalidValue", `Attribute '${path}.value' is required: give the id of a resource.`);
  }
  if (typeof value === "string" && forms.some(({ pattern }) => pattern.test(value))) return;
  const words = forms.map((form) => form.words).join(", or ");
  throw new ScimError("invalidValue", `Attribute '${path}.value' must be ${words}.`);
}

/**
 * Checks a sub-attribute of a reference that is set on its own: the `value` of one in a collection must be an id, and a
 * `type` one of the types that may be named.
 * @throws ScimError `invalidValue`
 */
export function bindPart(
  { node, sub }: { readonly node: AttributeNode; readonly sub: AttributeNode },
  value: MutableValue,
  model: ResourceModel,
): MutableValue {
  const types = referencedTypes(node.attribute);
  if (types.length === 0) return value;
  const { name } = sub.attribute;
  if (name === "value" && node.storage === "collection")
    requireId({ value }, node.path, idForms(node, model));
  if (name !== "type") return value;
  const members = { type: value };
  bindType(members, { types, named: undefined, path: node.path });
  return members.type;
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

/**
 * Makes the representation of a stored resource: the selected attributes, derived `groups`, `$ref` for each
 * reference whose type is known, and `meta` (RFC 7643 §3.1).
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { own, valueAt } from "../attributes/json-object.ts";
import type { AttributeNode, InverseCollection, ReferenceCollection } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import {
  NO_VERSION,
  type InverseValue,
  type ReferenceValue,
  type StoredResource,
} from "../store/stored-resource.ts";
import { entityTag } from "../versioning/version.ts";
import { addressAt, addressIn, type AddressPlace, withAddresses } from "./addresses.ts";
import { shownOfAttribute, type Selection, type Shown } from "./selection.ts";

/** A resource whose attributes are represented. */
export interface RepresentedValues {
  readonly stored: Pick<StoredResource, "id" | "body" | "collections" | "inverses">;
  /** Base of all locations, without a trailing slash. */
  readonly baseUrl: string;
}

/** A resource to represent. */
export interface Represented extends RepresentedValues {
  readonly stored: StoredResource;
  /** Raw version of the representation; empty where it has none. */
  readonly version: string;
  /** The absolute address of the resource. */
  readonly location: string;
}

/** The representation of a resource, `schemas` and `id` first and `meta` last. */
export function represent(model: ResourceModel, selection: Selection, input: Represented): JsonObject {
  const result = representValues(model, selection, input);
  result["meta"] = metaOf(model, input);
  return result;
}

/** What `meta` is made of. */
export interface RepresentedMeta extends Pick<Represented, "version" | "location"> {
  readonly stored: Pick<StoredResource, "created" | "lastModified">;
}

/** The attribute `meta` of a resource. */
export function metaOf(model: ResourceModel, { stored, version, location }: RepresentedMeta): JsonObject {
  const { created, lastModified } = stored;
  const meta: Record<string, JsonValue> = { resourceType: model.name };
  if (created !== "") meta["created"] = created;
  if (lastModified !== "") meta["lastModified"] = lastModified;
  meta["location"] = location;
  if (version !== NO_VERSION) meta["version"] = entityTag(version);
  return meta;
}

/** The representation of a resource without `meta`: a new object. */
export function representValues(
  model: ResourceModel,
  selection: Selection,
  input: RepresentedValues,
): Record<string, JsonValue> {
  const { stored, baseUrl } = input;
  const result: Record<string, JsonValue> = {
    schemas: schemasOf(model, stored.body),
    id: stored.id,
    ...shownBody(stored.body, selection),
  };
  for (const node of model.references)
    addReference(node, { result, body: stored.body, selection, model, baseUrl });
  for (const collection of model.collections) {
    const values = shownList(selection, collection.node, collectionValues(model, collection, input));
    if (values.length > 0) putValue(result, collection.node, values);
    else dropEmpty(result, collection.node);
  }
  for (const inverse of model.inverses) {
    const values = shownList(selection, inverse.node, inverseValues(model, inverse, input));
    if (values.length > 0) putValue(result, inverse.node, values);
  }
  return result;
}

/** The attributes of a body that are shown: the body itself where all of it is. */
function shownBody(body: JsonObject, { shown }: Selection): JsonObject {
  const names = Object.keys(body);
  if (names.every((name) => shown.get(name) === "all")) return body;
  const result: Record<string, JsonValue> = {};
  for (const name of names) {
    const value = body[name];
    const part = value === undefined ? undefined : narrow(value, shown.get(name) ?? "nothing");
    if (part !== undefined) result[name] = part;
  }
  return result;
}

/** Sets an attribute of a resource, or of one of its extensions, which is copied and made where it is missing. */
export function putValue(resource: Record<string, JsonValue>, node: AttributeNode, value: JsonValue): void {
  if (node.extension === null) {
    resource[node.attribute.name] = value;
    return;
  }
  const held = own(resource, node.extension);
  resource[node.extension] = { ...(isJsonObject(held) ? held : {}), [node.attribute.name]: value };
}

/** An extension that holds references alone is empty where they are not shown. */
function dropEmpty(resource: Record<string, JsonValue>, { extension }: AttributeNode): void {
  const held = extension === null ? undefined : own(resource, extension);
  if (extension !== null && isJsonObject(held) && Object.keys(held).length === 0) delete resource[extension];
}

/** The schemas of a resource: its base, required extensions, and each extension that holds a value. */
export function schemasOf(model: ResourceModel, body: JsonObject): readonly string[] {
  return schemasWith(model, (urn) => Object.hasOwn(body, urn));
}

/** The schemas of a resource that holds values of some extensions. */
export function schemasWith(model: ResourceModel, holds: (urn: string) => boolean): readonly string[] {
  const urns = [model.schema];
  for (const extension of model.extensions.values()) {
    if (extension.required || holds(extension.urn)) urns.push(extension.urn);
  }
  return urns;
}

/** The part of a value that is shown; undefined where nothing of it is. */
function narrow(value: JsonValue, shown: Shown): JsonValue | undefined {
  if (shown === "all") return value;
  if (shown === "nothing") return undefined;
  if (isJsonArray(value)) {
    const parts = value.map((each) => narrow(each, shown)).filter((each) => each !== undefined);
    return parts.length === 0 ? undefined : parts;
  }
  if (!isJsonObject(value)) return undefined;
  const result: Record<string, JsonValue> = {};
  for (const [name, part] of shown) {
    const member = own(value, name);
    const narrowed = member === undefined ? undefined : narrow(member, part);
    if (narrowed !== undefined) result[name] = narrowed;
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

interface ReferenceTarget extends AddressPlace {
  readonly result: Record<string, JsonValue>;
  readonly body: JsonObject;
  readonly selection: Selection;
}

/** Adds `$ref` to a singular reference, at the top or in an extension. */
function addReference(node: AttributeNode, target: ReferenceTarget): void {
  if (!isSubShown(target.selection, node, "$ref")) return;
  const address = addressIn(target, node, valueAt(target.body, node.keys));
  if (address === undefined) return;
  const { result } = target;
  const holder = node.extension === null ? result : result[node.extension];
  const shown = isJsonObject(holder) ? own(holder, node.attribute.name) : undefined;
  const reference = { ...(isJsonObject(shown) ? shown : {}), $ref: address };
  putValue(result, node, reference);
}

/** Adds `$ref` to the singular references of a resource: their values are made anew. */
export function addAddresses(resource: Record<string, JsonValue>, place: AddressPlace): void {
  for (const node of place.model.references) {
    const held = valueAt(resource, node.keys);
    const address = addressIn(place, node, held);
    if (isJsonObject(held) && address !== undefined) putValue(resource, node, { ...held, $ref: address });
  }
}

function isSubShown(selection: Selection, node: AttributeNode, sub: string): boolean {
  let shown: Shown | undefined = selection.shown.get(node.keys[0] ?? "");
  for (const name of [...node.keys.slice(1), sub]) {
    if (shown === undefined || shown === "nothing") return false;
    if (shown === "all") return true;
    shown = shown.get(name);
  }
  return shown !== undefined && shown !== "nothing";
}

/** The values of a collection that were read, each with its `$ref` where the type is known. */
export function collectionValues(
  model: ResourceModel,
  collection: ReferenceCollection,
  input: RepresentedValues,
): readonly JsonObject[] {
  const values: readonly ReferenceValue[] = input.stored.collections.get(collection.node.path) ?? [];
  return withAddresses(collection.node, values, { model, baseUrl: input.baseUrl });
}

/** What is shown of some values of a collection. */
export function shownReferences(
  { node }: ReferenceCollection,
  values: readonly ReferenceValue[],
  shown: AddressPlace & { readonly selection: Selection },
): readonly JsonValue[] {
  return shownList(shown.selection, node, withAddresses(node, values, shown));
}

/** The values of an inverse that were read, each with its `$ref`. */
export function inverseValues(
  model: ResourceModel,
  inverse: InverseCollection,
  input: RepresentedValues,
): readonly JsonObject[] {
  const values: readonly InverseValue[] = input.stored.inverses.get(inverse.node.path) ?? [];
  return values.map(({ type, id, display, direct }) => {
    const endpoint = model.endpoints.get(type) ?? "";
    return {
      value: id,
      $ref: addressAt(`${input.baseUrl}${endpoint}`, id),
      ...(display === null ? {} : { display }),
      ...(inverse.node.subAttributes.has("type") ? { type: direct ? "direct" : "indirect" } : {}),
    };
  });
}

function shownList(
  selection: Selection,
  node: AttributeNode,
  values: readonly JsonObject[],
): readonly JsonValue[] {
  const shown = shownOfAttribute(selection, node);
  if (shown === "nothing" || values.length === 0) return [];
  return shown === "all"
    ? values
    : values.map((value) => narrow(value, shown)).filter((value) => value !== undefined);
}

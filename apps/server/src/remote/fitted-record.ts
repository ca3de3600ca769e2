/**
 * A record in the form that its schemas give it, as every service takes it to be meant: only so can it be compared with
 * what a service answers.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
import {
  COMMON_ATTRIBUTES,
  isJsonArray,
  isJsonObject,
  type AttributeDefinition,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";

/**
 * The record with names as the schemas spell them (RFC 7643 §2.1), a list where one value stands for it, one value where
 * it stands in a list, and an object for the text of its `value`. What no schema names stays as it is.
 * @throws {@link TwoSpellings} where an attribute is given twice: one of its values would be lost
 */
export function fittedRecord(record: JsonObject, { schema, extensions }: ClientResourceType): JsonObject {
  const own = fittedObject(record, new Map([...byName(COMMON_ATTRIBUTES), ...byName(schema.attributes)]), "");
  const fitted = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(own)) {
    const extension = extensions.find(({ id }) => id.toLowerCase() === name.toLowerCase());
    if (extension === undefined || !isJsonObject(value)) fitted.set(extension?.id ?? name, value);
    else fitted.set(extension.id, fittedObject(value, byName(extension.attributes), `${extension.id}:`));
  }
  return Object.fromEntries(fitted);
}

/** A record names an attribute twice, in different letter case. */
export class TwoSpellings extends Error {
  constructor(path: string) {
    super(`Attribute '${path}' is given twice, spelled in two ways: bring it once.`);
  }
}

type Attributes = ReadonlyMap<string, AttributeDefinition>;

const named = new WeakMap<readonly AttributeDefinition[], Attributes>();

function byName(attributes: readonly AttributeDefinition[]): Attributes {
  const known = named.get(attributes);
  if (known !== undefined) return known;
  const made = new Map(attributes.map((each) => [each.name.toLowerCase(), each]));
  named.set(attributes, made);
  return made;
}

function fittedObject(object: JsonObject, attributes: Attributes, prefix: string): JsonObject {
  const given = new Set<string>();
  const fitted = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(object)) {
    const lower = name.toLowerCase();
    if (given.has(lower)) throw new TwoSpellings(`${prefix}${name}`);
    given.add(lower);
    const attribute = attributes.get(lower);
    if (attribute === undefined) fitted.set(name, value);
    else fitted.set(attribute.name, fittedValue(attribute, value, prefix));
  }
  return Object.fromEntries(fitted);
}

function fittedValue(attribute: AttributeDefinition, value: JsonValue, prefix: string): JsonValue {
  if (value === null) return null;
  const one = (each: JsonValue): JsonValue => fittedOne(attribute, each, prefix);
  if (attribute.multiValued === true) return isJsonArray(value) ? value.map(one) : [one(value)];
  const [first = null, ...others] = isJsonArray(value) ? value : [value];
  return others.length === 0 ? one(first) : value;
}

function fittedOne(attribute: AttributeDefinition, value: JsonValue, prefix: string): JsonValue {
  if (attribute.type !== "complex") return value;
  const subAttributes = byName(attribute.subAttributes);
  if (typeof value === "string" && subAttributes.has("value")) return value === "" ? null : { value };
  return isJsonObject(value) ? fittedObject(value, subAttributes, `${prefix}${attribute.name}.`) : value;
}

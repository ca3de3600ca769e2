/**
 * References of records that follow to the ids that a service gave to what they name.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
import {
  isJsonArray,
  isJsonObject,
  referencedTypes,
  resolveAttribute,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";

/** Ids of the service by those of a file. */
export type GivenIds = ReadonlyMap<string, string>;

/** A record whose references name the ids of the service, as far as what they name was made. */
export function followed(
  fields: JsonObject,
  { schema, extensions }: ClientResourceType,
  ids: GivenIds,
): JsonObject {
  const within = (object: JsonObject, { attributes }: ClientResourceType["schema"]): JsonObject => {
    const next = new Map(Object.entries(object));
    for (const attribute of attributes) {
      const value = object[attribute.name];
      if (value === undefined || referencedTypes(resolveAttribute(attribute)).length === 0) continue;
      next.set(
        attribute.name,
        isJsonArray(value) ? eachOnce(value.map((each) => follow(each, ids))) : follow(value, ids),
      );
    }
    return Object.fromEntries(next);
  };
  const whole = new Map(Object.entries(within(fields, schema)));
  for (const extension of extensions) {
    const own = whole.get(extension.id);
    if (own !== undefined && isJsonObject(own)) whole.set(extension.id, within(own, extension));
  }
  return Object.fromEntries(whole);
}

/** References that name the same are one, which has what each of them has: so does a service take them (RFC 7643 §2.4). */
function eachOnce(references: readonly JsonValue[]): readonly JsonValue[] {
  const known = new Map<JsonValue, JsonValue>();
  for (const reference of references) {
    const named = isJsonObject(reference) ? (reference["value"] ?? reference) : reference;
    const first = known.get(named);
    known.set(
      named,
      isJsonObject(reference) && isJsonObject(first) ? { ...reference, ...first } : (first ?? reference),
    );
  }
  return [...known.values()];
}

function follow(reference: JsonValue, ids: GivenIds): JsonValue {
  if (!isJsonObject(reference)) return reference;
  // The address is that of the service where the file comes from.
  const { $ref: _address, ...others } = reference;
  const { value } = others;
  const id = typeof value === "string" ? ids.get(value) : undefined;
  return id === undefined ? others : { ...others, value: id };
}

/**
 * References of records: what they name, and how they follow to the ids that a service gave to that.
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
export function followed(fields: JsonObject, type: ClientResourceType, ids: GivenIds): JsonObject {
  return eachHolder(fields, type, (holder, names) =>
    Object.entries(holder).map(([name, value]) => [
      name,
      !names.has(name)
        ? value
        : isJsonArray(value)
          ? eachOnce(value.map((each) => follow(each, ids)))
          : follow(value, ids),
    ]),
  );
}

/** The references of a record alone. */
export function referencesOf(fields: JsonObject, type: ClientResourceType): JsonObject {
  return eachHolder(fields, type, (holder, names) =>
    Object.entries(holder).filter(([name]) => names.has(name)),
  );
}

/** A record without its references. */
export function withoutReferences(fields: JsonObject, type: ClientResourceType): JsonObject {
  return eachHolder(fields, type, (holder, names) =>
    Object.entries(holder).filter(([name]) => !names.has(name)),
  );
}

/** The ids that references of a record name. */
export function idsNamed(fields: JsonObject, type: ClientResourceType): readonly string[] {
  const named: string[] = [];
  eachHolder(fields, type, (holder, names) => {
    for (const [name, value] of Object.entries(holder)) {
      if (!names.has(name)) continue;
      for (const each of isJsonArray(value) ? value : [value])
        if (isJsonObject(each) && typeof each["value"] === "string") named.push(each["value"]);
    }
    return [];
  });
  return named;
}

type Members = readonly (readonly [string, JsonValue])[];

/** Makes anew what holds attributes, the record and its extensions, by the names of those that are references. */
function eachHolder(
  fields: JsonObject,
  { schema, extensions }: ClientResourceType,
  membersOf: (holder: JsonObject, names: ReadonlySet<string>) => Members,
): JsonObject {
  const whole = new Map(membersOf(fields, referenceNames(schema)));
  for (const extension of extensions) {
    const own = fields[extension.id];
    if (own === undefined || !isJsonObject(own)) continue;
    const members = membersOf(own, referenceNames(extension));
    if (members.length > 0) whole.set(extension.id, Object.fromEntries(members));
    else whole.delete(extension.id);
  }
  return Object.fromEntries(whole);
}

const referring = new WeakMap<object, ReadonlySet<string>>();

/** Names of the attributes of a schema by which clients refer to resources. */
function referenceNames(schema: ClientResourceType["schema"]): ReadonlySet<string> {
  const found =
    referring.get(schema) ??
    new Set(
      schema.attributes
        .map(resolveAttribute)
        .filter((each) => each.mutability !== "readOnly" && referencedTypes(each).length > 0)
        .map(({ name }) => name),
    );
  referring.set(schema, found);
  return found;
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

/**
 * The normal form of a resource and the answers that show it, worked out from the schema documents alone: what the
 * service is compared with.
 * @module
 */
import { comparisonKey } from "@scim/filter";
import {
  defaultOf,
  isCollection,
  own,
  subAttribute,
  typesReferredTo,
  type TypeShape,
} from "@scim/fixtures/arbitraries";
import { isJsonArray, isJsonObject, type Attribute, type JsonObject, type JsonValue } from "@scim/schemas";

/** What a service answers of a resource, without `id` and `meta`. */
export interface Answers {
  /** To the POST that creates it: with what is returned on request, since the request gave it. */
  readonly posted: JsonObject;
  /** To a plain GET. */
  readonly read: JsonObject;
}

/** The answers to a body that is valid for its type. */
export function answersTo(body: JsonObject, shape: TypeShape, baseUrl: string): Answers {
  const given = membersOf(body, shape.attributes, shape);
  for (const { urn, attributes } of shape.extensions) {
    const held = memberOf(body, urn);
    const values = isJsonObject(held) ? membersOf(held, attributes, shape) : {};
    if (Object.keys(values).length > 0) given[urn] = values;
  }
  const whole = withDefaults(given, shape);
  const shown = (resource: JsonObject, withRequested: boolean): JsonObject =>
    represented(resource, { shape, baseUrl, withRequested });
  const schemas = schemasOf(whole, shape);
  return {
    posted: { ...shown(whole, false), ...shown(given, true), ...merged(whole, given, shown), schemas },
    read: { ...shown(whole, false), schemas },
  };
}

type Shown = (resource: JsonObject, withRequested: boolean) => JsonObject;

/** Extensions as a POST shows them: what it gave, and defaults that are not returned on request. */
function merged(whole: JsonObject, given: JsonObject, shown: Shown): JsonObject {
  const plain = shown(whole, false);
  const asked = shown(given, true);
  const urns = Object.keys({ ...plain, ...asked }).filter((name) => name.includes(":"));
  return Object.fromEntries(urns.map((urn) => [urn, { ...objectIn(plain, urn), ...objectIn(asked, urn) }]));
}

function objectIn(resource: JsonObject, name: string): JsonObject {
  const value = own(resource, name);
  return isJsonObject(value) ? value : {};
}

function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  const key = Object.keys(object).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : own(object, key);
}

function membersOf(
  object: JsonObject,
  attributes: readonly Attribute[],
  shape: TypeShape,
): Record<string, JsonValue> {
  const members: Record<string, JsonValue> = {};
  for (const attribute of attributes) {
    const raw = attribute.mutability === "readOnly" ? undefined : memberOf(object, attribute.name);
    const value = raw === undefined ? undefined : valueOf(raw, attribute, shape);
    if (value !== undefined) members[attribute.name] = value;
  }
  return members;
}

function valueOf(raw: JsonValue, attribute: Attribute, shape: TypeShape): JsonValue | undefined {
  if (!attribute.multiValued) return oneOf(raw, attribute, shape);
  const values = (isJsonArray(raw) ? raw : [raw])
    .map((each: JsonValue) => oneOf(each, attribute, shape))
    .filter((each) => each !== undefined);
  return values.length === 0 ? undefined : withoutEqual(values, attribute);
}

function oneOf(raw: JsonValue, attribute: Attribute, shape: TypeShape): JsonValue | undefined {
  if (raw === null || isJsonArray(raw)) return undefined;
  if (!isJsonObject(raw)) return raw;
  const members = membersOf(raw, attribute.subAttributes, shape);
  const value =
    typesReferredTo(attribute).length === 0 ? members : referenceOf(raw, members, { attribute, shape });
  return Object.keys(value).length === 0 ? undefined : value;
}

/** A reference: `$ref` goes, and tells the type where there are several and none is given. */
function referenceOf(
  raw: JsonObject,
  { $ref: _address, ...members }: JsonObject,
  { attribute, shape }: { readonly attribute: Attribute; readonly shape: TypeShape },
): JsonObject {
  const types = typesReferredTo(attribute);
  if (subAttribute(attribute, "type") === undefined) return members;
  const type = own(members, "type");
  if (typeof type === "string") {
    return { ...members, type: types.find((each) => each.toLowerCase() === type.toLowerCase()) ?? type };
  }
  const address = memberOf(raw, "$ref");
  const named = types.find((each) => String(address).startsWith(`..${shape.endpoints.get(each) ?? ""}/`));
  return named === undefined || types.length === 1 ? members : { ...members, type: named };
}

/** Of values that are the same thing, the first with what it lacks taken from the others. */
function withoutEqual(values: readonly JsonValue[], attribute: Attribute): readonly JsonValue[] {
  const kept = new Map<string, JsonValue>();
  for (const value of values) {
    const name = nameOf(value, attribute);
    const first = kept.get(name);
    if (!isJsonObject(first) || !isJsonObject(value)) kept.set(name, first ?? value);
    else kept.set(name, { ...value, ...first, ...(own(value, "primary") === true ? { primary: true } : {}) });
  }
  return [...kept.values()];
}

/** Two values of one name are the same thing: equal `value` and `type`, or equal in everything. */
function nameOf(value: JsonValue, attribute: Attribute): string {
  if (!isJsonObject(value)) return keyOf(value, attribute) ?? JSON.stringify(value);
  // Ids in a collection are case exact, whatever the schema says.
  if (isCollection(attribute)) return JSON.stringify(own(value, "value"));
  const id = keyOf(own(value, "value"), subAttribute(attribute, "value"));
  if (id === null) return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const type = keyOf(own(value, "type"), subAttribute(attribute, "type"));
  return JSON.stringify([id, type]);
}

function keyOf(value: JsonValue | undefined, attribute: Attribute | undefined): string | null {
  if (attribute === undefined || attribute.type === "complex") return null;
  const key = comparisonKey(attribute.type, attribute.caseExact, value);
  return key === undefined ? null : JSON.stringify(key);
}

function withDefaults(given: JsonObject, shape: TypeShape): JsonObject {
  const whole: Record<string, JsonValue> = { ...defaultsOf(shape.attributes, "", shape), ...given };
  for (const { urn, attributes } of shape.extensions) {
    const defaults = defaultsOf(attributes, `${urn}:`, shape);
    const values = { ...defaults, ...objectIn(given, urn) };
    // What a default makes of an extension that was left out must hold what clients are required to give.
    const isValid = attributes.every(
      ({ name, required, mutability }) =>
        !required || mutability === "readOnly" || Object.hasOwn(defaults, name),
    );
    if (Object.keys(values).length > 0 && (isValid || Object.hasOwn(given, urn))) whole[urn] = values;
  }
  return whole;
}

function defaultsOf(attributes: readonly Attribute[], prefix: string, shape: TypeShape): JsonObject {
  return Object.fromEntries(
    attributes.flatMap(({ name }) => {
      const value = defaultOf(shape, `${prefix}${name}`);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The base schema, required extensions, and those that hold a value that is kept. */
function schemasOf(resource: JsonObject, shape: TypeShape): readonly string[] {
  const holds = (urn: string, attributes: readonly Attribute[]): boolean =>
    Object.keys(withoutSecrets(objectIn(resource, urn), attributes)).length > 0;
  return [
    shape.type.schema,
    ...shape.extensions
      .filter(({ urn, required, attributes }) => required || holds(urn, attributes))
      .map(({ urn }) => urn),
  ];
}

function withoutSecrets(object: JsonObject, attributes: readonly Attribute[]): JsonObject {
  return only(object, attributes, ({ mutability }) => mutability !== "writeOnly");
}

/** The members whose attributes pass, at any depth; what loses everything goes. */
function only(
  object: JsonObject,
  attributes: readonly Attribute[],
  passes: (attribute: Attribute) => boolean,
): JsonObject {
  const part = (value: JsonValue, attribute: Attribute): JsonValue | undefined => {
    if (isJsonArray(value)) {
      const parts = value.map((each) => part(each, attribute)).filter((each) => each !== undefined);
      return parts.length === 0 ? undefined : parts;
    }
    if (!isJsonObject(value)) return value;
    const members = only(value, attribute.subAttributes, passes);
    return Object.keys(members).length === 0 ? undefined : members;
  };
  const members: Record<string, JsonValue> = {};
  for (const attribute of attributes.filter(passes)) {
    const value = own(object, attribute.name);
    const shown = value === undefined ? undefined : part(value, attribute);
    if (shown !== undefined) members[attribute.name] = shown;
  }
  return members;
}

interface Representation {
  readonly shape: TypeShape;
  readonly baseUrl: string;
  readonly withRequested: boolean;
}

function represented(resource: JsonObject, representation: Representation): JsonObject {
  const { shape, withRequested } = representation;
  const passes = ({ returned }: Attribute): boolean =>
    returned !== "never" && (withRequested || returned !== "request");
  const shown = (object: JsonObject, attributes: readonly Attribute[]): JsonObject =>
    only(withAddresses(object, attributes, representation), attributes, passes);
  const extensions = shape.extensions.flatMap(({ urn, attributes }) => {
    const values = shown(objectIn(resource, urn), attributes);
    return Object.keys(values).length === 0 ? [] : [[urn, values] as const];
  });
  return { ...shown(resource, shape.attributes), ...Object.fromEntries(extensions) };
}

/** References with the address of what they name, where its type is known. */
function withAddresses(
  object: JsonObject,
  attributes: readonly Attribute[],
  { shape, baseUrl }: Representation,
): JsonObject {
  const members: Record<string, JsonValue> = { ...object };
  for (const attribute of attributes) {
    const types = typesReferredTo(attribute);
    const address = (value: JsonValue): JsonValue => {
      if (!isJsonObject(value)) return value;
      const type = own(value, "type") ?? (types.length === 1 ? types[0] : undefined);
      const id = own(value, "value");
      if (typeof id !== "string" || typeof type !== "string") return value;
      return { ...value, $ref: `${baseUrl}${shape.endpoints.get(type) ?? ""}/${id}` };
    };
    const value = own(object, attribute.name);
    if (types.length === 0 || value === undefined) continue;
    members[attribute.name] = isJsonArray(value) ? value.map(address) : address(value);
  }
  return members;
}

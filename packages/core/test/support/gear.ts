/**
 * A resource type of documents alone, Gear, with an attribute of every data type: on its own, in a list, in a complex
 * value, in a list of complex values, and all of that once more in an extension.
 * @module
 */
import {
  ATTRIBUTE_TYPES,
  type AttributeAnnotation,
  type AttributeType,
  type JsonObject,
  type JsonValue,
  type SchemaRegistry,
} from "@scim/schemas";

/** URN of the base schema. */
export const GEAR_URN = "urn:example:params:scim:schemas:acme:1.0:Gear";
/** URN of the extension. */
export const SPARE_URN = "urn:example:params:scim:schemas:extension:acme:1.0:Gear";

/** Data types of values that are not made of others. */
export const SIMPLE_TYPES: readonly AttributeType[] = ATTRIBUTE_TYPES.filter((type) => type !== "complex");

const one = SIMPLE_TYPES.map((type) => ({ name: type, type, caseExact: true }));
const many = one.map((attribute) => ({ ...attribute, name: `${attribute.name}s`, multiValued: true }));
const ATTRIBUTES = [
  ...one,
  ...many,
  { name: "part", type: "complex", subAttributes: [...one, ...many] },
  { name: "parts", type: "complex", multiValued: true, subAttributes: [...one, ...many] },
];

/** Adds Gear, with annotations by path. */
export function addGear(
  annotations: Readonly<Record<string, AttributeAnnotation>> = {},
): (registry: SchemaRegistry) => void {
  return (registry) => {
    registry.addDocuments([
      { source: "gear", document: { id: GEAR_URN, attributes: ATTRIBUTES } },
      { source: "spare", document: { id: SPARE_URN, attributes: ATTRIBUTES } },
      {
        source: "type",
        document: {
          name: "Gear",
          endpoint: "/Gears",
          schema: GEAR_URN,
          schemaExtensions: [{ schema: SPARE_URN, required: false }],
          annotations,
        },
      },
    ]);
  };
}

/** A place of a value in a Gear. */
export interface Place {
  readonly name: string;
  /** The body that holds the value there. */
  readonly holding: (type: AttributeType, value: JsonValue) => JsonObject;
  /** Path of the attribute in messages. */
  readonly path: (type: AttributeType) => string;
}

const BASE_PLACES: readonly Place[] = [
  { name: "on its own", holding: (type, value) => ({ [type]: value }), path: (type) => type },
  { name: "in a list", holding: (type, value) => ({ [`${type}s`]: [value] }), path: (type) => `${type}s[0]` },
  {
    name: "in a complex value",
    holding: (type, value) => ({ part: { [type]: value } }),
    path: (type) => `part.${type}`,
  },
  {
    name: "in a list of complex values",
    holding: (type, value) => ({ parts: [{ [type]: value }] }),
    path: (type) => `parts[0].${type}`,
  },
  {
    name: "in a list of a complex value",
    holding: (type, value) => ({ part: { [`${type}s`]: [value] } }),
    path: (type) => `part.${type}s[0]`,
  },
];

/** Every place of a value: of the resource, and of its extension. */
export const PLACES: readonly Place[] = [
  ...BASE_PLACES,
  ...BASE_PLACES.map(({ name, holding, path }) => ({
    name: `${name}, in an extension`,
    holding: (type: AttributeType, value: JsonValue) => ({ [SPARE_URN]: holding(type, value) }),
    path: (type: AttributeType) => `${SPARE_URN}:${path(type)}`,
  })),
];

/** A Gear with values. */
export function gear(values: JsonObject = {}): JsonObject {
  return { schemas: [GEAR_URN], ...values };
}

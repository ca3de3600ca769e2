/**
 * The schema of schemas (RFC 7643 §7 and §8.7.2, with its verified errata). The registry checks
 * schema documents against this data.
 * @module
 */
import { defineSchema } from "../schema.ts";
import { SCHEMA_URN } from "../urns.ts";

const NAME = {
  name: "name",
  type: "string",
  required: true,
  caseExact: true,
  mutability: "readOnly",
  description: "Name of the attribute.",
} as const;

const TYPE = {
  name: "type",
  type: "string",
  required: true,
  mutability: "readOnly",
  description: "Data type of the values.",
} as const;

/** The characteristics that attributes and sub-attributes share; `name` and `type` come before them. */
const CHARACTERISTICS = [
  {
    name: "multiValued",
    type: "boolean",
    required: true,
    mutability: "readOnly",
    description: "Whether the attribute holds a list.",
  },
  {
    name: "description",
    type: "string",
    caseExact: true,
    mutability: "readOnly",
    description: "What the attribute means.",
  },
  {
    name: "required",
    type: "boolean",
    mutability: "readOnly",
    description: "Whether a value must be given.",
  },
  {
    name: "canonicalValues",
    type: "string",
    multiValued: true,
    caseExact: true,
    mutability: "readOnly",
    description: "Values that are suggested.",
  },
  {
    name: "caseExact",
    type: "boolean",
    mutability: "readOnly",
    description: "Whether letter case tells values apart.",
  },
  {
    name: "mutability",
    type: "string",
    canonicalValues: ["readOnly", "readWrite", "immutable", "writeOnly"],
    caseExact: true,
    mutability: "readOnly",
    description: "Who may change the value, and when.",
  },
  {
    name: "returned",
    type: "string",
    canonicalValues: ["always", "never", "default", "request"],
    caseExact: true,
    mutability: "readOnly",
    description: "When the value is part of an answer.",
  },
  {
    name: "uniqueness",
    type: "string",
    canonicalValues: ["none", "server", "global"],
    caseExact: true,
    mutability: "readOnly",
    description: "Among which resources the value is unique.",
  },
  {
    name: "referenceTypes",
    type: "string",
    multiValued: true,
    caseExact: true,
    mutability: "readOnly",
    description: "What a reference may point to.",
  },
] as const;

/**
 * A schema: a URI and the attributes that it defines (RFC 7643 §7). It is the one schema with a complex
 * sub-attribute in a complex attribute.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7643#section-7 RFC 7643 §7}
 */
export const SCHEMA_SCHEMA = defineSchema({
  id: SCHEMA_URN,
  name: "Schema",
  description: "The attributes that resources may have.",
  attributes: [
    { name: "name", type: "string", mutability: "readOnly", description: "Name of the schema, for people." },
    {
      name: "description",
      type: "string",
      mutability: "readOnly",
      description: "What the schema describes.",
    },
    {
      name: "attributes",
      type: "complex",
      multiValued: true,
      required: true,
      mutability: "readOnly",
      description: "The attributes.",
      subAttributes: [
        NAME,
        {
          ...TYPE,
          canonicalValues: [
            "string",
            "complex",
            "boolean",
            "decimal",
            "integer",
            "dateTime",
            "reference",
            "binary",
          ],
        },
        ...CHARACTERISTICS,
        {
          name: "subAttributes",
          type: "complex",
          multiValued: true,
          mutability: "readOnly",
          description: "What the values of a complex attribute are made of.",
          subAttributes: [
            NAME,
            {
              ...TYPE,
              canonicalValues: ["string", "boolean", "decimal", "integer", "dateTime", "reference", "binary"],
            },
            ...CHARACTERISTICS,
          ],
        },
      ],
    },
  ],
});

/**
 * SCIM characteristics as JSON Schema, for ajv. Values are in normal form already: names bound, null gone.
 * @module
 */
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { isSecret } from "../model/secrets.ts";

/** Keywords of our own: greatest number of digits of a number, and of those after the point. */
export const PRECISION = "scimPrecision";
export const SCALE = "scimScale";

/** A JSON Schema as ajv takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What a schema is for: `input`, the whole resource of a POST or PUT, where required attributes must be present;
 * `result`, the resource that a PATCH leads to, which may lack what is never kept; `value`, that of a PATCH
 * operation, which may be a part.
 */
export type SchemaContext = "input" | "result" | "value";

/** The JSON Schema of a resource type. */
export function resourceSchema(model: ResourceModel, context: SchemaContext): JsonSchema {
  const nodes = [...model.members.values()].filter(
    (node) => node.storage !== "column" && node.storage !== "inverse",
  );
  const required = [...model.extensions.values()]
    .filter((extension) => extension.required)
    .map((each) => each.urn);
  return objectSchema(nodes, required, context);
}

/** The JSON Schema of all values of an attribute: a list where it is multi-valued. */
export function attributeSchema(node: AttributeNode, context: SchemaContext): JsonSchema {
  const one = valueSchema(node, context);
  return node.attribute.multiValued ? { type: "array", items: one } : one;
}

/** The JSON Schema of one value of an attribute. */
export function valueSchema(node: AttributeNode, context: SchemaContext): JsonSchema {
  switch (node.attribute.type) {
    case "string":
      return { type: "string", ...lengthOf(node) };
    case "boolean":
      return { type: "boolean" };
    case "decimal":
      return { type: "number", ...rangeOf(node), ...digitsOf(node) };
    case "integer":
      return {
        type: "integer",
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        ...rangeOf(node),
      };
    case "dateTime":
      return { type: "string", format: "scim-date-time" };
    case "binary":
      return { type: "string", format: "scim-binary", ...lengthOf(node) };
    case "reference":
      return { type: "string", format: "scim-reference", ...lengthOf(node) };
    case "complex":
      return objectSchema([...node.subAttributes.values()], [], context);
  }
}

function objectSchema(
  nodes: readonly AttributeNode[],
  required: readonly string[],
  context: SchemaContext,
): JsonSchema {
  const names = nodes.filter((node) => isRequired(node, context)).map((node) => node.attribute.name);
  return {
    type: "object",
    properties: Object.fromEntries(
      nodes.map((node) => [node.attribute.name, attributeSchema(node, context)]),
    ),
    ...(context === "value" ? {} : { required: [...names, ...required] }),
  };
}

function isRequired(node: AttributeNode, context: SchemaContext): boolean {
  if (!node.attribute.required || node.attribute.mutability === "readOnly") return false;
  return context === "input" || !isSecret(node);
}

/** Limits of text, in code points. A required string is never empty. */
function lengthOf(node: AttributeNode): JsonSchema {
  const { minLength, maxLength } = node.annotation;
  const least = minLength ?? (node.attribute.type === "string" && node.attribute.required ? 1 : undefined);
  return {
    ...(least === undefined ? {} : { minLength: least }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
}

function digitsOf(node: AttributeNode): JsonSchema {
  const { precision, scale } = node.annotation;
  return {
    ...(precision === undefined ? {} : { [PRECISION]: precision }),
    ...(scale === undefined ? {} : { [SCALE]: scale }),
  };
}

function rangeOf(node: AttributeNode): JsonSchema {
  const { minimum, maximum } = node.annotation;
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
}

/**
 * SCIM characteristics as JSON Schema, for ajv. Values are in normal form already: names bound, null gone.
 * @module
 */
import type { ServiceLimits } from "../limits.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { isSecret } from "../model/secrets.ts";

/** Keywords of our own: code points of a string; digits of a number, and those of them after the point. */
export const MAX_LENGTH = "scimMaxLength";
export const PRECISION = "scimPrecision";
export const SCALE = "scimScale";

/** What bounds the values of all attributes, where their annotations do not ask for more. */
export type ValueLimits = Pick<
  ServiceLimits,
  | "attributeValues"
  | "stringLength"
  | "decimalPrecision"
  | "decimalScale"
  | "integerMinimum"
  | "integerMaximum"
>;

/** What values are validated for, and within which limits. */
export interface SchemaRequest {
  readonly context: SchemaContext;
  readonly limits: ValueLimits;
}

/** A JSON Schema as ajv takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What a schema is for: `input`, the whole resource of a POST or PUT, where required attributes must be present;
 * `result`, the resource that a PATCH leads to, which may lack what is never kept; `import`, one that is brought from
 * elsewhere, which may lack what is never returned, since no service tells it; `value`, that of a PATCH operation, which
 * may be a part.
 */
export type SchemaContext = "input" | "result" | "import" | "value";

/** What a whole resource is checked as. */
export type ResourceContext = Exclude<SchemaContext, "value">;

/** The JSON Schema of a resource type. */
export function resourceSchema(model: ResourceModel, request: SchemaRequest): JsonSchema {
  const nodes = [...model.members.values()].filter(
    (node) => node.storage !== "column" && node.storage !== "inverse",
  );
  const required = [...model.extensions.values()]
    .filter((extension) => extension.required && leavesSomething(extension.node, request.context))
    .map((each) => each.urn);
  return objectSchema(nodes, required, request);
}

/**
 * Whether something that clients can write is there to be seen of a value. Of an extension that only says something by its
 * name, nothing is.
 */
function leavesSomething(node: AttributeNode, context: SchemaContext): boolean {
  const { mutability, type, returned } = node.attribute;
  if (mutability === "readOnly" || (context === "result" && isSecret(node))) return false;
  if (context === "import" && returned === "never") return false;
  return type !== "complex" || [...node.subAttributes.values()].some((sub) => leavesSomething(sub, context));
}

/** The JSON Schema of all values of an attribute: a list where it is multi-valued. */
export function attributeSchema(node: AttributeNode, request: SchemaRequest): JsonSchema {
  const one = valueSchema(node, request);
  if (!node.attribute.multiValued) return one;
  // Lists of the resource itself, and of extensions, are counted before equal values become one: see `settleResource`.
  const bound = node.parent === null ? {} : { maxItems: request.limits.attributeValues };
  return { type: "array", items: one, ...bound };
}

/** The JSON Schema of one value of an attribute. */
export function valueSchema(node: AttributeNode, request: SchemaRequest): JsonSchema {
  const { limits } = request;
  switch (node.attribute.type) {
    case "string":
      return { type: "string", ...lengthOf(node, limits.stringLength) };
    case "boolean":
      return { type: "boolean" };
    case "decimal":
      return { type: "number", ...rangeOf(node), ...digitsOf(node, limits) };
    case "integer":
      return { type: "integer", ...rangeOf(node, [limits.integerMinimum, limits.integerMaximum]) };
    case "dateTime":
      return { type: "string", format: "scim-date-time" };
    case "binary":
      return { type: "string", format: "scim-binary", ...lengthOf(node) };
    case "reference":
      // A picture may be sent as a `data:` address: the limit of the body bounds it, and no limit on texts refuses its user.
      return { type: "string", format: "scim-reference", ...lengthOf(node) };
    case "complex":
      return objectSchema([...node.subAttributes.values()], [], request);
  }
}

function objectSchema(
  nodes: readonly AttributeNode[],
  required: readonly string[],
  request: SchemaRequest,
): JsonSchema {
  const { context } = request;
  const names = nodes.filter((node) => isRequired(node, context)).map((node) => node.attribute.name);
  return {
    type: "object",
    properties: Object.fromEntries(
      nodes.map((node) => [node.attribute.name, attributeSchema(node, request)]),
    ),
    ...(context === "value" ? {} : { required: [...names, ...required] }),
  };
}

function isRequired(node: AttributeNode, context: SchemaContext): boolean {
  if (!node.attribute.required || node.attribute.mutability === "readOnly") return false;
  // A PATCH reads the references that it names, and no others: it checks by itself that there are some.
  if (context === "result" && node.storage === "collection") return false;
  return context === "input" || leavesSomething(node, context);
}

/** Limits of text, in code points: the tighter of annotation and limit holds. A required string is never empty. */
function lengthOf(node: AttributeNode, limit = Infinity): JsonSchema {
  const { minLength, maxLength = Infinity } = node.annotation;
  const least = minLength ?? (node.attribute.type === "string" && node.attribute.required ? 1 : undefined);
  const most = Math.min(maxLength, limit);
  return {
    ...(least === undefined ? {} : { minLength: least }),
    ...(most === Infinity ? {} : { [MAX_LENGTH]: most }),
  };
}

function digitsOf(node: AttributeNode, limits: ValueLimits): JsonSchema {
  const { precision = Infinity, scale = Infinity } = node.annotation;
  return {
    [PRECISION]: Math.min(precision, limits.decimalPrecision),
    [SCALE]: Math.min(scale, limits.decimalScale),
  };
}

function rangeOf(
  node: AttributeNode,
  [least, greatest]: readonly [number, number] = [-Infinity, Infinity],
): JsonSchema {
  const { minimum = -Infinity, maximum = Infinity } = node.annotation;
  const [low, high] = [Math.max(minimum, least), Math.min(maximum, greatest)];
  return {
    ...(low === -Infinity ? {} : { minimum: low }),
    ...(high === Infinity ? {} : { maximum: high }),
  };
}

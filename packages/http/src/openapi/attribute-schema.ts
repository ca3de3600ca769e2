/**
 * Attributes as JSON Schema, for what clients send and for what they get. Bounds stand in what is sent
 * alone: an answer may hold what was stored before a bound was set.
 * @module
 */
import { DEFAULT_LIMITS, type AttributeNode, type ServiceLimits } from "@scim/core";
import { referencedTypes, type AttributeAnnotation } from "@scim/schemas";
import type { Schema } from "./document-types.ts";

/** Whether a schema describes the body of a POST or PUT, or a representation. */
export type SchemaUse = "input" | "answer";

/** The limits of a service that bodies are told of. */
export type BodyLimits = Pick<
  ServiceLimits,
  | "attributeValues"
  | "stringLength"
  | "decimalPrecision"
  | "decimalScale"
  | "integerMinimum"
  | "integerMaximum"
>;

/** What the schemas of one document have in common. */
export interface SchemaOptions {
  readonly use: SchemaUse;
  readonly limits: BodyLimits;
  /** Attributes whose `value` must be the id of a resource: collections of references, and what rows of one refer to. */
  readonly references: ReadonlySet<AttributeNode>;
  /** Whether requests may give canonical values alone. */
  readonly canonicalValuesOnly: boolean;
}

/** What our stores take for the id of a member. */
const MEMBER_ID = "^[A-Za-z0-9._~-]{1,128}$";

/** Whether an attribute is part of what is sent, or got, at all (RFC 7643 §7). */
export function isPart({ attribute }: AttributeNode, use: SchemaUse): boolean {
  return use === "input" ? attribute.mutability !== "readOnly" : attribute.returned !== "never";
}

/** The schema of all values of an attribute: a list where it is multi-valued. */
export function attributeSchema(node: AttributeNode, options: SchemaOptions): Schema {
  const { attribute, annotation } = node;
  const value = valueSchema(node, options);
  const about = {
    ...describe(node, options),
    ...(options.use === "input" && annotation.default !== undefined ? { default: annotation.default } : {}),
    ...(attribute.mutability === "readOnly" ? { readOnly: true } : {}),
    ...(attribute.mutability === "writeOnly" ? { writeOnly: true } : {}),
  };
  if (!attribute.multiValued) return { ...value, ...about };
  const isBounded = options.use === "input" && node.storage !== "collection";
  const most = isBounded ? { maxItems: options.limits.attributeValues } : {};
  return { type: "array", ...about, items: value, ...most };
}

/** The schema of an object of attributes, in the order of the schema document. */
export function membersSchema(nodes: Iterable<AttributeNode>, options: SchemaOptions): Schema {
  const parts = [...nodes].filter((node) => isPart(node, options.use));
  const required = options.use === "input" ? parts.filter((node) => isRequired(node, options)) : [];
  return {
    type: "object",
    properties: Object.fromEntries(
      parts.map((node) => [node.attribute.name, attributeSchema(node, options)]),
    ),
    ...(required.length === 0 ? {} : { required: required.map(({ attribute }) => attribute.name) }),
  };
}

/** Whether an input must hold an attribute. A member names a resource whatever its schema says. */
export function isRequired(node: AttributeNode, options: SchemaOptions): boolean {
  return node.attribute.required || isMemberId(node, options);
}

function isMemberId({ attribute, parent }: AttributeNode, { references }: SchemaOptions): boolean {
  return attribute.name === "value" && parent !== null && references.has(parent);
}

/** The schema of one value of an attribute. */
function valueSchema(node: AttributeNode, options: SchemaOptions): Schema {
  if (node.attribute.type === "complex") return membersSchema(node.subAttributes.values(), options);
  const suggested = suggestions(node, options);
  if (options.use === "answer") return { ...typeSchema(node), ...suggested };
  return { ...typeSchema(node), ...bounds(node, options), ...suggested };
}

function typeSchema({ attribute }: AttributeNode): Schema {
  switch (attribute.type) {
    case "string":
      return { type: "string" };
    case "boolean":
      return { type: "boolean" };
    case "decimal":
      return { type: "number" };
    case "integer":
      return { type: "integer" };
    case "dateTime":
      return { type: "string", format: "date-time" };
    case "binary":
      return { type: "string", contentEncoding: "base64" };
    case "reference":
      return { type: "string", format: "uri-reference" };
    case "complex":
      return { type: "object" };
  }
}

/** The tighter of annotation and limit. A required string is never empty. */
function bounds(node: AttributeNode, options: SchemaOptions): Schema {
  const { attribute, annotation } = node;
  const { limits } = options;
  if (isMemberId(node, options)) return { pattern: MEMBER_ID };
  switch (attribute.type) {
    case "integer":
      return range(annotation, limits.integerMinimum, limits.integerMaximum);
    case "decimal":
      return range(annotation);
    case "string":
      return length(annotation, attribute.required ? 1 : 0, limits.stringLength);
    case "binary":
    case "reference":
      return length(annotation);
    default:
      return {};
  }
}

function range(annotation: AttributeAnnotation, least = -Infinity, greatest = Infinity): Schema {
  const { minimum = -Infinity, maximum = Infinity } = annotation;
  const [low, high] = [Math.max(minimum, least), Math.min(maximum, greatest)];
  return {
    ...(low === -Infinity ? {} : { minimum: low }),
    ...(high === Infinity ? {} : { maximum: high }),
  };
}

function length(annotation: AttributeAnnotation, least = 0, greatest = Infinity): Schema {
  const { minLength = least, maxLength = Infinity } = annotation;
  const most = Math.min(maxLength, greatest);
  return { ...(minLength === 0 ? {} : { minLength }), ...(most === Infinity ? {} : { maxLength: most }) };
}

/** Canonical values bind where the profile says so; the type of a reference always does. */
function suggestions({ attribute, parent }: AttributeNode, options: SchemaOptions): Schema {
  const referenced = attribute.name === "type" && parent !== null ? referencedTypes(parent.attribute) : [];
  if (referenced.length > 0 && parent?.attribute.mutability !== "readOnly") return { enum: referenced };
  const { canonicalValues } = attribute;
  if (canonicalValues.length === 0) return {};
  return options.use === "input" && options.canonicalValuesOnly
    ? { enum: canonicalValues }
    : { examples: canonicalValues };
}

/** The words of the schema document, and what JSON Schema has no keyword for. */
function describe({ attribute, annotation }: AttributeNode, { use, limits }: SchemaOptions): Schema {
  const isDecimal = use === "input" && attribute.type === "decimal";
  const precision = Math.min(annotation.precision ?? Infinity, limits.decimalPrecision);
  const scale = Math.min(annotation.scale ?? Infinity, limits.decimalScale);
  const sentences = [
    attribute.description,
    attribute.mutability === "immutable" ? "It can be set once and not be changed." : "",
    attribute.uniqueness === "server" ? "Unique among the resources of its type." : "",
    attribute.uniqueness === "global" ? "Unique among all resources." : "",
    attribute.returned === "request" ? "Part of an answer only where a request names it." : "",
    isDecimal && precision < DEFAULT_LIMITS.decimalPrecision ? `At most ${precision} digits.` : "",
    isDecimal && scale < DEFAULT_LIMITS.decimalScale ? `At most ${scale} digits after the point.` : "",
  ].filter((sentence) => sentence !== "");
  return sentences.length === 0 ? {} : { description: sentences.join(" ") };
}

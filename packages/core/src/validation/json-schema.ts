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

/** A JSON Schema of a resource that speaks of some of its attributes. */
export interface SchemaPart {
  readonly schema: JsonSchema;
  /** The member that holds them: the URN of an extension; null for the resource itself. */
  readonly holder: string | null;
  /** Their names: a resource that has none of them need not be checked by it. Null where each has to be. */
  readonly names: readonly string[] | null;
}

/** Attributes, sub-attributes among them, of a type whose schema is one. */
const FEW = 200;

/** Attributes of a part of a longer one: some thirty milliseconds to compile. */
const OF_PART = 60;

/**
 * The JSON Schemas of a resource type. One schema of two thousand attributes takes most of a second to compile, which all others
 * wait for: it falls into parts, of which what is wrong is found in the order of the whole.
 */
export function resourceSchemas(model: ResourceModel, request: SchemaRequest): readonly SchemaPart[] {
  const nodes = [...model.members.values()].filter(
    (node) => node.storage !== "column" && node.storage !== "inverse",
  );
  const required = requiredExtensions(model, request.context);
  return hasMany(model)
    ? partsOf(nodes, required, request)
    : [{ schema: objectSchema(nodes, required, request), holder: null, names: null }];
}

/** URNs of the extensions that a resource must have. */
export function requiredExtensions(model: ResourceModel, context: SchemaContext): readonly string[] {
  return [...model.extensions.values()]
    .filter((extension) => extension.required && leavesSomething(extension.node, context))
    .map((each) => each.urn);
}

const knownToHaveMany = new WeakMap<ResourceModel, boolean>();

/** Whether a resource type has so many attributes that its schema falls into parts. */
export function hasMany(model: ResourceModel): boolean {
  const known = knownToHaveMany.get(model);
  if (known !== undefined) return known;
  const made = countOf([...model.members.values()]) > FEW;
  knownToHaveMany.set(model, made);
  return made;
}

function partsOf(
  nodes: readonly AttributeNode[],
  required: readonly string[],
  request: SchemaRequest,
): readonly SchemaPart[] {
  const names = [...requiredOf(nodes, request), ...required];
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  const itself = { type: "object", properties, required: names };
  const parts: SchemaPart[] = [{ schema: itself, holder: null, names: null }];
  for (const some of grouped(nodes)) {
    const [only] = some;
    if (only !== undefined && only.path === only.extension) parts.push(...partsOfExtension(only, request));
    else parts.push(partOf(some, request));
  }
  return parts;
}

function partsOfExtension(node: AttributeNode, request: SchemaRequest): readonly SchemaPart[] {
  const { name } = node.attribute;
  const within = (schema: JsonSchema): JsonSchema => ({ type: "object", properties: { [name]: schema } });
  const nodes = [...node.subAttributes.values()];
  return partsOf(nodes, [], request).map(({ schema, names }) => ({
    schema: within(schema),
    holder: name,
    names,
  }));
}

function partOf(nodes: readonly AttributeNode[], request: SchemaRequest): SchemaPart {
  const { required: _, ...schema } = objectSchema(nodes, [], request);
  return { schema, holder: null, names: nodes.map(({ attribute }) => attribute.name) };
}

/** Attributes in their order, some together; an extension stands alone. */
function grouped(nodes: readonly AttributeNode[]): readonly (readonly AttributeNode[])[] {
  const groups: AttributeNode[][] = [];
  let room = 0;
  for (const node of nodes) {
    const count = countOf([node]);
    const isExtension = node.path === node.extension;
    if (isExtension || room < count) groups.push([]);
    groups.at(-1)?.push(node);
    room = isExtension ? 0 : (groups.at(-1)?.length === 1 ? OF_PART : room) - count;
  }
  return groups;
}

function countOf(nodes: readonly AttributeNode[]): number {
  return nodes.reduce((count, { subAttributes }) => count + 1 + countOf([...subAttributes.values()]), 0);
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
  return {
    type: "object",
    properties: Object.fromEntries(
      nodes.map((node) => [node.attribute.name, attributeSchema(node, request)]),
    ),
    ...(request.context === "value" ? {} : { required: [...requiredOf(nodes, request), ...required] }),
  };
}

function requiredOf(nodes: readonly AttributeNode[], { context }: SchemaRequest): readonly string[] {
  return nodes.filter((node) => isRequired(node, context)).map(({ attribute }) => attribute.name);
}

/** Whether an attribute must have a value where what holds it is there. */
export function isRequired(node: AttributeNode, context: SchemaContext): boolean {
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

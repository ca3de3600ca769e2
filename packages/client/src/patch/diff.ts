/**
 * The smallest PATCH that makes one state of a resource of another (RFC 7644 §3.5.2).
 * @module
 */
import {
  COMMON_ATTRIBUTES,
  isJsonArray,
  isJsonObject,
  isReferenceCollection,
  resolveAttribute,
  type Attribute,
  type JsonObject,
  type JsonValue,
  type PatchOperation,
  type SchemaDefinition,
} from "@scim/schemas";
import { requireSchema } from "../resources/given-definitions.ts";
import { diffValues } from "./diff-values.ts";
import { assigned, isEqual, memberNamed } from "./json-equality.ts";

/** The schemas of a resource type. */
export interface DiffSchemas {
  readonly schema: SchemaDefinition;
  readonly extensions?: readonly SchemaDefinition[];
}

const NOT_COMPARED: ReadonlySet<string> = new Set(["schemas", "id", "meta"]);

/**
 * The operations that make `after` of `before`; none where they say the same. What is readOnly is not compared, and
 * null, `[]` and absent are one thing. Values of a list are found by their `value`, or by a `type` that only one has; a
 * list is replaced as a whole where that is shorter, or where its order is to change. Members of a group have no order.
 *
 * @example
 * diffResources(user, { ...user, active: false }, USER); // [{ op: "replace", path: "active", value: false }]
 * @throws {@link UsageError} `invalidOption` where a schema is no definition
 */
export function diffResources(
  before: object,
  after: object,
  { schema, extensions = [] }: DiffSchemas,
): readonly PatchOperation[] {
  requireSchema(schema, "The schema");
  for (const [at, extension] of extensions.entries()) requireSchema(extension, `Extension ${at}`);
  // Resources are JSON objects.
  const [from, to] = [before as JsonObject, after as JsonObject];
  const own = [...COMMON_ATTRIBUTES.filter(({ name }) => !NOT_COMPARED.has(name)), ...schema.attributes];
  const operations = own.flatMap((attribute) => diffAttribute(resolveAttribute(attribute), "", { from, to }));
  for (const extension of extensions) {
    const sides = { from: objectNamed(from, extension.id), to: objectNamed(to, extension.id) };
    for (const attribute of extension.attributes) {
      operations.push(...diffAttribute(resolveAttribute(attribute), `${extension.id}:`, sides));
    }
  }
  return operations;
}

interface Sides {
  readonly from: JsonObject;
  readonly to: JsonObject;
}

function objectNamed(value: JsonObject, name: string): JsonObject {
  const found = memberNamed(value, name);
  return isJsonObject(found) ? found : {};
}

function diffAttribute(attribute: Attribute, prefix: string, { from, to }: Sides): readonly PatchOperation[] {
  if (attribute.mutability === "readOnly") return [];
  const path = prefix + attribute.name;
  const before = writable(attribute, memberNamed(from, attribute.name));
  const after = writable(attribute, memberNamed(to, attribute.name));
  if (isEqual(before, after)) return [];
  if (after === undefined) return [{ op: "remove", path }];
  if (before === undefined) return [{ op: "add", path, value: after }];
  if (attribute.multiValued && isJsonArray(before) && isJsonArray(after)) {
    const isUnordered = isReferenceCollection(attribute);
    return diffValues(before, after, { path, attribute, isUnordered });
  }
  if (isJsonObject(before) && isJsonObject(after)) return diffComplex(before, after, path);
  return [{ op: "replace", path, value: after }];
}

/** A value as far as a client may write it. */
function writable(attribute: Attribute, value: JsonValue | undefined): JsonValue | undefined {
  const hidden = attribute.subAttributes.filter(({ mutability }) => mutability === "readOnly");
  if (hidden.length === 0) return assigned(value);
  const names = new Set(hidden.map(({ name }) => name.toLowerCase()));
  const one = (each: JsonValue): JsonValue =>
    isJsonObject(each)
      ? Object.fromEntries(Object.entries(each).filter(([name]) => !names.has(name.toLowerCase())))
      : each;
  if (value === undefined) return undefined;
  return assigned(isJsonArray(value) ? value.map(one) : one(value));
}

/**
 * Operations on a complex attribute. Replacing it as a whole leaves the sub-attributes that are not named (RFC 7644
 * §3.5.2.3), and so does it only where none goes away.
 */
function diffComplex(before: JsonObject, after: JsonObject, path: string): readonly PatchOperation[] {
  const single: PatchOperation[] = [];
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) single.push({ op: "remove", path: `${path}.${name}` });
  }
  const removes = single.length > 0;
  for (const [name, value] of Object.entries(after)) {
    if (isEqual(before[name], value)) continue;
    single.push({ op: Object.hasOwn(before, name) ? "replace" : "add", path: `${path}.${name}`, value });
  }
  const whole: readonly PatchOperation[] = [{ op: "replace", path, value: after }];
  return removes || size(single) <= size(whole) ? single : whole;
}

/** The length of operations as they are sent. */
export function size(operations: readonly PatchOperation[]): number {
  return JSON.stringify(operations).length;
}

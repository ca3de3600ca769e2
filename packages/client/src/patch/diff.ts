/**
 * The smallest PATCH that makes one state of a resource of another (RFC 7644 §3.5.2).
 * @module
 */
import {
  COMMON_ATTRIBUTES,
  isJsonArray,
  isJsonObject,
  isReferenceCollection,
  referencedTypes,
  resolveAttribute,
  type Attribute,
  type AttributeDefinition,
  type JsonObject,
  type JsonValue,
  type PatchOperation,
  type SchemaDefinition,
} from "@scim/schemas";
import { requireSchema } from "../resources/given-definitions.ts";
import { diffValues } from "./diff-values.ts";
import { assigned, isEqual, memberNamed } from "./json-equality.ts";
import { isAddress, mustStay, removedParts } from "./kept-parts.ts";

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
 * What is immutable stays where `after` leaves it out (RFC 7644 §3.5.1); a value of a list that has another immutable
 * part is removed and added anew. An extension that holds what it requires is removed as a whole. A reference to
 * another resource is replaced with what describes it.
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
  return [
    ...own.flatMap((attribute) => diffAttribute(resolveAttribute(attribute), "", { from, to })),
    ...extensions.flatMap((extension) => diffExtension(extension, { from, to })),
  ];
}

/** What holds an attribute, before and after. */
export interface Sides {
  readonly from: JsonObject;
  readonly to: JsonObject;
}

/** An extension goes as a whole where it holds what it requires, which goes with all of it alone. */
function diffExtension({ id, attributes }: SchemaDefinition, { from, to }: Sides): readonly PatchOperation[] {
  const sides = { from: objectNamed(from, id), to: objectNamed(to, id) };
  const holds = (side: JsonObject, { name }: AttributeDefinition): boolean =>
    assigned(memberNamed(side, name)) !== undefined;
  const isLeft = attributes.some((each) => each.mutability !== "readOnly" && holds(sides.to, each));
  if (!isLeft && attributes.some((each) => each.required === true && holds(sides.from, each)))
    return [{ op: "remove", path: id }];
  return attributes.flatMap((each) => diffAttribute(resolveAttribute(each), `${id}:`, sides));
}

/** A member that is an object; an empty one where it is none. */
export function objectNamed(value: JsonObject, name: string): JsonObject {
  const found = memberNamed(value, name);
  return isJsonObject(found) ? found : {};
}

/** The operations that make an attribute of one holder, the resource or an extension, what it is in another. */
export function diffAttribute(
  attribute: Attribute,
  prefix: string,
  { from, to }: Sides,
): readonly PatchOperation[] {
  if (attribute.mutability === "readOnly") return [];
  const path = prefix + attribute.name;
  const before = writable(attribute, memberNamed(from, attribute.name));
  const after = writable(attribute, memberNamed(to, attribute.name));
  if (isEqual(before, after)) return [];
  if (after === undefined) return removal(attribute, before, path);
  if (before === undefined) return [{ op: "add", path, value: after }];
  if (attribute.multiValued && isJsonArray(before) && isJsonArray(after)) {
    const isUnordered = isReferenceCollection(attribute);
    return diffValues(before, after, { path, attribute, isUnordered });
  }
  if (isJsonObject(before) && isJsonObject(after))
    return diffComplex(attribute, { from: before, to: after }, path);
  return [{ op: "replace", path, value: after }];
}

/** What is left out goes, as far as it can: what is immutable stays. */
function removal(
  attribute: Attribute,
  before: JsonValue | undefined,
  path: string,
): readonly PatchOperation[] {
  if (attribute.mutability === "immutable") return [];
  if (isJsonObject(before) && mustStay(attribute, before))
    return diffComplex(attribute, { from: before, to: {} }, path);
  return [{ op: "remove", path }];
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
function diffComplex(attribute: Attribute, { from, to }: Sides, path: string): readonly PatchOperation[] {
  const removals = removedParts(attribute, from, to).map((name): PatchOperation => ({
    op: "remove",
    path: `${path}.${name}`,
  }));
  if (describesAnother(attribute, { from, to }))
    return [...removals, { op: "replace", path, value: withoutOldAddress(attribute, { from, to }) }];
  const single = Object.entries(to).flatMap(([name, value]): readonly PatchOperation[] => {
    if (isEqual(from[name], value)) return [];
    return [{ op: Object.hasOwn(from, name) ? "replace" : "add", path: `${path}.${name}`, value }];
  });
  const whole: readonly PatchOperation[] = [{ op: "replace", path, value: to }];
  return removals.length > 0 || size(single) <= size(whole) ? [...removals, ...single] : whole;
}

/**
 * Whether a reference comes to name another resource, and tells more of it. What describes the one before goes with its
 * `value`: what is to stay is sent along.
 */
function describesAnother(attribute: Attribute, { from, to }: Sides): boolean {
  const [before, after] = [from["value"], to["value"]];
  if (referencedTypes(attribute).length === 0 || before === undefined || after === undefined) return false;
  return !isEqual(before, after) && Object.keys(withoutOldAddress(attribute, { from, to })).length > 1;
}

/** A reference to another resource, without the address of the one before. */
function withoutOldAddress(attribute: Attribute, { from, to }: Sides): JsonObject {
  return Object.fromEntries(
    Object.entries(to).filter(([name, value]) => !isAddress(attribute, name) || !isEqual(from[name], value)),
  );
}

/** The length of operations as they are sent. */
export function size(operations: readonly PatchOperation[]): number {
  return JSON.stringify(operations).length;
}

/**
 * The place of a resource that a column names: an attribute, a sub-attribute, or those of one value of a list.
 * @module
 */
import { findAttribute, type AttributeNode, type ResourceModel } from "@scim/core";
import { FilterSyntaxError, parsePatchPath, type FilterNode } from "@scim/filter";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** Sub-attributes that tell one value of a list from the others, with what they hold. */
export type ValueKey = ReadonlyMap<string, string | number | boolean>;

/** The place that a path names. */
export interface Target {
  /** As it was written, for messages. */
  readonly path: string;
  /** The attribute in the resource or in an extension. */
  readonly top: AttributeNode;
  /** Its sub-attribute, where the path names one. */
  readonly sub: AttributeNode | null;
  /** Which value of a list; null where the path does not say. */
  readonly key: ValueKey | null;
}

/**
 * Finds what a path names.
 * @throws TypeError saying what is wrong with the path
 */
export function targetOf(model: ResourceModel, path: string): Target {
  const parsed = parse(path);
  const found = findAttribute(model, parsed.path);
  if (found === null || found.node.path === found.node.extension)
    throw new TypeError(`${named(path)} is no attribute of ${model.name}.`);
  const { node } = found;
  if (parsed.filter === null) {
    const target = { path, top: node.parent ?? node, sub: node.parent === null ? null : node, key: null };
    return checked(target, model);
  }
  const sub = node.subAttributes.get((parsed.subAttribute ?? "").toLowerCase()) ?? null;
  if (!node.attribute.multiValued)
    throw new TypeError(`${named(path)} selects a value, but ${node.path} is no list.`);
  if (sub === null) throw new TypeError(`${named(path)} must end in a sub-attribute of ${node.path}.`);
  return checked({ path, top: node, sub, key: new Map(equalities(parsed.filter, node, path)) }, model);
}

/** Most characters of a path or of the name of a column that a message repeats: a file may be anything else than CSV. */
const MOST_QUOTED = 100;

/** A path or the name of a column, as messages name it. */
export function named(text: string): string {
  return text.length > MOST_QUOTED ? `'${text.slice(0, MOST_QUOTED)}…'` : `'${text}'`;
}

function parse(path: string): ReturnType<typeof parsePatchPath> {
  try {
    return parsePatchPath(path);
  } catch (cause) {
    if (!(cause instanceof FilterSyntaxError)) throw cause;
    throw new TypeError(`${named(path)} is no attribute path: ${cause.message}`, { cause });
  }
}

function* equalities(
  filter: FilterNode,
  node: AttributeNode,
  path: string,
): Generator<[string, string | number | boolean], void, undefined> {
  if (filter.kind === "and") {
    for (const operand of filter.operands) yield* equalities(operand, node, path);
    return;
  }
  const sub =
    filter.kind === "comparison" && filter.path.urn === null && filter.path.subAttribute === null
      ? node.subAttributes.get(filter.path.attribute.toLowerCase())
      : undefined;
  if (filter.kind !== "comparison" || filter.operator !== "eq" || filter.value === null || sub === undefined)
    throw new TypeError(
      `${named(path)} may select by equalities alone, such as emails[type eq "work"].value.`,
    );
  yield [sub.attribute.name, filter.value];
}

/** What the service sets itself is in no column, but for what an import may bring along. */
function checked(target: Target, model: ResourceModel): Target {
  const { top, sub, path } = target;
  const name = top.attribute.name;
  const isKept =
    top.storage === "column" && (name === "id" || (name === "meta" && sub?.attribute.name === "created"));
  if (top.storage !== "value" && top.storage !== "collection" && !isKept)
    throw new TypeError(`${named(path)} cannot be set: the service makes it.`);
  if (!isKept && (sub ?? top).attribute.mutability === "readOnly")
    throw new TypeError(`${named(path)} cannot be set: it is readOnly.`);
  if ((sub ?? top).attribute.type === "complex")
    throw new TypeError(
      `${named(path)} must name a sub-attribute: ${model.name} holds several values there.`,
    );
  return target;
}

/** What a target has in a resource, by its places in a list; undefined in the place of a value that lacks it. */
export function valuesAt(target: Target, resource: JsonObject): readonly (JsonValue | undefined)[] {
  const { top, sub, key } = target;
  const holder = top.extension === null ? resource : resource[top.extension];
  const held = isJsonObject(holder) ? holder[top.attribute.name] : undefined;
  if (held === undefined) return [];
  const values: readonly JsonValue[] = isJsonArray(held) ? held : [held];
  if (sub === null) return values;
  const found = values.filter(isJsonObject).filter((value) => hasKey(value, key));
  const parts = found.map((value) => value[sub.attribute.name]);
  const [only] = parts;
  return !isJsonArray(held) && isJsonArray(only) ? only : parts;
}

/** Whether a value of a list is one that a key selects. */
export function hasKey(value: JsonObject, key: ValueKey | null): boolean {
  return key === null || [...key].every(([name, wanted]) => sameText(value[name], wanted));
}

/** Whether values are the same, texts without letter case. */
export function sameText(left: JsonValue | undefined, right: string | number | boolean): boolean {
  return typeof left === "string" && typeof right === "string"
    ? left.toLowerCase() === right.toLowerCase()
    : left === right;
}

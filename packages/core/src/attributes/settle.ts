/**
 * Brings the lists of a resource into normal form once their types are known: equal values become one,
 * at most one value is primary, canonical values are checked.
 * @module
 */
import { isJsonArray, isJsonObject, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { DecodeContext } from "./decode.ts";
import { distinct, identityOf, keptIdentityOf } from "./identity.ts";
import { isMutableObject, own, ownMutable, type MutableObject, type MutableValue } from "./json-object.ts";
import { type ListBound, requireShort } from "./list-length.ts";

interface SettleContext extends Pick<DecodeContext, "profile" | "onSwitch"> {
  /** What was there before a change: what does not fit any more may stay. Default: nothing was. */
  readonly before?: () => JsonObject;
  /** Names values. Default: as `identityOf`. */
  readonly identify?: (value: MutableValue) => string;
}

/** What is settled, and how. */
export interface SettleRequest extends SettleContext, Pick<ListBound, "maxValues"> {
  /** Names of the members that may not be in normal form; null: all. */
  readonly touched: ReadonlySet<string> | null;
}

/**
 * Settles the lists of a resource, in place.
 * @throws ScimError `invalidValue` for two primary values, too many values or, where the profile says so, a value
 * that is not canonical
 */
export function settleResource(model: ResourceModel, resource: MutableObject, context: SettleRequest): void {
  const isTouched = (node: AttributeNode): boolean => context.touched?.has(node.keys[0] ?? "") ?? true;
  for (const node of model.canonical) {
    if (!isTouched(node)) continue;
    const value = holderOf(node, resource)?.[node.attribute.name];
    if (value !== undefined) checkCanonical(node, value, context);
  }
  for (const node of model.lists) {
    if (!isTouched(node)) continue;
    const holder = holderOf(node, resource);
    const values = holder?.[node.attribute.name];
    if (holder === undefined || !Array.isArray(values)) continue;
    if (node.storage !== "collection") requireShort({ node, path: node.path }, values.length, context);
    // A PATCH has named its values already, and changes none of them in place.
    const identify = context.touched === null ? identityOf(node) : keptIdentityOf(node, values);
    const settled = settleList(node, values, { ...context, identify });
    if (settled.some((value, index) => value !== values[index]) || settled.length < values.length) {
      holder[node.attribute.name] = settled;
    }
  }
}

/** The object that holds an attribute: the resource, its extension, or a singular complex value. */
function holderOf(node: AttributeNode, resource: MutableObject): MutableObject | undefined {
  let holder: MutableObject | undefined = resource;
  for (let depth = 0; depth < node.keys.length - 1; depth += 1) {
    const next: MutableValue | undefined = ownMutable(holder, node.keys[depth] ?? "");
    if (!isMutableObject(next)) return undefined;
    holder = next;
  }
  return Object.hasOwn(holder, node.attribute.name) ? holder : undefined;
}

/** Settles the values of one attribute. */
export function settleList(
  node: AttributeNode,
  values: readonly MutableValue[],
  context: SettleContext,
): MutableValue[] {
  for (const canonical of canonicalWithin(node)) {
    checkCanonical(
      canonical,
      values.map((value) => partOf(node, canonical, value)),
      context,
    );
  }
  return settlePrimary(node, distinct(node, values, context.identify), context);
}

const canonicalNodes = new WeakMap<AttributeNode, readonly AttributeNode[]>();

/** An attribute and its sub-attributes, those with canonical values. */
function canonicalWithin(node: AttributeNode): readonly AttributeNode[] {
  const known = canonicalNodes.get(node);
  if (known !== undefined) return known;
  const made = [node, ...node.subAttributes.values()].filter(
    (each) => each.attribute.canonicalValues.length > 0,
  );
  canonicalNodes.set(node, made);
  return made;
}

function partOf(node: AttributeNode, part: AttributeNode, value: MutableValue): MutableValue {
  if (part === node) return value;
  return (isMutableObject(value) ? ownMutable(value, part.attribute.name) : undefined) ?? null;
}

function checkCanonical(node: AttributeNode, value: MutableValue, context: SettleContext): void {
  if (isEachCanonical(node, value)) return;
  if (!context.profile.switches.has("non-canonical-values")) {
    const held = context.before === undefined ? [] : valuesWithin(context.before(), node.keys);
    if (isEachCanonical(node, value, held)) return;
    const { canonicalValues } = node.attribute;
    throw new ScimError(
      "invalidValue",
      `Attribute '${node.path}' must be one of: ${canonicalValues.join(", ")}.`,
    );
  }
  context.onSwitch("non-canonical-values", node.path);
}

/** Whether values are canonical, or held already. */
function isEachCanonical(node: AttributeNode, value: MutableValue, held: readonly JsonValue[] = []): boolean {
  if (Array.isArray(value)) return value.every((each) => isEachCanonical(node, each, held));
  return isCanonical(node, value) || held.includes(value);
}

/** The values at the end of a path of member names, through all values of lists. */
function valuesWithin(value: JsonValue | undefined, keys: readonly string[]): readonly JsonValue[] {
  if (isJsonArray(value)) return value.flatMap((each) => valuesWithin(each, keys));
  const [key, ...rest] = keys;
  if (key === undefined) return value === undefined ? [] : [value];
  return isJsonObject(value) ? valuesWithin(own(value, key), rest) : [];
}

/** Whether a value is one of the canonical ones, in any letter case where that does not matter. */
export function isCanonical(node: AttributeNode, value: MutableValue): boolean {
  const { canonicalValues, caseExact } = node.attribute;
  if (typeof value !== "string" || canonicalValues.includes(value)) return true;
  const lower = value.toLowerCase();
  return !caseExact && canonicalValues.some((canonical) => canonical.toLowerCase() === lower);
}

function settlePrimary(node: AttributeNode, values: MutableValue[], context: SettleContext): MutableValue[] {
  if (values.length < 2 || node.subAttributes.get("primary")?.attribute.type !== "boolean") return values;
  const primaries = values.filter((value) => isMutableObject(value) && ownMutable(value, "primary") === true);
  if (primaries.length < 2) return values;
  const empty = primaries.filter((value) => isMutableObject(value) && isEmpty(ownMutable(value, "value")));
  if (primaries.length - empty.length > 1 || !context.profile.switches.has("empty-second-primary")) {
    throw severalPrimaries(node, primaries.length);
  }
  const dropped = primaries.length === empty.length ? empty.slice(1) : empty;
  context.onSwitch("empty-second-primary", node.path);
  return values.filter((value) => !dropped.includes(value));
}

function isEmpty(value: MutableValue | undefined): boolean {
  return value === undefined || value === "";
}

/** The error for more than one primary value. */
export function severalPrimaries(node: AttributeNode, count: number): ScimError {
  return new ScimError(
    "invalidValue",
    `Attribute '${node.path}' has ${String(count)} primary values: set primary to true on one of them at most.`,
  );
}

/**
 * Operations on the values of a multi-valued attribute (RFC 7644 §3.5.2.1 to §3.5.2.3).
 * @module
 */
import { isJsonObject, isJsonArray, ScimError, type JsonValue } from "@scim/schemas";
import { decodeOne, decodeValue } from "../attributes/decode.ts";
import {
  isMutableObject,
  memberOf,
  own,
  ownMutable,
  type MutableObject,
  type MutableValue,
} from "../attributes/json-object.ts";
import { coveredBy, Covering } from "../attributes/covering.ts";
import { distinct, FEW_VALUES, identityOf, keptIdentityOf } from "../attributes/identity.ts";
import { keepInList } from "../attributes/immutable.ts";
import { namedBy } from "../attributes/reference.ts";
import { keepDetails } from "../attributes/reference-details.ts";
import { settleList } from "../attributes/settle.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { keepsImmutable, refuseRequired, refuseSecretAway } from "./mutability.ts";
import type { PatchState, Place } from "./state.ts";

/** The values that a holder has of an attribute. */
export function valuesOf(holder: MutableObject, node: AttributeNode): MutableValue[] {
  const values = ownMutable(holder, node.attribute.name);
  return Array.isArray(values) ? values : [];
}

/**
 * Puts the values of an attribute in place, which are replaced from now on, never changed; values that lost everything go,
 * and so does an attribute without values.
 */
export function storeValues(
  holder: MutableObject,
  node: AttributeNode,
  values: readonly MutableValue[],
): void {
  const current = ownMutable(holder, node.attribute.name);
  const kept = values.filter((value) => !isMutableObject(value) || Object.keys(value).length > 0);
  const next = kept.length === 0 ? undefined : distinct(node, kept, keptIdentityOf(node, kept));
  if (keepsImmutable(node, current, next)) return;
  if (next === undefined) {
    refuseRequired(node, current);
    delete holder[node.attribute.name];
  } else {
    holder[node.attribute.name] = next;
  }
}

/** Appends values; one that is there already is no change. */
export function addValues(place: Place, raw: JsonValue, state: PatchState): void {
  const { holder, node } = place;
  const given = givenValues(node, raw, state);
  if (given === undefined) return;
  if (node.storage === "collection") {
    addReferences(holder, node, given);
    return;
  }
  const values = valuesOf(holder, node);
  const isThere = given.length > FEW_VALUES ? amongst(node, values) : amongFew(node, values);
  const fresh = given.filter((value) => !isThere(value));
  storeValues(holder, node, [...(fresh.some(isPrimary) ? values.map(withoutPrimary) : values), ...fresh]);
}

/** Appends references; one that is there already stays as it is, whatever stands beside its `value`. */
function addReferences(holder: MutableObject, node: AttributeNode, given: readonly MutableValue[]): void {
  const identify = identityOf(node);
  const values = valuesOf(holder, node);
  const known = new Set(values.map(identify));
  const fresh = given.filter((value) => !known.has(identify(value)));
  storeValues(holder, node, [...(fresh.some(isPrimary) ? values.map(withoutPrimary) : values), ...fresh]);
}

/** Replaces all values. Those that stay the same thing keep what is readOnly or immutable in them, as in a PUT. */
export function replaceValues(place: Place, raw: JsonValue, state: PatchState): void {
  const { holder, node } = place;
  const values = givenValues(node, raw, state) ?? [];
  if (node.storage === "collection") keepReferences(place, values, state);
  else keepInList(node, valuesOf(holder, node), values);
  if (values.length === 0) refuseSecretAway(holder, node);
  storeValues(holder, node, values);
}

function keepReferences({ holder, node }: Place, values: readonly MutableValue[], state: PatchState): void {
  const identify = identityOf(node);
  const known = new Map(valuesOf(holder, node).map((value) => [identify(value), value]));
  for (const after of values.filter(isMutableObject)) {
    const before = known.get(identify(after));
    if (isMutableObject(before)) keepDetails(node, { before, after }, state.decode);
  }
}

function givenValues(
  node: AttributeNode,
  raw: JsonValue,
  state: PatchState,
): readonly MutableValue[] | undefined {
  const decoded = decodeValue(node, raw, state.decode);
  if (decoded === undefined) return undefined;
  state.validator.attribute(node, decoded);
  return settleList(node, Array.isArray(decoded) ? decoded : [decoded], state.decode);
}

/** Tells of given values whether one of a list is the same, with all their given sub-attributes. */
function amongst(node: AttributeNode, values: readonly MutableValue[]): (given: MutableValue) => boolean {
  const identify = identityOf(node);
  const covering = new Covering(node, values);
  const plain = new Set(values.filter((value) => !isMutableObject(value)).map(identify));
  return (given) => plain.has(identify(given)) || (isMutableObject(given) && covering.of(given).length > 0);
}

/** The same of so few given values that to look at the list takes less than to put it in order. */
function amongFew(node: AttributeNode, values: readonly MutableValue[]): (given: MutableValue) => boolean {
  const identify = identityOf(node);
  return (given) => {
    const identity = identify(given);
    const isCovered = isMutableObject(given) ? coveredBy(node, given) : null;
    return values.some((value) =>
      isCovered !== null && isMutableObject(value) ? isCovered(value) : identify(value) === identity,
    );
  };
}

/** Removes the values that a filter selects; null: all of them. */
export function removeValues(
  holder: MutableObject,
  node: AttributeNode,
  isSelected: ((value: MutableValue) => boolean) | null,
): void {
  // Of a secret nobody sees the values that would go.
  if (isSelected === null) refuseSecretAway(holder, node);
  const values = valuesOf(holder, node);
  const kept = isSelected === null ? [] : values.filter((value) => !isSelected(value));
  if (kept.length < values.length) storeValues(holder, node, kept);
}

/** Tells of the values of a list which are meant. */
export type Selecting = (values: readonly MutableValue[]) => (value: MutableValue) => boolean;

/** Tells which values a list names: by `value` where they have one, of these only those of a `type` that it gives. */
export function listedIn(node: AttributeNode, raw: JsonValue, state: PatchState): Selecting {
  const unwrapped = unwrapNested(node, raw, state);
  // No form is asked of the ids of references here: what can be no member is none, and its removal no error.
  const names =
    node.storage === "collection"
      ? referenceNames(node, unwrapped, state)
      : decodeValue(node, unwrapped, { ...state.decode, bound: undefined });
  const listed: readonly MutableValue[] = Array.isArray(names) ? names : [];
  const [identify, identifyId] = [identityOf(node), identityOf(node.subAttributes.get("value") ?? node)];
  const ids = new Set<string>();
  const typed = new Set<string>();
  const shapes: MutableObject[] = [];
  for (const name of listed) {
    const id = idOf(name);
    if (id !== undefined && hasType(name)) typed.add(identify(name));
    else if (id !== undefined) ids.add(identifyId(id));
    else if (isMutableObject(name)) shapes.push(name);
  }
  return (values) => {
    const covering = new Covering(node, shapes.length === 0 ? [] : values);
    const covered = new Set<MutableValue>();
    // Shapes that are alike have found the same list.
    for (const found of new Set(shapes.map((shape) => covering.of(shape))))
      for (const value of found) covered.add(value);
    return (value) => {
      const id = idOf(value);
      if (id !== undefined && (ids.has(identifyId(id)) || typed.has(identify(value)))) return true;
      return covered.has(value);
    };
  };
}

function hasType(value: MutableValue): boolean {
  return isMutableObject(value) && ownMutable(value, "type") !== undefined;
}

function idOf(value: MutableValue): MutableValue | undefined {
  return isMutableObject(value) ? ownMutable(value, "value") : value;
}

function referenceNames(node: AttributeNode, raw: JsonValue, state: PatchState): readonly MutableValue[] {
  const { model } = state.decode;
  return (isJsonArray(raw) ? raw : [raw]).map((each: JsonValue, index) => {
    const path = `${node.path}[${String(index)}]`;
    const id = isJsonObject(each)
      ? (memberOf(each, "value", `${path}.`) ?? namedBy(node, each, { model, path })?.id)
      : each;
    if (typeof id === "string") return { value: id };
    throw new ScimError("invalidValue", `Attribute '${path}.value' is required: name the value to remove.`);
  });
}

function unwrapNested(node: AttributeNode, raw: JsonValue, state: PatchState): JsonValue {
  const nested = nestedValue(node, raw);
  if (nested === undefined || !state.decode.profile.switches.has("nested-remove-value")) return raw;
  state.decode.onSwitch("nested-remove-value", node.path);
  return nested;
}

/** The list of `{members: [...]}` as the value of a remove of members; undefined for any other value. */
export function nestedValue(node: AttributeNode, raw: JsonValue): JsonValue | undefined {
  if (!isJsonObject(raw)) return undefined;
  const [name, ...others] = Object.keys(raw);
  const isNested = name?.toLowerCase() === node.attribute.name.toLowerCase() && others.length === 0;
  return isNested ? own(raw, name) : undefined;
}

/** Whether a value is the primary one of its attribute (RFC 7643 §2.4). */
export function isPrimary(value: MutableValue): boolean {
  return isMutableObject(value) && ownMutable(value, "primary") === true;
}

/** The value with `primary` false where it was true. */
export function withoutPrimary(value: MutableValue): MutableValue {
  return isMutableObject(value) && isPrimary(value) ? { ...value, primary: false } : value;
}

/** Reads what selected values are given: one value, or parts of one, as an object where the attribute is complex. */
export function givenValue(node: AttributeNode, raw: JsonValue, state: PatchState): MutableValue | undefined {
  const value = decodeOne({ node, path: node.path, isPart: true }, raw, state.decode);
  if (value === undefined) return undefined;
  state.validator.value(node, value);
  return value;
}

/** The error for a value path that matches nothing. */
export function noTarget(path: string): ScimError {
  return new ScimError(
    "noTarget",
    `Path '${path}' matches no value: add the value first, or change the filter.`,
  );
}

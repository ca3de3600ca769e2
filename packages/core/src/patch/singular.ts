/**
 * Operations on attributes that hold one value, and on extensions as a whole.
 * @module
 */
import { isJsonArray, isJsonObject, referencedTypes, type JsonValue } from "@scim/schemas";
import { decodeOne, decodePart, meantValue } from "../attributes/decode.ts";
import { equalValues } from "../attributes/equal.ts";
import { isAddress, isEmptyId } from "../attributes/reference.ts";
import {
  isMutableObject,
  ownMutable,
  type MutableObject,
  type MutableValue,
} from "../attributes/json-object.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { assign, unassign } from "./mutability.ts";
import type { PatchState, Place, SetChange } from "./state.ts";
import { removalOf, setPart } from "./sub-attribute.ts";
import type { PatchTarget } from "./target.ts";

/** Whether a value stands for none: null, or a list that holds nothing else (RFC 7643 §2.5). */
export function isUnassigned(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (isJsonArray(value) && value.every(isUnassigned));
}

/** Whether a path selects values of a singular attribute, and its value is none of them. */
export function passesOver({ attribute, filter }: PatchTarget, value: MutableValue | undefined): boolean {
  if (filter === null || attribute.attribute.multiValued) return false;
  return value === undefined || !filter.matches(value);
}

/** Adds or replaces the value of a singular attribute; a complex one is merged by sub-attribute. */
export function setSingular(place: Place, change: SetChange, state: PatchState): void {
  const { holder, node } = place;
  // What a profile takes it for: an object in a list of one says of parts that they go, as the object alone does.
  const raw = meantValue(node, change.value, state.decode);
  const value = decodeOne({ node, path: node.path }, raw, state.decode);
  if (value === undefined && !isJsonObject(raw)) {
    if (change.op === "replace" || !isUnassigned(change.value)) unassign(holder, node);
    return;
  }
  if (node.attribute.type !== "complex") {
    if (value === undefined) return;
    state.validator.attribute(node, value);
    assign(holder, node, value);
    return;
  }
  const given = isMutableObject(value) ? value : {};
  state.validator.attribute(node, given);
  const known = ownMutable(holder, node.attribute.name);
  const isWhole = change.op === "replace" && state.decode.profile.switches.has("replace-whole-complex");
  const merged = isMutableObject(known) ? (isWhole ? settled(known, node, given) : { ...known }) : {};
  mergeComplex(merged, node, { op: change.op, given });
  if (change.op === "replace") clearNulls(merged, node, { raw, given });
  if (Object.keys(merged).length > 0) assign(holder, node, merged);
  else if (known !== undefined) unassign(holder, node);
}

/** What a replace of the whole leaves of a complex value: what clients cannot change. */
function settled(known: MutableObject, node: AttributeNode, given: MutableObject): MutableObject {
  const left = { ...known };
  forgetDescription(left, node, given);
  const isKept = (name: string): boolean => {
    const mutability = node.subAttributes.get(name.toLowerCase())?.attribute.mutability;
    return mutability === "immutable" || mutability === "readOnly";
  };
  return Object.fromEntries(Object.entries(left).filter(([name]) => isKept(name)));
}

/** Sets the given sub-attributes of a complex value; the others stay, save those that describe a changed reference. */
export function mergeComplex(
  target: MutableObject,
  node: AttributeNode,
  { op, given }: { readonly op: SetChange["op"]; readonly given: MutableObject },
): void {
  forgetDescription(target, node, given);
  for (const name of Object.keys(given)) {
    const sub = node.subAttributes.get(name.toLowerCase());
    const value = given[name];
    if (sub !== undefined && value !== undefined) setPart(target, sub, { op, value });
  }
}

/**
 * What stands beside the `value` of a reference (`display`, `displayName`) goes when the value changes. One that is
 * immutable does not: it is refused where it is set.
 */
function forgetDescription(target: MutableObject, node: AttributeNode, given: MutableObject): void {
  const current = ownMutable(target, "value");
  const next = ownMutable(given, "value");
  if (next === undefined || current === undefined || !refersToOne(node)) return;
  if (equalValues(current, next) || node.subAttributes.get("value")?.attribute.mutability === "immutable")
    return;
  for (const name of Object.keys(target)) delete target[name];
}

function refersToOne({ attribute }: AttributeNode): boolean {
  return !attribute.multiValued && referencedTypes(attribute).length > 0;
}

/** What stands beside the `value` of a reference goes where the value went, save what came with the change. */
function forgetWithValue(
  before: MutableObject,
  after: MutableObject,
  { node, given }: { readonly node: AttributeNode; readonly given: MutableObject },
): void {
  if (!refersToOne(node) || !Object.hasOwn(before, "value") || Object.hasOwn(after, "value")) return;
  for (const name of Object.keys(after)) if (!Object.hasOwn(given, name)) delete after[name];
}

function clearNulls(
  target: MutableObject,
  node: AttributeNode,
  { raw, given }: { readonly raw: JsonValue; readonly given: MutableObject },
): void {
  if (!isJsonObject(raw)) return;
  const before = { ...target };
  for (const name of Object.keys(raw)) {
    const sub = node.subAttributes.get(name.toLowerCase());
    if (sub === undefined || sub.attribute.mutability === "readOnly") continue;
    if (isUnassigned(raw[name]) || isEmptyId(sub, raw[name])) unassign(target, sub);
  }
  forgetWithValue(before, target, { node, given });
}

/** Adds or replaces a sub-attribute of a singular complex attribute, which is created where it is missing. */
export function setSubAttribute(
  place: Place & { readonly sub: AttributeNode },
  change: SetChange,
  state: PatchState,
): void {
  const { holder, node, sub } = place;
  if (isAddress(node, sub)) {
    setSingular(place, { op: "add", value: { $ref: change.value } }, state);
    return;
  }
  const known = ownMutable(holder, node.attribute.name);
  const current = isMutableObject(known) ? known : {};
  const value = decodePart({ node, sub }, change.value, state.decode);
  if (value === undefined) {
    if (change.op === "replace") changeSubAttribute(holder, node, removalOf(sub, undefined, state));
    return;
  }
  state.validator.attribute(sub, value);
  const next = { ...current };
  forgetDescription(next, node, { [sub.attribute.name]: value });
  setPart(next, sub, { op: change.op, value });
  assign(holder, node, next);
}

/** Changes a singular complex attribute that is there; what is left without values goes. */
export function changeSubAttribute(
  holder: MutableObject,
  node: AttributeNode,
  change: (object: MutableObject) => void,
): void {
  const current = ownMutable(holder, node.attribute.name);
  if (!isMutableObject(current)) return;
  const next = { ...current };
  change(next);
  forgetWithValue(current, next, { node, given: {} });
  if (Object.keys(next).length > 0) assign(holder, node, next);
  else unassign(holder, node);
}

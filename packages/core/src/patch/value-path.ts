/**
 * Operations on the values that a value path selects, and on a sub-attribute of all values.
 * @module
 */
import type { FilterNode } from "@scim/filter";
import { isJsonObject, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { decodeOne, decodePart } from "../attributes/decode.ts";
import { identityOf } from "../attributes/identity.ts";
import { withoutReadOnly } from "../attributes/immutable.ts";
import {
  isMutableObject,
  ownMutable,
  type MutableObject,
  type MutableValue,
} from "../attributes/json-object.ts";
import { bindReference, isAddress } from "../attributes/reference.ts";
import { severalPrimaries } from "../attributes/settle.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { keepsImmutable } from "./mutability.ts";
import {
  givenValue,
  isPrimary,
  noTarget,
  removeValues,
  storeValues,
  valuesOf,
  withoutPrimary,
} from "./multi-valued.ts";
import { isUnassigned, mergeComplex } from "./singular.ts";
import type { PatchState, RemoveChange, SetChange } from "./state.ts";
import { nextPart, removalOf, setPart } from "./sub-attribute.ts";
import type { PatchTarget } from "./target.ts";

/** An operation that sets something, bound. */
export interface SetOperation {
  readonly target: PatchTarget;
  readonly change: SetChange;
}

/** Whether the target of an operation selects a value. */
export function selector(target: PatchTarget): (value: MutableValue) => boolean {
  return target.filter?.matches ?? (() => true);
}

/** Adds to, or replaces, the selected values or their sub-attribute. */
export function setSelected(holder: MutableObject, operation: SetOperation, state: PatchState): void {
  const { target, change } = operation;
  const node = target.attribute;
  if (target.filter !== null && target.sub === null) requireSubAttribute(target, state);
  const isSelected = selector(target);
  const values = valuesOf(holder, node);
  const matches = values.filter(isSelected);
  if (isUnassigned(change.value)) {
    if (change.op === "replace") removeSelected(holder, { target, change: { value: undefined } }, state);
    return;
  }
  if (matches.length === 0) {
    createSelected(holder, operation, state);
    return;
  }
  const next = changeOf(operation, state);
  const selected = new Set(matches);
  const changed = values.map((value) => (selected.has(value) ? next(value) : value));
  storeValues(
    holder,
    node,
    withOnePrimary(changed, (index) => selected.has(values[index] ?? null), node),
  );
}

/** Refuses to set a selected value as a whole where the profile does; a value without sub-attributes has no parts. */
function requireSubAttribute({ attribute, path }: PatchTarget, { decode }: PatchState): void {
  if (attribute.subAttributes.size === 0 || !decode.profile.switches.has("value-path-sub-attribute")) return;
  throw new ScimError(
    "invalidPath",
    `Path '${path}' selects whole values: name the sub-attribute to set behind the brackets.`,
  );
}

/** A selected value that is primary takes that from the others (RFC 7644 §3.5.2); two of them cannot both be. */
function withOnePrimary(
  values: readonly MutableValue[],
  isSelected: (index: number) => boolean,
  node: AttributeNode,
): readonly MutableValue[] {
  const primaries = values.filter((value, index) => isSelected(index) && isPrimary(value));
  if (primaries.length > 1) throw severalPrimaries(node, primaries.length);
  if (primaries.length === 0) return values;
  return values.map((value, index) => (isSelected(index) ? value : withoutPrimary(value)));
}

/** How one selected value changes. */
function changeOf(
  { target, change }: SetOperation,
  state: PatchState,
): (value: MutableValue) => MutableValue {
  const { attribute: node, sub } = target;
  if (sub !== null) {
    const given = decodePart({ node, sub }, change.value, state.decode);
    if (given === undefined) return (value) => value;
    state.validator.attribute(sub, given);
    return (value) =>
      changeObject(value, (object) => {
        if (isAddress(node, sub)) learnFrom(given, { node, object }, state);
        else setPart(object, sub, { op: change.op, value: given });
      });
  }
  const given = givenValue(node, change.value, state);
  if (!isMutableObject(given)) return (value) => given ?? value;
  if (change.op === "add")
    return (value) => changeObject(value, (object) => mergeComplex(object, node, { op: "add", given }));
  return (value) => replaceWhole(value, node, given);
}

/** The address of a reference is not kept: it tells what the reference does not say itself, as in a POST. */
function learnFrom(
  address: MutableValue,
  { node, object }: { readonly node: AttributeNode; readonly object: MutableObject },
  state: PatchState,
): void {
  const place = { members: object, path: node.path, model: state.decode.model };
  bindReference(node, { $ref: address }, place);
}

function changeObject(value: MutableValue, edit: (object: MutableObject) => void): MutableValue {
  if (!isMutableObject(value)) return value;
  const next = { ...value };
  edit(next);
  return next;
}

/**
 * The value becomes the given one; what is immutable stays, and cannot be given another value. So does the id of a
 * reference, which cannot be without one, and what is readOnly while the value is the same thing.
 */
function replaceWhole(value: MutableValue, node: AttributeNode, given: MutableObject): MutableValue {
  if (!isMutableObject(value)) return given;
  const next = { ...given };
  const identify = identityOf(node);
  const isSame = identify(withoutReadOnly(node, value)) === identify(given);
  for (const sub of node.subAttributes.values()) {
    const { name, mutability } = sub.attribute;
    const isKept = mutability === "immutable" || (mutability === "readOnly" && isSame);
    if (!isKept && !isId(node, name)) continue;
    const current = ownMutable(value, name);
    if (current === undefined) continue;
    const wanted = ownMutable(next, name);
    if (wanted === undefined || keepsImmutable(sub, current, wanted)) next[name] = current;
  }
  return next;
}

/**
 * Makes the value that a value path asks for, from the equalities of its filter, and gives it what the operation
 * brings. Several operations fill one new value, since the second finds what the first made.
 */
function createSelected(holder: MutableObject, operation: SetOperation, state: PatchState): void {
  const { target, change } = operation;
  const { attribute: node, sub, filter } = target;
  if (filter === null) throw noTarget(target.path);
  if (change.op === "replace") {
    if (!state.decode.profile.switches.has("replace-creates-on-no-match")) throw noTarget(target.path);
    state.decode.onSwitch("replace-creates-on-no-match", node.path);
  }
  const equalities = equalitiesOf(filter.written, node);
  if (equalities === null) throw noTarget(target.path);
  const fresh =
    node.subAttributes.size === 0
      ? undefined
      : decodeOne(
          { node, path: node.path },
          { ...broughtId(operation, equalities), ...equalities },
          state.decode,
        );
  const value = isMutableObject(fresh) ? fresh : {};
  const given =
    sub === null
      ? givenValue(node, change.value, state)
      : decodePart({ node, sub }, change.value, state.decode);
  if (sub !== null && given !== undefined) {
    if (isAddress(node, sub)) learnFrom(given, { node, object: value }, state);
    else value[sub.attribute.name] = nextPart(value, sub, { op: change.op, value: given });
  } else if (isMutableObject(given)) fillFresh(value, node, { op: change.op, given });
  else if (given !== undefined) throw noTarget(target.path);
  // What the operation brings may say the contrary of the filter, such as `emails[primary eq true].primary` false.
  if (!filter.matches(value)) throw noTarget(target.path);
  state.validator.value(node, value);
  const others = valuesOf(holder, node);
  storeValues(holder, node, [...(isPrimary(value) ? others.map(withoutPrimary) : others), value]);
}

/** The id that an operation brings, where the filter names none: a reference of a collection is none without it. */
function broughtId({ target, change }: SetOperation, equalities: JsonObject): JsonObject {
  const { attribute: node, sub } = target;
  const isOne = (name: string): boolean => isId(node, name);
  if (Object.keys(equalities).some(isOne)) return {};
  const given = sub === null ? change.value : { [sub.attribute.name]: change.value };
  return isJsonObject(given) ? Object.fromEntries(Object.entries(given).filter(([name]) => isOne(name))) : {};
}

/** Whether a sub-attribute is what a reference of a collection is known by. */
function isId(node: AttributeNode, name: string): boolean {
  return node.storage === "collection" && name.toLowerCase() === "value";
}

/** Gives a new value what an operation brings: nothing in it is immutable yet. */
function fillFresh(
  value: MutableObject,
  node: AttributeNode,
  { op, given }: { readonly op: SetChange["op"]; readonly given: MutableObject },
): void {
  for (const sub of node.subAttributes.values()) {
    const part = ownMutable(given, sub.attribute.name);
    if (part !== undefined) value[sub.attribute.name] = nextPart(value, sub, { op, value: part });
  }
}

/** `type eq "work" and primary eq true` as an object; null for a filter that is not made of equalities. */
function equalitiesOf(filter: FilterNode, node: AttributeNode): JsonObject | null {
  const terms = filter.kind === "and" ? filter.operands : [filter];
  const entries: [string, JsonValue][] = [];
  for (const term of terms) {
    if (term.kind !== "comparison" || term.operator !== "eq") return null;
    const { attribute: name } = term.path;
    entries.push([node.subAttributes.get(name.toLowerCase())?.attribute.name ?? name, term.value]);
  }
  return Object.fromEntries(entries);
}

/** Removes the selected values, or a sub-attribute of them. Nothing selected is no error. */
export function removeSelected(
  holder: MutableObject,
  operation: { readonly target: PatchTarget; readonly change: Pick<RemoveChange, "value"> },
  state: PatchState,
): void {
  const { target, change } = operation;
  const { attribute: node, sub } = target;
  const isSelected = selector(target);
  if (sub === null) {
    removeValues(holder, node, isSelected);
    return;
  }
  const removal = removalOf(sub, change.value, state);
  const values = valuesOf(holder, node);
  const next = values.map((value) => (isSelected(value) ? changeObject(value, removal) : value));
  storeValues(holder, node, next);
}

/** Refuses a sub-attribute of all values where there are none (RFC 7644 §3.5.2.3). */
export function requireValues(holder: MutableObject, target: PatchTarget): void {
  if (valuesOf(holder, target.attribute).length > 0) return;
  throw new ScimError(
    "noTarget",
    `Attribute '${target.attribute.path}' has no values: name one in brackets to create it.`,
  );
}

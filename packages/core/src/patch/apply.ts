/**
 * Applies PATCH operations to a resource in memory, in order, each on the result of the one before
 * (RFC 7644 §3.5.2). Nothing is stored here: an error leaves the resource as it was.
 * @module
 */
import { isJsonObject, isJsonArray, ScimError, type JsonObject } from "@scim/schemas";
import { givenTwice, refuseUnknown } from "../attributes/decode.ts";
import { isMutableObject, own, ownMutable, type MutableObject } from "../attributes/json-object.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { withoutValues } from "../attributes/without-values.ts";
import { onAttributes } from "./extension.ts";
import { givenTo, givenWithoutPath } from "./given.ts";
import { addValues, listedIn, noTarget, removeValues, replaceValues, valuesOf } from "./multi-valued.ts";
import { dropWithExtension, refuseReadOnly, unassign } from "./mutability.ts";
import type { PatchOperation } from "./operation.ts";
import { changeSubAttribute, isUnassigned, passesOver, setSingular, setSubAttribute } from "./singular.ts";
import type { BindingContext, PatchState, Place, RemoveChange, SetChange } from "./state.ts";
import { removalOf } from "./sub-attribute.ts";
import type { PatchTarget } from "./target.ts";
import { removeSelected, requireValues, setSelected, type SetOperation } from "./value-path.ts";

/** What one operation does to its target. */
type Change = SetChange | RemoveChange;

/** Members of a value without a path that name no attribute to change. */
const IGNORED_KEYS: ReadonlySet<string> = new Set(["schemas", "meta"]);

/** A bound operation: its change and where it goes. */
export interface BoundOperation {
  readonly target: PatchTarget;
  readonly change: Change;
}

/** A bound operation of a request. */
export interface RequestOperation extends BoundOperation {
  /** Which of `Operations` it is, or is a part of; of several made into one, the first. */
  readonly index: number;
  /** Of several made into one: operations that come to the same, each of some of them. */
  readonly parts?: () => readonly RequestOperation[];
}

/** Characters of paths, and names of a value, that are bound in one step; each counts as some more, however short. */
const BETWEEN_TURNS = 100_000;
const OF_PATH = 200;

/** What one path, or name of a value, comes to. */
interface BoundPath {
  readonly text: string;
  readonly operations: readonly BoundOperation[];
}

/** Binds in steps: between two of them others may have their turn. */
export type Binding = Generator<undefined, readonly RequestOperation[], undefined>;

/**
 * Binds all operations to the schema, those without a path as one for each member of their value.
 * @throws ScimError `invalidPath`, `invalidFilter`, `invalidValue` or `mutability`
 */
export function* bindOperations(operations: readonly PatchOperation[], context: BindingContext): Binding {
  const all: RequestOperation[] = [];
  let characters = 0;
  for (const [index, operation] of operations.entries()) {
    try {
      for (const bound of bindOperation(operation, context)) {
        for (const each of bound.operations) all.push({ ...each, index });
        characters += OF_PATH + bound.text.length;
        if (characters < BETWEEN_TURNS) continue;
        characters = 0;
        yield;
      }
    } catch (error) {
      throw naming(index, error);
    }
  }
  return all;
}

/** A refusal of an operation, with which one it is. */
export function naming(index: number, error: unknown): unknown {
  return error instanceof ScimError
    ? new ScimError(error.code, `Operations[${String(index)}]: ${error.detail}`, { cause: error })
    : error;
}

/** The operations that one comes to: those of each member of a value without a path apart. */
function bindOperation(operation: PatchOperation, context: BindingContext): Iterable<BoundPath> {
  const { op, path, value } = operation;
  if (path !== null) {
    const target = context.binder.path(path, context.target);
    const change: Change =
      op === "remove" || value === undefined
        ? { op: "remove", value }
        : { op, value: givenTo(target, value, context) };
    return [{ text: path, operations: onAttributes({ target, change }, context) }];
  }
  const members = value === undefined ? value : givenWithoutPath(value, context);
  if (!isJsonObject(members) || op === "remove") {
    throw new ScimError(
      "invalidValue",
      `The value of ${op} without a path must be an object whose members are attributes.`,
    );
  }
  return bindMembers(op, members, context);
}

function* bindMembers(
  op: "add" | "replace",
  value: JsonObject,
  context: BindingContext,
): Generator<BoundPath, void, undefined> {
  const seen = new Set<string>();
  for (const key of Object.keys(value)) {
    const lower = key.toLowerCase();
    if (seen.has(lower)) throw givenTwice(withoutValues(key));
    seen.add(lower);
    const member = own(value, key);
    if (member === undefined || IGNORED_KEYS.has(lower) || (lower === "id" && member === context.id))
      continue;
    const target = context.binder.key(key, context.target);
    if (target === null) {
      refuseUnknown(withoutValues(key), context.decode);
      yield { text: key, operations: [] };
    } else {
      const change = { op, value: givenTo(target, member, context) };
      yield { text: key, operations: onAttributes({ target, change }, context) };
    }
  }
}

/** Applies in steps: between two of them others may have their turn. */
export type Applying = Generator<undefined, void, undefined>;

/**
 * Applies bound operations to the resource of the state, in place. An error leaves it half-changed.
 * @throws ScimError as RFC 7644 §3.5.2 asks, naming the operation
 */
export function* applyOperations(operations: readonly RequestOperation[], state: PatchState): Applying {
  for (const operation of operations) {
    try {
      applyOperation(operation, state);
    } catch (error) {
      // What was made of several is refused as one: its parts tell which of them is meant.
      yield* applyOperations(operation.parts?.() ?? [], state);
      throw naming(operation.index, error);
    }
    if (state.effort.takesTurn()) yield;
  }
}

function applyOperation({ target, change }: BoundOperation, state: PatchState): void {
  if (target.attribute.path === "schemas") {
    checkSchemasChange(change);
    return;
  }
  refuseReadOnly(target);
  applyToAttribute(holderOf(target.attribute, state), { target, change }, state);
  dropEmptyExtension(target.attribute, state);
}

/** `schemas` follows from the values: naming a schema changes nothing, taking the list away is refused. */
function checkSchemasChange(change: Change): void {
  if (change.op === "remove" || isUnassigned(change.value)) {
    throw new ScimError(
      "mutability",
      "Attribute 'schemas' cannot be removed: it follows from the attributes that have values.",
    );
  }
  const urns = isJsonArray(change.value) ? change.value : [change.value];
  if (!urns.every((urn) => typeof urn === "string")) {
    throw new ScimError("invalidValue", "Attribute 'schemas' must be a list of schema URNs.");
  }
}

/** The object that holds an attribute: the resource, or the extension's, made where it is missing. */
function holderOf(node: AttributeNode, state: PatchState): MutableObject {
  if (node.extension === null) return state.resource;
  const known = ownMutable(state.resource, node.extension);
  if (isMutableObject(known)) return known;
  const made: MutableObject = {};
  state.resource[node.extension] = made;
  return made;
}

function dropEmptyExtension(node: AttributeNode, state: PatchState): void {
  if (node.extension === null) return;
  const values = ownMutable(state.resource, node.extension);
  if (isMutableObject(values) && Object.keys(values).length === 0) delete state.resource[node.extension];
}

function applyToAttribute(holder: MutableObject, operation: BoundOperation, state: PatchState): void {
  const { target, change } = operation;
  const place = { holder, node: target.attribute };
  const value = ownMutable(holder, place.node.attribute.name);
  state.effort.spend(place.node, value, operation);
  if (passesOver(target, value)) {
    if (change.op !== "remove") throw noTarget(target.path);
  } else if (change.op === "remove") remove(place, { target, change }, state);
  else if (place.node.attribute.multiValued) setMultiValued(place, { target, change }, state);
  else if (target.sub === null) setSingular(place, change, state);
  else setSubAttribute({ ...place, sub: target.sub }, change, state);
}

function setMultiValued(place: Place, operation: SetOperation, state: PatchState): void {
  const { target, change } = operation;
  if (target.filter !== null) {
    setSelected(place.holder, operation, state);
  } else if (target.sub !== null) {
    if (!isUnassigned(change.value)) requireValues(place.holder, target);
    setSelected(place.holder, operation, state);
  } else if (change.op === "add") {
    addValues(place, change.value, state);
  } else {
    replaceValues(place, change.value, state);
  }
}

function remove(
  { holder, node }: Place,
  { target, change }: { readonly target: PatchTarget; readonly change: RemoveChange },
  state: PatchState,
): void {
  if (change.withExtension === true) {
    dropWithExtension(holder, node);
  } else if (!node.attribute.multiValued) {
    if (target.sub === null) unassign(holder, node);
    else changeSubAttribute(holder, node, removalOf(target.sub, change.value, state));
  } else if (target.filter !== null || target.sub !== null) {
    removeSelected(holder, { target, change }, state);
  } else if (change.value === undefined || change.value === null) {
    removeValues(holder, node, null);
  } else {
    removeValues(holder, node, listedIn(node, change.value, state)(valuesOf(holder, node)));
  }
}

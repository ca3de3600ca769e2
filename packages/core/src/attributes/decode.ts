/**
 * Reads client JSON into normal form: names bound to the schema and spelled as it spells them, null and
 * empty values dropped, lists made where one value was sent, known deviations rewritten. Types are not
 * checked here; see `validation/`.
 * @module
 */
import {
  isJsonObject,
  isJsonArray,
  referencedTypes,
  ScimError,
  type ErrorCode,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { Profile } from "../profiles/profile.ts";
import type { SwitchName } from "../profiles/switch.ts";
import { isUriReference } from "../validation/formats.ts";
import { copy, type MutableObject, type MutableValue } from "./json-object.ts";
import { distinct } from "./identity.ts";
import { type ListBound, requireShort } from "./list-length.ts";
import { withoutValues } from "./without-values.ts";
import { bindPart, bindReference, checkReference, isEmptyId, notUri } from "./reference.ts";

/** How a body is read. */
export interface DecodeContext {
  readonly model: ResourceModel;
  readonly profile: Profile;
  readonly onSwitch: (name: SwitchName, path: string) => void;
  /** Code of the error for an unknown attribute where it is not tolerated. */
  readonly unknownCode: Extract<ErrorCode, "invalidSyntax" | "invalidValue">;
  /** Called for a readOnly attribute that has a value; inside complex values these are ignored silently. */
  readonly onReadOnly: (node: AttributeNode, value: JsonValue) => void;
  /**
   * Called for a list of references, which may have been read before: its values then, null for none. Undefined where
   * it was not. Throws what is wrong with them.
   */
  readonly readBefore?: (node: AttributeNode, raw: JsonValue) => MutableValue[] | null | undefined;
  /** How long a list may be, which is seen before its values are read. Undefined where they are only looked for. */
  readonly bound?: ListBound | undefined;
  /** An attribute that is read elsewhere, and is left out. */
  readonly leftOut?: AttributeNode | undefined;
}

/** Where an object stands. */
export interface MembersPlace {
  /** Attributes that it may hold, by lower-case name. */
  readonly members: ReadonlyMap<string, AttributeNode>;
  /** What stands before their names in messages. */
  readonly prefix: string;
}

/** Where one value stands: its attribute, and its path with an index for messages. */
export interface ValuePlace {
  readonly node: AttributeNode;
  readonly path: string;
  /** Whether it is part of a value that has the rest: a reference may then be without its id. */
  readonly isPart?: boolean;
}

/**
 * Reads an object: a resource, an extension or a complex value. `prefix` stands before names in messages.
 * @throws ScimError `invalidSyntax` for names equal but for letter case; `unknownCode` for unknown names
 */
export function decodeMembers(
  object: JsonObject,
  place: MembersPlace,
  context: DecodeContext,
): MutableObject {
  const { prefix } = place;
  const result: MutableObject = {};
  const names = Object.keys(object);
  const attributeOf = binding(names, place);
  for (const name of names) {
    const node = attributeOf(name);
    const raw = object[name];
    if (raw === undefined || raw === null) continue;
    if (node === undefined) {
      refuseUnknown(`${prefix}${withoutValues(name)}`, context);
      continue;
    }
    if (node === context.leftOut) continue;
    if (node.attribute.mutability === "readOnly") {
      if (node.parent === null && !isEmpty(raw)) context.onReadOnly(node, raw);
      continue;
    }
    // Only values of a list have a path that is not their attribute's.
    const path = node.parent?.attribute.multiValued === true ? `${prefix}${node.attribute.name}` : node.path;
    const value = decodeAll({ node, path }, raw, context);
    if (value !== undefined) result[node.attribute.name] = value;
  }
  return result;
}

const membersAsSpelled = new WeakMap<MembersPlace["members"], ReadonlyMap<string, AttributeNode>>();

/** Members by the names that their schemas give them: almost all bodies use these. */
function spelledMembers(members: MembersPlace["members"]): ReadonlyMap<string, AttributeNode> {
  const known = membersAsSpelled.get(members);
  if (known !== undefined) return known;
  const made = new Map([...members.values()].map((node) => [node.attribute.name, node]));
  membersAsSpelled.set(members, made);
  return made;
}

/**
 * Finds the attribute of each name of an object, asked in their order. That two are equal but for letter case takes one
 * that is not spelled as in the schema: before the first of these, names need not be remembered.
 * @throws ScimError `invalidSyntax` for the second of two such names
 */
function binding(
  names: readonly string[],
  { members, prefix }: MembersPlace,
): (name: string) => AttributeNode | undefined {
  const spelled = spelledMembers(members);
  let seen: Set<string> | null = null;
  return (name) => {
    const found = spelled.get(name);
    if (found !== undefined && seen === null) return found;
    const lower = name.toLowerCase();
    seen ??= new Set(names.slice(0, names.indexOf(name)).map((each) => each.toLowerCase()));
    if (seen.has(lower)) throw givenTwice(`${prefix}${withoutValues(name)}`);
    seen.add(lower);
    return members.get(lower);
  };
}

/** The error of a name that is equal to one before it but for letter case. */
export function givenTwice(path: string): ScimError {
  return new ScimError(
    "invalidSyntax",
    `Attribute '${path}' is given twice, spelled in two ways: send it once.`,
  );
}

function isEmpty(value: JsonValue): boolean {
  return (
    (isJsonArray(value) && value.length === 0) || (isJsonObject(value) && Object.keys(value).length === 0)
  );
}

/** Reports an unknown name, or refuses it. */
export function refuseUnknown(path: string, context: DecodeContext): void {
  if (!context.profile.switches.has("unknown-attributes")) {
    throw new ScimError(
      context.profile.switches.has("unknown-invalid-syntax") ? "invalidSyntax" : context.unknownCode,
      `Attribute '${path}' is unknown to resource type ${context.model.name}: leave it out, or add its schema.`,
    );
  }
  context.onSwitch("unknown-attributes", path);
}

/** Reads the value of an attribute; undefined where it comes to nothing (null, an empty list or object). */
export function decodeValue(
  node: AttributeNode,
  raw: JsonValue,
  context: DecodeContext,
): MutableValue | undefined {
  return decodeAll({ node, path: node.path }, raw, context);
}

function decodeAll(place: ValuePlace, raw: JsonValue, context: DecodeContext): MutableValue | undefined {
  const { node, path } = place;
  if (raw === null) return undefined;
  if (!node.attribute.multiValued) return decodeOne(place, raw, context);
  const before = node.storage === "collection" ? context.readBefore?.(node, raw) : undefined;
  if (before !== undefined) return before ?? undefined;
  const list: readonly JsonValue[] = isJsonArray(raw) ? raw : [raw];
  if (context.bound !== undefined && node.storage !== "collection")
    requireShort(place, list.length, context.bound);
  const values: MutableValue[] = [];
  for (const [index, each] of list.entries()) {
    const value = decodeOne({ node, path: `${path}[${String(index)}]` }, each, context);
    if (value !== undefined) values.push(value);
  }
  if (values.length === 0) return undefined;
  // Lists of a resource or an extension are settled once their types are known: see `settleResource`.
  return node.parent === null ? values : distinct(node, values);
}

/** Reads the value of a sub-attribute that is set on its own; undefined where it comes to nothing. */
export function decodePart(
  part: { readonly node: AttributeNode; readonly sub: AttributeNode },
  raw: JsonValue,
  context: DecodeContext,
): MutableValue | undefined {
  const value = decodeValue(part.sub, raw, context);
  return value === undefined ? undefined : bindPart(part, value, context.model);
}

/** Reads one value of an attribute. `path` names it, with its index, for messages. */
export function decodeOne(
  place: ValuePlace,
  raw: JsonValue,
  context: DecodeContext,
): MutableValue | undefined {
  const { node, path } = place;
  const value = meantValue(node, raw, context);
  if (value === null || (isJsonArray(value) && value.length === 0) || isEmptyId(node, value))
    return undefined;
  if (node.attribute.type === "reference" && typeof value === "string" && isOnItsOwn(node))
    checkAddress(place, value, context);
  if (node.attribute.type !== "complex") return copy(value);
  if (!isJsonObject(value)) {
    throw new ScimError("invalidValue", `Attribute '${path}' must be an object with sub-attributes.`);
  }
  const prefix = `${path}${node.extension === node.path ? ":" : "."}`;
  const members = decodeMembers(value, { members: node.subAttributes, prefix }, context);
  const bound = bindReference(node, value, { members, path, model: context.model, isPart: place.isPart });
  return Object.keys(bound).length === 0 ? undefined : bound;
}

/** What refers to something must be a URI, unless the profile takes what people type (RFC 7643 §2.3.7). */
function checkAddress({ node, path }: ValuePlace, value: string, context: DecodeContext): void {
  checkReference(node, value, { path, model: context.model });
  if (isUriReference(value)) return;
  if (!context.profile.switches.has("malformed-references")) throw notUri(path);
  context.onSwitch("malformed-references", node.path);
}

/** Whether a reference is no `$ref` beside a `value`, which is checked with it. */
function isOnItsOwn({ parent }: AttributeNode): boolean {
  return parent === null || referencedTypes(parent.attribute).length === 0;
}

/** A value as it was sent, or where it does not fit, what the profile takes it for. */
export function meantValue(node: AttributeNode, raw: JsonValue, context: DecodeContext): JsonValue {
  return fits(node, raw) ? raw : rewrite(node, raw, context);
}

function fits(node: AttributeNode, value: JsonValue): boolean {
  switch (node.attribute.type) {
    case "complex":
      return isJsonObject(value);
    case "boolean":
      return typeof value === "boolean";
    case "integer":
    case "decimal":
      return typeof value === "number";
    default:
      return !isJsonArray(value);
  }
}

/** Lets the profile's rewrites turn a value that does not fit into one that does: also one after another. */
function rewrite(node: AttributeNode, raw: JsonValue, context: DecodeContext): JsonValue {
  let value = raw;
  for (const each of context.profile.rewrites) {
    const meant = each.rewrite(node, value);
    if (meant === undefined) continue;
    context.onSwitch(each.name, node.path);
    value = meant;
  }
  return value;
}

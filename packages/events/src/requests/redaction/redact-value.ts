/**
 * Redacts JSON by the attribute tree of a resource type: names stay, values that may tell of a person become
 * pseudonyms.
 * @module
 */
import type { AttributeNode } from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { isAttributePath } from "../attribute-path.ts";
import type { Redaction } from "./redaction.ts";

/** Values of one list that are shown. */
const MOST_VALUES = 50;

/** Attributes by lower-case name. */
export type Nodes = ReadonlyMap<string, AttributeNode>;

/** No attribute is known. */
export const NO_NODES: Nodes = new Map();

/** Redacts the members of a resource, an extension or a complex value. */
export function redactMembers(redaction: Redaction, placed: PlacedObject, nodes: Nodes): JsonObject {
  return shownMembers(redaction, placed, (name, value, path) =>
    redactValue(redaction, value, { node: nodes.get(name.toLowerCase()), path }),
  );
}

/** An object, and where it stands. */
export interface PlacedObject {
  readonly object: JsonObject;
  readonly path: string;
}

/** How a member is shown. */
export type ShowMember = (name: string, value: JsonValue, path: string) => JsonValue;

/** The members of an object, as far as there is room. */
export function shownMembers(
  redaction: Redaction,
  { object, path }: PlacedObject,
  show: ShowMember,
): JsonObject {
  const names = Object.keys(object);
  const shown = new Map<string, JsonValue>();
  for (const name of names) {
    if (redaction.isFull) {
      redaction.cut(path, shown.size, names.length);
      break;
    }
    const known = shownName(redaction, name);
    redaction.spend(known.length + 4);
    shown.set(known, show(name, object[name] ?? null, path === "" ? known : `${path}.${known}`));
  }
  return Object.fromEntries(shown);
}

/** The values of a list, as far as there is room. */
export function shownValues(
  redaction: Redaction,
  { list, path }: { readonly list: readonly JsonValue[]; readonly path: string },
  show: (value: JsonValue) => JsonValue,
): readonly JsonValue[] {
  const shown: JsonValue[] = [];
  for (const value of list) {
    if (redaction.isFull || shown.length === MOST_VALUES) {
      redaction.cut(path, shown.length, list.length);
      break;
    }
    redaction.spend(2);
    shown.push(show(value));
  }
  return shown;
}

/** An attribute, as far as it is known, and where its value stands. */
export interface ValuePlace {
  readonly node: AttributeNode | undefined;
  readonly path: string;
}

/** Redacts the value of an attribute. */
export function redactValue(redaction: Redaction, value: JsonValue, place: ValuePlace): JsonValue {
  const { node, path } = place;
  if (isJsonArray(value)) {
    return shownValues(redaction, { list: value, path }, (each) => redactValue(redaction, each, place));
  }
  if (isJsonObject(value))
    return redactMembers(redaction, { object: value, path }, node?.subAttributes ?? NO_NODES);
  if (typeof value === "string") return redaction.text(value, node);
  if (typeof value === "number") return redaction.number(value, node);
  if (typeof value === "boolean") return redaction.boolean(value, node);
  redaction.spend(6);
  return value;
}

/** A name as it may be shown. */
export function shownName(redaction: Redaction, name: string): string {
  if (knownNames.has(name)) return name;
  if (!isAttributePath(name)) return redaction.personal(name);
  if (knownNames.size < MOST_NAMES) knownNames.add(name);
  return name;
}

/** Names that were looked at: nearly all are those of attributes. */
const knownNames = new Set<string>();
const MOST_NAMES = 1000;

/** What the protocol says, and no person: its texts, numbers, lists of texts. */
export function redactPlain(redaction: Redaction, value: JsonValue): JsonValue {
  if (typeof value === "string") return redaction.name(value);
  if (isJsonArray(value)) {
    return shownValues(redaction, { list: value, path: "" }, (each) => redactPlain(redaction, each));
  }
  if (isJsonObject(value)) return redactMembers(redaction, { object: value, path: "" }, NO_NODES);
  return value;
}

/** A member by its name, which is in lower case here, in any letter case. */
export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  if (Object.hasOwn(object, name)) return object[name];
  const spelled = Object.keys(object).find((each) => each.toLowerCase() === name);
  return spelled === undefined ? undefined : object[spelled];
}

/**
 * Sets the places that a mapping owns in a resource, and reads them. Resources are never changed: a new one is made
 * where something differs, and the same one is given back where nothing does.
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { comparisonKey } from "@scim/filter";
import { isJsonArray, isJsonObject, referencedTypes, type JsonObject, type JsonValue } from "@scim/schemas";
import type { TargetPath, ValueKey } from "../mapping/target-path.ts";

/** What is at a place: undefined for nothing. */
export type Found = JsonValue | undefined;

/** The resource with a value at a place; undefined clears it. */
export function assign(resource: JsonObject, target: TargetPath, value: Found): JsonObject {
  const { extension } = target;
  if (extension === null) return inHolder(resource, target, value);
  const name = nameIn(resource, extension);
  const held = resource[name];
  const holder = isJsonObject(held) ? held : {};
  const next = inHolder(holder, target, value);
  if (next === holder) return resource;
  return withMember(resource, name, Object.keys(next).length === 0 ? undefined : next);
}

/**
 * The resource without a reference to which a place gives another `value`, or none: what describes the resource that was
 * referred to goes with it.
 */
export function withoutOther(resource: JsonObject, target: TargetPath, value: Found): JsonObject {
  const { attribute, sub } = target;
  if (attribute.multiValued || referencedTypes(attribute).length === 0) return resource;
  const whole: TargetPath = { ...target, sub: null };
  const held = heldAt(resource, whole);
  const was = isJsonObject(held) ? memberOf(held, "value") : undefined;
  const given = sub === null && isJsonObject(value) ? memberOf(value, "value") : undefined;
  const wanted = sub?.name === "value" ? (value ?? null) : given;
  const isOther = was !== undefined && wanted !== undefined && !same(was, wanted);
  return isOther ? assign(resource, whole, undefined) : resource;
}

/** Sets what belongs to a value of a list, where there is that value. */
export function assignIfThere(resource: JsonObject, target: TargetPath, value: Found): JsonObject {
  return elementsOf(resource, target).length === 0 ? resource : assign(resource, target, value);
}

/** What is at a place. */
export function valueAt(resource: JsonObject, target: TargetPath): Found {
  const { sub, key } = target;
  if (key !== null) {
    const [first] = elementsOf(resource, target);
    return sub === null || first === undefined ? undefined : memberOf(first, sub.name);
  }
  const held = heldAt(resource, target);
  if (sub === null) return held;
  return isJsonObject(held) ? memberOf(held, sub.name) : undefined;
}

/** The text of a place by which resources are found; undefined where there is none. Equal texts are equal. */
export function comparableAt(resource: JsonObject, target: TargetPath): string | undefined {
  const value = valueAt(resource, target);
  return value === undefined || value === null ? undefined : comparable(value, target);
}

/** A value as text, without letter case where the attribute has none: as services compare it. */
export function comparable(value: JsonValue, { attribute, sub }: TargetPath): string {
  const { type, caseExact } = sub ?? attribute;
  const key = comparisonKey(type, caseExact, value) ?? value;
  return typeof key === "string" ? key : JSON.stringify(key);
}

function heldAt(resource: JsonObject, { extension, attribute }: TargetPath): Found {
  const holder = extension === null ? resource : memberOf(resource, extension);
  return isJsonObject(holder) ? memberOf(holder, attribute.name) : undefined;
}

function elementsOf(resource: JsonObject, target: TargetPath): readonly JsonObject[] {
  const held = heldAt(resource, target);
  const elements = isJsonArray(held) ? held.filter(isJsonObject) : [];
  const { key } = target;
  return key === null ? elements : elements.filter((element) => hasKey(element, key));
}

function inHolder(holder: JsonObject, target: TargetPath, value: Found): JsonObject {
  const { attribute, sub, key } = target;
  const name = nameIn(holder, attribute.name);
  const held = holder[name];
  let next: Found;
  if (key !== null && sub !== null) next = inList(held, { key, name: sub.name }, value);
  else if (sub !== null) next = inObject(held, sub.name, value);
  else if (attribute.multiValued) next = wholeList(held, value);
  else next = attribute.type === "complex" ? wholeObject(held, value) : value;
  return same(held, next) ? holder : withMember(holder, name, next);
}

function inObject(held: Found, name: string, value: Found): Found {
  const object = isJsonObject(held) ? held : {};
  const next = withMember(object, nameIn(object, name), value);
  return Object.keys(next).length === 0 ? undefined : next;
}

function inList(
  held: Found,
  { key, name }: { readonly key: ValueKey; readonly name: string },
  value: Found,
): Found {
  const list = isJsonArray(held) ? held : [];
  const isOne = (each: JsonValue): each is JsonObject => isJsonObject(each) && hasKey(each, key);
  if (value === undefined && name === "value") return emptied(list.filter((each) => !isOne(each)));
  const at = list.findIndex(isOne);
  const found = list[at];
  const others = name === "primary" && value === true ? list.map(withoutPrimary) : list;
  if (at < 0 || !isJsonObject(found))
    return value === undefined ? emptied(list) : [...others, { ...Object.fromEntries(key), [name]: value }];
  return others.with(at, withMember(found, nameIn(found, name), value));
}

/** One value of a list is primary at most (RFC 7643 §2.4): the one that is made so takes it from the others. */
function withoutPrimary(each: JsonValue): JsonValue {
  if (!isJsonObject(each) || memberOf(each, "primary") !== true) return each;
  return withMember(each, nameIn(each, "primary"), false);
}

/** Values that are there already stay as they are, with what the service or others added to them. */
function wholeList(held: Found, value: Found): Found {
  const wanted = value === undefined ? [] : isJsonArray(value) ? [...value] : [value];
  const kept = (isJsonArray(held) ? held : held === undefined ? [] : [held]).filter((each) => {
    const at = wanted.findIndex((one) => contains(each, one));
    if (at >= 0) wanted.splice(at, 1);
    return at >= 0;
  });
  return emptied([...kept, ...wanted]);
}

/** Members that are not named stay; null clears one. */
function wholeObject(held: Found, value: Found): Found {
  if (!isJsonObject(value)) return value;
  let next = isJsonObject(held) ? held : {};
  for (const [name, wanted] of Object.entries(value)) {
    const found = memberOf(next, name) ?? null;
    if (!contains(found, wanted)) next = withMember(next, nameIn(next, name), wanted ?? undefined);
  }
  return Object.keys(next).length === 0 ? undefined : next;
}

function emptied(list: readonly JsonValue[]): Found {
  return list.length === 0 ? undefined : list;
}

/** Whether a value is what is wanted, perhaps with more beside it. */
function contains(held: JsonValue, wanted: JsonValue): boolean {
  if (!isJsonObject(held) || !isJsonObject(wanted)) return isDeepStrictEqual(held, wanted);
  return Object.entries(wanted).every(([name, value]) => {
    const found = memberOf(held, name);
    return found !== undefined && contains(found, value);
  });
}

function hasKey(element: JsonObject, key: ValueKey): boolean {
  return [...key].every(([name, wanted]) => {
    const found = memberOf(element, name);
    return typeof found === "string" && typeof wanted === "string"
      ? found.toLowerCase() === wanted.toLowerCase()
      : found === wanted;
  });
}

/** Null and empty lists are nothing (RFC 7643 §2.5). */
function same(held: Found, next: Found): boolean {
  const isNone = (value: Found): boolean =>
    value === undefined || value === null || (isJsonArray(value) && value.length === 0);
  return (isNone(held) && isNone(next)) || isDeepStrictEqual(held, next);
}

function withMember(holder: JsonObject, name: string, value: Found): JsonObject {
  if (value !== undefined) return { ...holder, [name]: value };
  const { [name]: _cleared, ...others } = holder;
  return others;
}

function memberOf(holder: JsonObject, name: string): Found {
  return holder[nameIn(holder, name)];
}

/** The name as the service writes it: names have no letter case (RFC 7643 §2.1). */
function nameIn(holder: JsonObject, name: string): string {
  if (Object.hasOwn(holder, name)) return name;
  const lower = name.toLowerCase();
  return Object.keys(holder).find((each) => each.toLowerCase() === lower) ?? name;
}

/**
 * The operations that make one list of values of another.
 * @module
 */
import { eq, patchPath, printPatchPath } from "@scim/filter/ast";
import {
  isJsonObject,
  type Attribute,
  type JsonObject,
  type JsonValue,
  type PatchOperation,
} from "@scim/schemas";
import { isEqual } from "./json-equality.ts";
import { isRenewed, removedParts } from "./kept-parts.ts";

/** Which list. */
export interface ListTarget {
  readonly path: string;
  readonly attribute: Attribute;
  /** Whether the order of the values says nothing. */
  readonly isUnordered: boolean;
}

type Values = readonly JsonValue[];

/** The shortest operations that are known to lead from one list to the other. */
export function diffValues(before: Values, after: Values, target: ListTarget): readonly PatchOperation[] {
  const whole: readonly PatchOperation[] = [
    ...renewals(before, after, target),
    { op: "replace", path: target.path, value: after },
  ];
  const edits = added(before, after, target) ?? edited(before, after, target);
  return edits === null || lengthOf(edits) >= lengthOf(whole) ? whole : edits;
}

/** Removes the values that come again with another immutable part: in their own place they would keep the one they have. */
function renewals(before: Values, after: Values, target: ListTarget): readonly PatchOperation[] {
  const [from, to, key] = [objectsIn(before), objectsIn(after), keyOf("value", target)];
  if (from === null || to === null || key === null) return [];
  if (!tellsApart(key, from) || !tellsApart(key, to)) return [];
  const nexts = byKey(key, to);
  return from.flatMap((each) => {
    const next = nexts.get(textOf(key, each));
    const isOther = next !== undefined && isRenewed(target.attribute, each, next);
    return isOther ? [{ op: "remove", path: pathTo(key, each, target) } as const] : [];
  });
}

/** Where values were only added at the end. */
function added(before: Values, after: Values, { path }: ListTarget): readonly PatchOperation[] | null {
  if (after.length <= before.length || !before.every((each, index) => isEqual(each, after[index])))
    return null;
  const value = after.slice(before.length);
  return value.some(hasPrimary) && before.some(hasPrimary) ? null : [{ op: "add", path, value }];
}

/** Values that are found by a sub-attribute that tells them apart. */
function edited(before: Values, after: Values, target: ListTarget): readonly PatchOperation[] | null {
  const from = objectsIn(before);
  const to = objectsIn(after);
  // Which value is primary is one decision for all of them: the service would take it from the others.
  if (from === null || to === null || !isEqual(primaryOf(from), primaryOf(to))) return null;
  const value = keyOf("value", target);
  if (value === null || !tellsApart(value, from) || !tellsApart(value, to)) return null;
  const pairs = pairsOf(from, to, { value, type: keyOf("type", target), attribute: target.attribute });
  const result = [...from.flatMap((each) => pairs.of.get(each)?.next ?? []), ...pairs.added];
  if (!target.isUnordered && !isEqual(result, after)) return null;

  const operations = from.flatMap((each): readonly PatchOperation[] => {
    const pair = pairs.of.get(each);
    if (pair === undefined) return [{ op: "remove", path: pathTo(value, each, target) }];
    return changes(pair.key, each, { next: pair.next, target });
  });
  return pairs.added.length === 0
    ? operations
    : [...operations, { op: "add", path: target.path, value: pairs.added }];
}

/** Which value becomes which, and which are new. */
interface Pairs {
  /** By the value before: what becomes of it, and what it is found by. */
  readonly of: ReadonlyMap<JsonObject, { readonly key: Key; readonly next: JsonObject }>;
  readonly added: readonly JsonObject[];
}

/** What values are paired by. */
interface Pairing {
  readonly value: Key;
  readonly type: Key | null;
  readonly attribute: Attribute;
}

/**
 * Pairs values of the same `value`, and of the others those of the same `type` where that tells all apart. One whose
 * immutable parts change goes, and comes anew.
 */
function pairsOf(
  from: readonly JsonObject[],
  to: readonly JsonObject[],
  { value, type, attribute }: Pairing,
): Pairs {
  const of = new Map<JsonObject, { readonly key: Key; readonly next: JsonObject }>();
  const pair = (key: Key, gone: readonly JsonObject[], come: readonly JsonObject[]): void => {
    const nexts = byKey(key, come);
    for (const each of gone) {
      const next = nexts.get(textOf(key, each));
      if (next !== undefined && !isRenewed(attribute, each, next)) of.set(each, { key, next });
    }
  };
  const unpaired = (): readonly JsonObject[] => {
    const paired = new Set([...of.values()].map(({ next }) => next));
    return to.filter((each) => !paired.has(each));
  };
  pair(value, from, to);
  if (type !== null && tellsApart(type, from) && tellsApart(type, to)) {
    const gone = from.filter((each) => !of.has(each));
    pair(type, gone, unpaired());
  }
  return { of, added: unpaired() };
}

function byKey(key: Key, values: readonly JsonObject[]): ReadonlyMap<string | null, JsonObject> {
  return new Map(values.map((value) => [textOf(key, value), value]));
}

/** A sub-attribute that values are found by. */
interface Key {
  readonly name: string;
  readonly caseExact: boolean;
}

function keyOf(name: string, { attribute }: ListTarget): Key | null {
  const found = attribute.subAttributes.find((each) => each.name === name && each.type === "string");
  return found === undefined ? null : { name, caseExact: found.caseExact };
}

function textOf({ name, caseExact }: Key, value: JsonObject): string | null {
  const text = value[name];
  if (typeof text !== "string" || text === "") return null;
  return caseExact ? text : text.normalize("NFKC").toLowerCase();
}

/** Whether each value has another text there. Services compare by rules of their own: look-alikes count as the same. */
function tellsApart(key: Key, values: readonly JsonObject[]): boolean {
  const texts = values.map((value) => textOf(key, value));
  return !texts.includes(null) && new Set(texts).size === texts.length;
}

interface ValueChange {
  readonly next: JsonObject;
  readonly target: ListTarget;
}

/** Operations on the sub-attributes of one value; the one that it is found by is changed last. */
function changes(key: Key, before: JsonObject, { next, target }: ValueChange): readonly PatchOperation[] {
  const operations = removedParts(target.attribute, before, next).map((name): PatchOperation => ({
    op: "remove",
    path: pathTo(key, before, { path: target.path, name }),
  }));
  const last = Object.entries(next).toSorted(([a], [b]) => Number(a === key.name) - Number(b === key.name));
  for (const [name, value] of last) {
    if (isEqual(before[name], value)) continue;
    const op = Object.hasOwn(before, name) ? "replace" : "add";
    operations.push({ op, path: pathTo(key, before, { ...target, name }), value });
  }
  return operations;
}

/** The path of a value, or of a sub-attribute of it. */
function pathTo(
  key: Key,
  value: JsonObject,
  { path, name }: { readonly path: string; readonly name?: string },
): string {
  const text = value[key.name];
  const filter = eq(key.name, typeof text === "string" ? text : "");
  return printPatchPath(patchPath(path, name === undefined ? { filter } : { filter, subAttribute: name }));
}

function objectsIn(values: Values): readonly JsonObject[] | null {
  const objects = values.filter(isJsonObject);
  return objects.length === values.length ? objects : null;
}

function hasPrimary(value: JsonValue): boolean {
  return isJsonObject(value) && value["primary"] === true;
}

/** The value that is primary, by what it is found by. */
function primaryOf(values: readonly JsonObject[]): JsonValue | undefined {
  return values.find(hasPrimary)?.["value"];
}

function lengthOf(operations: readonly PatchOperation[]): number {
  return JSON.stringify(operations).length;
}

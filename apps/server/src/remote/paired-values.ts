/**
 * Which values of a list go on as which, where a record names the list anew.
 * @module
 */
import { canonicalJson } from "@scim/core";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/**
 * The values that were there, by those of the record that go on as them: of the same `value` and `type`; else of the same
 * `value`, where no other is left that might be meant. What is in no pair is new, or gone.
 */
export function pairedValues(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): ReadonlyMap<JsonObject, JsonObject> {
  const pairs = new Map<JsonObject, JsonObject>();
  const [known, named] = [before.filter(hasValue), after.filter(hasValue)];
  const byType = grouped(known, valueAndType);
  for (const [key, values] of grouped(named, valueAndType)) pair(byType.get(key) ?? [], values, pairs);
  const taken = new Set(pairs.values());
  const byValue = grouped(
    known.filter((each) => !taken.has(each)),
    valueAlone,
  );
  const left = named.filter((each) => !pairs.has(each));
  for (const [key, [value, ...others]] of grouped(left, valueAlone)) {
    const [same, ...more] = byValue.get(key) ?? [];
    if (value === undefined || same === undefined || others.length + more.length > 0) continue;
    pairs.set(value, same);
  }
  return pairs;
}

/** Pairs values that have one key: with the only one that is there, or each with one of its own, an equal one first. */
function pair(
  there: readonly JsonObject[],
  values: readonly JsonObject[],
  pairs: Map<JsonObject, JsonObject>,
): void {
  const [only, ...others] = there;
  if (only === undefined) return;
  if (others.length === 0) {
    // To a service these are one (RFC 7643 §2.4).
    for (const value of values) pairs.set(value, only);
    return;
  }
  const free = [...there];
  const take = (value: JsonObject, at: number): void => {
    const [same] = at < 0 ? [] : free.splice(at, 1);
    if (same !== undefined) pairs.set(value, same);
  };
  for (const value of values) {
    const text = canonicalJson(value);
    take(
      value,
      free.findIndex((each) => canonicalJson(each) === text),
    );
  }
  for (const value of values) if (!pairs.has(value)) take(value, 0);
}

function hasValue(each: JsonValue): each is JsonObject {
  return isJsonObject(each) && each["value"] !== undefined;
}

/** The `type` without letter case: a service spells that of a reference in its own way. */
function valueAndType({ value, type = null }: JsonObject): string {
  return canonicalJson([value ?? null, typeof type === "string" ? type.toLowerCase() : type]);
}

function valueAlone({ value }: JsonObject): string {
  return canonicalJson(value ?? null);
}

function grouped(
  values: readonly JsonObject[],
  key: (value: JsonObject) => string,
): ReadonlyMap<string, readonly JsonObject[]> {
  const groups = new Map<string, JsonObject[]>();
  for (const value of values) {
    const text = key(value);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [value]);
    else group.push(value);
  }
  return groups;
}

/**
 * Evaluates expressions over the fields of a record.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { isNothing, textOf, type Held } from "./functions.ts";
import type { Expression, Pipeline } from "./parse.ts";

/**
 * A value as a mapping states it: an expression, a constant, or lists and objects of these. What comes to nothing is
 * left out of them.
 */
export type ValueRule =
  | { readonly kind: "constant"; readonly value: JsonValue }
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "list"; readonly items: readonly ValueRule[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [string, ValueRule])[] };

/**
 * The value of a rule; undefined where it comes to nothing.
 * @throws TypeError naming the field whose value cannot be taken
 */
export function evaluateRule(rule: ValueRule, fields: JsonObject): Held {
  switch (rule.kind) {
    case "constant":
      return rule.value;
    case "expression":
      return evaluate(rule.expression, fields);
    case "list": {
      const values = rule.items.flatMap((item): readonly JsonValue[] => {
        const value = evaluateRule(item, fields);
        if (isNothing(value)) return [];
        return isJsonArray(value) ? value : [value];
      });
      return values.length === 0 ? undefined : values;
    }
    case "object":
      return evaluateObject(rule.members, fields);
  }
}

/** An object of which constants alone are left says nothing of the record: it is left out. */
function evaluateObject(members: readonly (readonly [string, ValueRule])[], fields: JsonObject): Held {
  const made: [string, JsonValue][] = [];
  let isOfRecord = members.every(([, { kind }]) => kind === "constant");
  for (const [name, rule] of members) {
    const value = evaluateRule(rule, fields);
    if (isNothing(value)) continue;
    made.push([name, value]);
    if (rule.kind !== "constant") isOfRecord = true;
  }
  return isOfRecord && made.length > 0 ? Object.fromEntries(made) : undefined;
}

/**
 * The value of an expression. One field alone keeps its type and may be a list; with text beside it, all is text, and
 * nothing where every field is.
 * @throws TypeError naming the field whose value cannot be taken
 */
export function evaluate({ parts }: Expression, fields: JsonObject): Held {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && typeof first !== "string") {
    const value = run(first, fields);
    return isNothing(value) ? undefined : value;
  }
  let text = "";
  let found = parts.every((part) => typeof part === "string");
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else {
      const value = run(part, fields);
      if (isNothing(value)) continue;
      found = true;
      text += named(part, () => textOf(value));
    }
  }
  const trimmed = text.trim();
  return found && trimmed !== "" ? trimmed : undefined;
}

function run(pipeline: Pipeline, fields: JsonObject): Held {
  return named(pipeline, () => {
    let value = fieldOf(pipeline.field, fields);
    for (const call of pipeline.calls) value = call(value);
    return value;
  });
}

function named<Result>({ field }: Pipeline, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new TypeError(`Field '${field}' ${cause.message}.`, { cause });
  }
}

/**
 * A field by its name; else the one within another, by the names between dots, and behind the URN of an extension also by a
 * colon. Undefined where there is none.
 */
export function fieldOf(name: string, value: JsonValue): Held {
  if (isJsonArray(value)) return value.flatMap((one) => fieldOf(name, one) ?? []);
  if (!isJsonObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  for (const [outer, inner] of cutsOf(name)) {
    const held = Object.hasOwn(value, outer) ? value[outer] : undefined;
    const found = held === undefined ? undefined : fieldOf(inner, held);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Each way in which a name may name a field, and what is within it. Names hold dots themselves, as the version in a URN does. */
export function* cutsOf(name: string): Generator<readonly [outer: string, inner: string], void, undefined> {
  const marks = /^urn:/i.test(name) ? /[.:]/g : /\./g;
  for (const { index } of name.matchAll(marks)) yield [name.slice(0, index), name.slice(index + 1)];
}

/**
 * Values made from JSON Schema, as far as OpenAPI documents of ours use it.
 * @module
 */
import { webAddresses } from "@scim/fixtures/arbitraries";
import fc, { type Arbitrary } from "fast-check";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { Schema } from "./described-service.ts";

/** Finds the schema that a reference names. */
export type Resolve = (reference: string) => Schema;

const LONGEST_LIST = 3;
const LONGEST_TEXT = 40;

/** Values that a schema allows. */
export function valuesOf(schema: Schema, resolve: Resolve): Arbitrary<JsonValue> {
  if (schema.$ref !== undefined) return valuesOf(resolve(schema.$ref), resolve);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valuesOf(choice, resolve)));
  switch (schema.type) {
    case "object":
      return objectsOf(schema, resolve);
    case "array":
      return listsOf(schema, resolve);
    case "string":
      return textsOf(schema);
    case "integer":
    case "number":
      return fc.integer({
        min: Math.max(schema.minimum ?? -1e6, -1e6),
        max: Math.min(schema.maximum ?? 1e6, 1e6),
      });
    case "boolean":
      return fc.boolean();
    default:
      return fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant({}));
  }
}

function objectsOf({ properties = {}, required = [] }: Schema, resolve: Resolve): Arbitrary<JsonValue> {
  const members = Object.entries(properties).map(
    ([name, member]) => [name, valuesOf(member, resolve)] as const,
  );
  const model: Record<string, Arbitrary<JsonValue>> = Object.fromEntries(members);
  return fc.record(model, { requiredKeys: [...required] });
}

function listsOf({ items = {}, contains, minItems = 0 }: Schema, resolve: Resolve): Arbitrary<JsonValue> {
  const lists = fc.array(valuesOf(items, resolve), { minLength: minItems, maxLength: LONGEST_LIST });
  const first = contains?.const;
  return lists.map((list) => withOnePrimary(first === undefined ? list : [first, ...list]));
}

/** At most one value of a list is the primary one (RFC 7643 §2.4): JSON Schema cannot say so. */
function withOnePrimary(list: readonly JsonValue[]): readonly JsonValue[] {
  const first = list.findIndex(isPrimary);
  return list.map((value, index) => {
    if (index === first || !isPrimary(value)) return value;
    const { primary: _primary, ...rest } = value;
    return rest;
  });
}

function isPrimary(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && value["primary"] === true;
}

function textsOf({
  format,
  pattern,
  contentEncoding,
  minLength = 0,
  maxLength = LONGEST_TEXT,
}: Schema): Arbitrary<string> {
  if (format === "date-time") {
    const noInvalidDate = { noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") };
    return fc.date(noInvalidDate).map((date) => date.toISOString());
  }
  if (format !== undefined) return fc.oneof(webAddresses, fc.constantFrom("../a/b", "/a?b=c#d"));
  if (contentEncoding === "base64") {
    return fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString("base64"));
  }
  if (pattern !== undefined) return matching(pattern);
  return fc.string({ minLength, maxLength: Math.min(maxLength, LONGEST_TEXT), unit: "grapheme-composite" });
}

/** Texts by the pattern that they match: some patterns go through all of Unicode once. */
const patterns = new Map<string, Arbitrary<string>>();

function matching(pattern: string): Arbitrary<string> {
  const texts = patterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  patterns.set(pattern, texts);
  return texts;
}

/** Values that were made, by their number: making them takes far longer than sending them. */
const made = new WeakMap<Schema, Map<number, readonly JsonValue[]>>();

/** A number of values that a schema allows, the same each time. */
export function samplesOf(schema: Schema, resolve: Resolve, count: number): readonly JsonValue[] {
  const known = made.get(schema) ?? new Map<number, readonly JsonValue[]>();
  made.set(schema, known);
  const samples =
    known.get(count) ?? fc.sample(valuesOf(schema, resolve), { numRuns: count, seed: 20_261_121 });
  known.set(count, samples);
  return samples;
}

/** A schema that allows no member that it does not name, at any depth: for checking what is answered. */
export function closed(schema: JsonValue): JsonValue {
  if (isJsonArray(schema)) return schema.map(closed);
  if (!isJsonObject(schema)) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === "properties" ? closedMembers(value) : closed(value),
    ]),
  );
  const isClosable = Object.hasOwn(schema, "properties") && !Object.hasOwn(schema, "$ref");
  return isClosable ? { ...inner, additionalProperties: false } : inner;
}

function closedMembers(properties: JsonValue): JsonValue {
  if (!isJsonObject(properties)) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, closed(member)]));
}

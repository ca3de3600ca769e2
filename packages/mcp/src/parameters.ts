/**
 * Checks the parameters of a call before anything is done, and reads them.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { invalidParams } from "./tool-error.ts";
import type { InputSchema, ValueSchema } from "./tool.ts";

/** Deepest nesting of objects and lists that a parameter may have. */
const DEEPEST = 64;

/**
 * Checks parameters against the schema of a tool.
 * @throws ToolError `invalidParams`, naming the parameter and never its value
 */
export function checkParams(schema: InputSchema, params: JsonObject): void {
  for (const name of Object.keys(params)) {
    if (Object.hasOwn(schema.properties, name)) continue;
    const known = Object.keys(schema.properties);
    throw invalidParams(
      `There is no parameter '${shortened(name)}'. ${known.length === 0 ? "There are none." : `There are: ${known.join(", ")}.`}`,
    );
  }
  for (const name of schema.required) {
    if (params[name] === undefined) throw invalidParams(`The parameter '${name}' is missing.`);
  }
  for (const [name, value] of Object.entries(params)) {
    const expected = schema.properties[name];
    if (expected !== undefined) checkValue(expected, value, name);
  }
}

function checkValue(schema: ValueSchema, value: JsonValue, path: string): void {
  const types = (schema.anyOf ?? [schema]).flatMap(({ type }) => type ?? []);
  if (types.length > 0 && !types.some((type) => isOf(type, value))) {
    throw invalidParams(
      `The parameter '${path}' is ${types.map((type) => NAMES[type] ?? type).join(" or ")}.`,
    );
  }
  checkDepth(value, path);
  if (typeof value === "string") checkText(schema, value, path);
  if (typeof value === "number" && value < (schema.minimum ?? Number.NEGATIVE_INFINITY)) {
    throw invalidParams(`The parameter '${path}' is at least ${schema.minimum ?? 0}.`);
  }
  if (isJsonArray(value)) checkList(schema, value, path);
  if (isJsonObject(value)) checkMembers(schema, value, path);
}

function checkText(schema: ValueSchema, value: string, path: string): void {
  if (value.length < (schema.minLength ?? 0)) throw invalidParams(`The parameter '${path}' is empty.`);
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    throw invalidParams(`The parameter '${path}' is one of ${schema.enum.join(", ")}.`);
  }
}

function checkList(schema: ValueSchema, value: readonly JsonValue[], path: string): void {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = schema;
  if (value.length < minItems || value.length > maxItems) {
    throw invalidParams(
      `The parameter '${path}' has ${minItems} to ${maxItems === Number.POSITIVE_INFINITY ? "any number of" : maxItems} entries.`,
    );
  }
  if (items === undefined) return;
  for (const [index, each] of value.entries()) checkValue(items, each, `${path}[${index}]`);
}

function checkMembers(schema: ValueSchema, value: JsonObject, path: string): void {
  for (const name of schema.required ?? []) {
    if (value[name] === undefined) throw invalidParams(`The parameter '${path}.${name}' is missing.`);
  }
  for (const [name, expected] of Object.entries(schema.properties ?? {})) {
    const member = value[name];
    if (member !== undefined) checkValue(expected, member, `${path}.${name}`);
  }
}

function checkDepth(value: JsonValue, path: string, depth = 0): void {
  if (depth > DEEPEST) throw invalidParams(`The parameter '${path}' is nested deeper than ${DEEPEST}.`);
  if (isJsonArray(value)) for (const each of value) checkDepth(each, path, depth + 1);
  else if (isJsonObject(value)) for (const each of Object.values(value)) checkDepth(each, path, depth + 1);
}

const NAMES: Readonly<Record<string, string>> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

function isOf(type: string, value: JsonValue): boolean {
  switch (type) {
    case "array":
      return isJsonArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isSafeInteger(value);
    default:
      return typeof value === type;
  }
}

/** Names come from the caller: an error repeats no more of them than a person reads. */
function shortened(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}

/** A text; undefined where it was left out. */
export function textOf(params: JsonObject, name: string): string | undefined {
  const value = params[name];
  return typeof value === "string" ? value : undefined;
}

/** A text that the schema requires. */
export function requiredText(params: JsonObject, name: string): string {
  return textOf(params, name) ?? "";
}

/** A whole number; undefined where it was left out. */
export function integerOf(params: JsonObject, name: string): number | undefined {
  const value = params[name];
  return typeof value === "number" ? value : undefined;
}

/** An object; empty where it was left out. */
export function objectOf(params: JsonObject, name: string): JsonObject {
  const value = params[name];
  return isJsonObject(value) ? value : {};
}

/** A list; empty where it was left out. */
export function listOf(params: JsonObject, name: string): readonly JsonValue[] {
  const value = params[name];
  return isJsonArray(value) ? value : [];
}

/** A list of texts; undefined where it was left out. */
export function textsOf(params: JsonObject, name: string): readonly string[] | undefined {
  if (params[name] === undefined) return undefined;
  return listOf(params, name).filter((each) => typeof each === "string");
}

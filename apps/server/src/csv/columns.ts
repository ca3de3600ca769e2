/**
 * Turns the fields of a CSV record into a resource, and a resource into fields.
 * @module
 */
import type { ResourceModel } from "@scim/core";
import type { JsonObject, JsonValue } from "@scim/schemas";
import { counted } from "../progress/progress.ts";
import { PLAIN_WORDS, plainRule, type ColumnRule, type CsvMapping } from "./mapping.ts";
import { named, putConstant, putValues, targetOf, valuesAt, type Target } from "./target.ts";

/** A column that is read or written. */
export interface Column {
  readonly header: string;
  readonly rule: ColumnRule;
  readonly target: Target;
}

/** What a mapping means for a resource type. */
export interface ColumnPlan {
  readonly model: ResourceModel;
  /** By place in the header; null for columns that are left out. */
  readonly columns: readonly (Column | null)[];
  readonly constants: readonly { readonly target: Target; readonly value: JsonValue }[];
}

/**
 * Plans how records with a header are read. Without a rule of its own, a column bears the path of its attribute.
 * @throws TypeError naming the columns that are wrong, the first ten of them
 */
export function planColumns(
  model: ResourceModel,
  headers: readonly string[],
  mapping: CsvMapping | null,
): ColumnPlan {
  const faults: string[] = [];
  const attempt = <Result>(make: () => Result): Result | null => {
    try {
      return make();
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      faults.push(cause.message);
      return null;
    }
  };
  const rules = mapping?.columns ?? new Map<string, ColumnRule | null>();
  const columns = headers.map((header) => {
    const rule = rules.has(header) ? rules.get(header) : plainRule(header);
    if (rule === null || rule === undefined) return null;
    return attempt(() => columnOf(model, header, rule));
  });
  const names = new Set(headers);
  for (const header of rules.keys())
    if (!names.has(header)) faults.push(`There is no column ${named(header)}.`);
  // Each leaves its name, and one that finds none left is a second one.
  for (const header of headers)
    if (!names.delete(header)) faults.push(`There are two columns ${named(header)}.`);
  const constants = [...(mapping?.constants ?? [])].flatMap(([path, value]) => {
    const target = attempt(() => targetOf(model, path));
    return target === null ? [] : [{ target, value }];
  });
  if (faults.length > 0) throw new TypeError(listed(faults));
  return { model, columns, constants };
}

function columnOf(model: ResourceModel, header: string, rule: ColumnRule): Column {
  const target = targetOf(model, rule.path);
  const { type } = (target.sub ?? target.top).attribute;
  if (rule.words !== null && type !== "boolean")
    throw new TypeError(
      `The column ${named(header)} has words for 'true' and 'false', but ${named(rule.path)} is no boolean.`,
    );
  return { header, rule, target };
}

/** Most faults that are named: a file that is no CSV may have a fault in each of a million columns. */
const MOST_FAULTS = 10;

function listed(faults: readonly string[]): string {
  const others = faults.length - MOST_FAULTS;
  const first = faults.slice(0, MOST_FAULTS).join(" ");
  return others > 0 ? `${first} And ${counted(others, "fault")} more.` : first;
}

/**
 * The resource of a record.
 * @throws TypeError where the record has another number of fields than the header
 */
export function resourceOfFields(plan: ColumnPlan, fields: readonly string[]): JsonObject {
  const { model, columns, constants } = plan;
  if (fields.length !== columns.length)
    throw new TypeError(
      `The record has ${counted(fields.length, "column")} where the header has ${columns.length}.`,
    );
  const resource: Record<string, JsonValue> = {};
  for (const [index, column] of columns.entries()) {
    const text = fields[index] ?? "";
    if (column === null || text === "") continue;
    putValues(column.target, valuesOf(column, text), resource);
  }
  for (const { target, value } of constants) putConstant(target, value, resource);
  const extensions = [...model.extensions.values()].filter(({ urn }) => Object.hasOwn(resource, urn));
  return { schemas: [model.schema, ...extensions.map(({ urn }) => urn)], ...resource };
}

function valuesOf({ header, rule, target }: Column, text: string): readonly JsonValue[] {
  const { type } = (target.sub ?? target.top).attribute;
  const parts = rule.separator === null ? [text] : text.split(rule.separator).map((part) => part.trim());
  return parts
    .filter((part) => part !== "")
    .map((part) => (type === "boolean" ? booleanOf(part, header, rule) : valueOf(part, type)));
}

/** @throws TypeError for what is none of the words that the column has of its own */
function booleanOf(text: string, header: string, { words }: ColumnRule): JsonValue {
  const word = text.trim().toLowerCase();
  if ((words ?? PLAIN_WORDS).true.includes(word)) return true;
  if ((words ?? PLAIN_WORDS).false.includes(word)) return false;
  if (words === null) return text;
  throw new TypeError(
    `The column ${named(header)} must hold ${listedWords(words.true)} for true, or ${listedWords(words.false)} for false.`,
  );
}

function listedWords(words: readonly string[]): string {
  return words.map(named).join(" or ");
}

/** What cannot be read stays a text, so that validation tells what the attribute wants. */
function valueOf(text: string, type: string): JsonValue {
  const isNumber =
    (type === "integer" || type === "decimal") && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
  return isNumber ? Number(text) : text;
}

/** The fields of a resource. */
export function fieldsOfResource(columns: readonly Column[], resource: JsonObject): readonly string[] {
  return columns.map(({ target, rule }) => {
    const values = valuesAt(target, resource);
    const texts = values.map((value) => textOf(value, rule));
    return rule.separator === null ? (texts[0] ?? "") : texts.join(rule.separator);
  });
}

function textOf(value: JsonValue, rule: ColumnRule): string {
  const words = rule.words ?? PLAIN_WORDS;
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return (value ? words.true[0] : words.false[0]) ?? String(value);
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}

/** One record of CSV (RFC 4180), with its line end. */
export function recordOf(fields: readonly string[], delimiter: string): string {
  const quoted = fields.map((field) =>
    /["\r\n]/.test(field) || field.includes(delimiter) || field !== field.trim()
      ? `"${field.replaceAll('"', '""')}"`
      : field,
  );
  return `${quoted.join(delimiter)}\r\n`;
}

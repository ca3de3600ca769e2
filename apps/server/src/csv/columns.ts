/**
 * Turns the fields of a CSV record into a resource, and a resource into fields.
 * @module
 */
import type { ResourceModel } from "@scim/core";
import { isExactNumber, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { CommandFailure, EXIT } from "../failure.ts";
import { counted } from "../progress/progress.ts";
import { closeGaps, type Made, type Place } from "./list-places.ts";
import { PLAIN_WORDS, plainRule, type ColumnRule, type CsvMapping } from "./mapping.ts";
import { putConstant, putValues } from "./put-values.ts";
import { sharedColumns, sharedConstants } from "./shared-places.ts";
import { named, targetOf, valuesAt, type Target } from "./target.ts";

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
  for (const [header, rule] of rules)
    if (rule !== null && !names.has(header)) faults.push(`There is no column ${named(header)}.`);
  // Each leaves its name, and one that finds none left is a second one.
  for (const header of headers)
    if (!names.delete(header)) faults.push(`There are two columns ${named(header)}.`);
  const constants = [...(mapping?.constants ?? [])].flatMap(([path, value]) => {
    const target = attempt(() => targetOf(model, path));
    return target === null ? [] : [{ name: path, target, value }];
  });
  const placed = columns.flatMap((column) =>
    column === null ? [] : [{ name: column.header, target: column.target }],
  );
  faults.push(...sharedColumns(placed), ...sharedConstants(placed, constants));
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
  const isList = target.top.attribute.multiValued || target.sub?.attribute.multiValued === true;
  if (rule.separator !== null && !isList)
    throw new TypeError(`The column ${named(header)} has a separator, but ${named(rule.path)} is no list.`);
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
 * @throws TypeError where the record has another number of fields than the header; ScimError `invalidValue` for a number
 *   that a double cannot hold
 */
export function resourceOfFields(plan: ColumnPlan, fields: readonly string[]): JsonObject {
  const { model, columns, constants } = plan;
  if (fields.length !== columns.length)
    throw new TypeError(
      `The record has ${counted(fields.length, "column")} where the header has ${columns.length}.`,
    );
  const resource: Record<string, JsonValue> = {};
  const made: Made = { resource, gaps: new Set() };
  for (const [index, column] of columns.entries()) {
    const text = fields[index] ?? "";
    if (column === null || text === "") continue;
    putValues(column.target, placesOf(column, text), made);
  }
  if (made.gaps.size > 0) for (const column of columns) if (column !== null) closeGaps(column.target, made);
  for (const { target, value } of constants) putConstant(target, value, made);
  const extensions = [...model.extensions.values()].filter(({ urn }) => Object.hasOwn(resource, urn));
  return { schemas: [model.schema, ...extensions.map(({ urn }) => urn)], ...resource };
}

/** What a field holds; an empty part of it keeps its place. */
function placesOf(column: Column, text: string): readonly Place[] {
  const { separator } = column.rule;
  const parts = separator === null ? [text] : text.split(separator).map((part) => part.trim());
  return parts.map((part) => (part === "" ? undefined : valueOf(part, column)));
}

/** What cannot be read stays a text, so that validation tells what the attribute wants. */
function valueOf(text: string, { header, rule, target }: Column): JsonValue {
  const { type } = (target.sub ?? target.top).attribute;
  if (type === "boolean") return booleanOf(text, header, rule);
  return type === "integer" || type === "decimal" ? numberOf(text, header) : text;
}

/** @throws ScimError `invalidValue` for what would lose digits, as of a record of JSON */
function numberOf(text: string, header: string): JsonValue {
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return text;
  if (isExactNumber(text)) return Number(text);
  throw new ScimError(
    "invalidValue",
    `The number in the column ${named(header)} has more digits or a greater exponent than a double holds.`,
  );
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

/**
 * The fields of a resource.
 * @throws CommandFailure for a value that holds the separator of its column: it would be read as two
 */
export function fieldsOfResource(columns: readonly Column[], resource: JsonObject): readonly string[] {
  return columns.map(({ header, target, rule }) => {
    const values = valuesAt(target, resource);
    const texts = values.map((value) => (value === undefined ? "" : textOf(value, rule)));
    const { separator } = rule;
    if (separator === null) return texts[0] ?? "";
    const kept = texts.slice(0, texts.findLastIndex((text) => text !== "") + 1);
    const field = kept.join(separator);
    // One of several characters may begin in a value as well, and end in the separator behind it.
    if (kept.length > 0 && field.split(separator).some((text, at) => text !== kept[at]))
      throw new CommandFailure(
        EXIT.failed,
        `A value of the column ${named(header)} holds the separator ${named(separator)}, or ends as it begins: choose another one in the mapping.`,
      );
    return field;
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
  // A line without anything would be no record.
  return `${quoted.join(delimiter) || '""'}\r\n`;
}

/**
 * A mapping of CSV columns to attributes, as its file states it.
 * @module
 */
import { CommandFailure, EXIT } from "../failure.ts";
import { readNamedFile } from "../text-file.ts";

/** What a column means. */
export interface ColumnRule {
  /** Attribute path, also with a value filter: `emails[type eq "work"].value`. */
  readonly path: string;
  /** Text between the values of a list; null where the column holds one value. */
  readonly separator: string | null;
  /** Words for true and false that the column has of its own; null where it has those of JSON. */
  readonly words: BooleanWords | null;
}

/** Words for true and false, compared without letter case: at least one of each, and none of both. */
export interface BooleanWords {
  readonly true: readonly string[];
  readonly false: readonly string[];
}

/** A mapping. */
export interface CsvMapping {
  /** Name of the resource type, or null where the command line names it. */
  readonly type: string | null;
  /** The character between fields, or null to find it out. */
  readonly delimiter: string | null;
  /** Rules by header; null for columns to leave out. */
  readonly columns: ReadonlyMap<string, ColumnRule | null>;
  /** Values that every record has, by attribute path. */
  readonly constants: ReadonlyMap<string, string | number | boolean>;
}

/** The words of columns that have none of their own. */
export const PLAIN_WORDS: BooleanWords = { true: ["true"], false: ["false"] };

/** The rule of a column that is named by the attribute it holds. */
export function plainRule(path: string): ColumnRule {
  return { path, separator: null, words: null };
}

/**
 * Reads a mapping file.
 * @throws CommandFailure naming the member that is wrong
 */
export function readMapping(path: string): CsvMapping {
  const text = readNamedFile("The mapping", path);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.usage, `The mapping ${path} cannot be read as JSON: ${reason}`, cause);
  }
  try {
    return mappingOf(content);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CommandFailure(EXIT.usage, `The mapping ${path}: ${cause.message}`, cause);
  }
}

const MEMBERS: ReadonlySet<string> = new Set(["type", "delimiter", "columns", "constants"]);
const RULE_MEMBERS: ReadonlySet<string> = new Set(["path", "separator", "true", "false"]);

/**
 * A mapping from its JSON.
 * @throws TypeError naming the member that is wrong
 */
export function mappingOf(content: unknown): CsvMapping {
  const members = objectOf(content, "the document");
  refuseUnknown(members, MEMBERS, "");
  const columns = objectOf(members.get("columns") ?? {}, "'columns'");
  const constants = objectOf(members.get("constants") ?? {}, "'constants'");
  const delimiter = textOf(members.get("delimiter"), "'delimiter'");
  if (delimiter !== null && !/^[\t !#-~]$/.test(delimiter))
    throw new TypeError("'delimiter' must be one ASCII character, and no quotation mark.");
  return {
    type: textOf(members.get("type"), "'type'"),
    delimiter,
    columns: new Map([...columns].map(([header, rule]) => [header, ruleOf(header, rule)])),
    constants: new Map([...constants].map(([path, value]) => [path, constantOf(path, value)])),
  };
}

function ruleOf(header: string, rule: unknown): ColumnRule | null {
  if (rule === null) return null;
  if (typeof rule === "string") return plainRule(rule);
  const place = `'columns.${header}'`;
  const members = objectOf(rule, place);
  refuseUnknown(members, RULE_MEMBERS, `${place}: `);
  const path = textOf(members.get("path"), `${place}: 'path'`);
  if (path === null) throw new TypeError(`${place} must have a 'path'.`);
  const separator = textOf(members.get("separator"), `${place}: 'separator'`);
  if (separator === "") throw new TypeError(`${place}: 'separator' must not be empty.`);
  return { path, separator, words: booleanWordsOf(members, place) };
}

function booleanWordsOf(members: ReadonlyMap<string, unknown>, place: string): BooleanWords | null {
  const [whenTrue, whenFalse] = [members.get("true"), members.get("false")];
  if (whenTrue === undefined && whenFalse === undefined) return null;
  const words = {
    true: wordsOf(whenTrue, `${place}: 'true'`) ?? PLAIN_WORDS.true,
    false: wordsOf(whenFalse, `${place}: 'false'`) ?? PLAIN_WORDS.false,
  };
  const both = words.true.find((word) => words.false.includes(word));
  if (both !== undefined) throw new TypeError(`${place}: '${both}' is a word for both 'true' and 'false'.`);
  return words;
}

function objectOf(value: unknown, place: string): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`${place} must be an object.`);
  return new Map(Object.entries(value));
}

function refuseUnknown(
  members: ReadonlyMap<string, unknown>,
  known: ReadonlySet<string>,
  place: string,
): void {
  for (const name of members.keys())
    if (!known.has(name))
      throw new TypeError(`${place}'${name}' is unknown; known: ${[...known].join(", ")}.`);
}

function textOf(value: unknown, place: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw new TypeError(`${place} must be a text.`);
  return value;
}

function wordsOf(value: unknown, place: string): readonly string[] | null {
  if (value === undefined) return null;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const words = list.map((word) => (typeof word === "string" ? word.trim().toLowerCase() : ""));
  if (words.length === 0 || words.includes(""))
    throw new TypeError(`${place} must be a word or a list of words, such as "yes"; no field is empty.`);
  return words;
}

function constantOf(path: string, value: unknown): string | number | boolean {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new TypeError(`'constants.${path}' must be a text, a number or a boolean.`);
}

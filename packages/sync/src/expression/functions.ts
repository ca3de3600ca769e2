/**
 * The functions of expressions. Each takes one value, and is applied to each value of a list unless it says otherwise.
 * @module
 */
import { isJsonArray, type JsonValue } from "@scim/schemas";

/** What a field holds: undefined where there is nothing. */
export type Held = JsonValue | undefined;

/** A function with its arguments. @throws TypeError for a value that it cannot take */
export type Apply = (value: Held) => Held;

/** Lookup tables by name; `*` in a table stands for every other value. */
export type Tables = ReadonlyMap<string, ReadonlyMap<string, JsonValue>>;

/** An argument of a function. */
export type Argument = string | number | boolean;

/** A function as its table states it. */
export interface StatedFunction {
  /** Such as `replace('pattern', 'text')`. */
  readonly usage: string;
  readonly least: number;
  readonly most: number;
  /** @throws TypeError where an argument is wrong */
  readonly make: (values: readonly Argument[], tables: Tables) => Apply;
}

const MANY = 64;

/** Longest text that a regular expression is run on: it may take long, and a field is no document. */
const LONGEST_MATCHED = 10_000;

const TRUE_WORDS: ReadonlySet<string> = new Set(["true", "yes", "y", "on", "1"]);
const FALSE_WORDS: ReadonlySet<string> = new Set(["false", "no", "n", "off", "0"]);

/** All functions by name. */
export const FUNCTIONS: ReadonlyMap<string, StatedFunction> = new Map<string, StatedFunction>([
  ["trim", plain("trim", (text) => text.trim())],
  ["lower", plain("lower", (text) => text.toLowerCase())],
  ["upper", plain("upper", (text) => text.toUpperCase())],
  [
    "replace",
    stated("replace('pattern', 'text')", [2, 2], ([pattern, text]) => {
      const expression = regularExpression(pattern, "gu");
      const replacement = String(text);
      return eachText((value) => matchable(value).replaceAll(expression, replacement));
    }),
  ],
  [
    "match",
    stated("match('pattern'), which gives its first group, or all of it", [1, 1], ([pattern]) => {
      const expression = regularExpression(pattern, "u");
      return eachText((value) => {
        const found = expression.exec(matchable(value));
        return found === null ? undefined : (found[1] ?? found[0]);
      });
    }),
  ],
  [
    "slice",
    stated("slice(start, end)", [1, 2], (places) => {
      const [start, end] = places.map(wholeNumber);
      // By characters: half of a surrogate pair is none, and no service takes it.
      return eachText((value) => Array.from(value).slice(start, end).join(""));
    }),
  ],
  [
    "split",
    stated("split('separator')", [1, 1], ([separator]) => {
      const between = String(separator);
      if (between === "") throw new TypeError("The separator of 'split' is not empty.");
      return (value) =>
        listOf(value).flatMap((one) =>
          textOf(one)
            .split(between)
            .map((part) => part.trim())
            .filter((part) => part !== ""),
        );
    }),
  ],
  [
    "join",
    stated("join('separator')", [1, 1], ([separator]) => (value) => {
      const values = listOf(value);
      return values.length === 0 ? undefined : values.map(textOf).join(String(separator));
    }),
  ],
  ["first", stated("first", [0, 0], () => (value) => listOf(value)[0])],
  [
    "default",
    stated(
      "default(value)",
      [1, 1],
      ([other]) =>
        (value) =>
          isNothing(value) ? other : value,
    ),
  ],
  [
    "required",
    stated("required", [0, 0], () => (value) => {
      if (isNothing(value)) throw new TypeError("is missing, and the mapping requires it");
      return value;
    }),
  ],
  ["number", stated("number", [0, 0], () => each(numberOf))],
  [
    "boolean",
    stated("boolean, or boolean('yes', …) with the words for true", [0, MANY], (words) => {
      const own = new Set(words.map((word) => String(word).toLowerCase()));
      return each((value) => (own.size === 0 ? booleanOf(value) : own.has(textOf(value).toLowerCase())));
    }),
  ],
  [
    "not",
    stated("not", [0, 0], () =>
      each((value) => {
        if (typeof value === "boolean") return !value;
        throw new TypeError("is no boolean: write '| boolean | not'");
      }),
    ),
  ],
  [
    "equals",
    stated("equals('value', …)", [1, MANY], (values) => {
      const texts = new Set(values.map(textOf));
      return (value) => !isNothing(value) && listOf(value).some((one) => texts.has(textOf(one)));
    }),
  ],
  [
    "table",
    stated("table('name') with a table of the mapping's 'tables'", [1, 1], ([name], tables) => {
      const table = tables.get(String(name));
      if (table === undefined)
        throw new TypeError(
          `There is no table '${String(name)}'; there are ${[...tables.keys()].join(", ") || "none"} below 'tables'.`,
        );
      return each((value) => {
        const key = textOf(value);
        const found = table.get(key) ?? table.get("*");
        if (found === undefined)
          throw new TypeError(`is '${shown(key)}', which table '${String(name)}' lacks (nor has it '*')`);
        return found === null ? undefined : found;
      });
    }),
  ],
]);

function stated(
  usage: string,
  [least, most]: readonly [number, number],
  make: StatedFunction["make"],
): StatedFunction {
  return { usage, least, most, make };
}

function plain(name: string, change: (text: string) => string): StatedFunction {
  return stated(name, [0, 0], () => eachText(change));
}

/** Nothing, an empty text, or a list without values: sources hardly tell these apart. */
export function isNothing(value: Held): value is undefined | null {
  return value === undefined || value === null || value === "" || (isJsonArray(value) && value.length === 0);
}

/** The values of a list, one value, or none. */
export function listOf(value: Held): readonly JsonValue[] {
  if (isNothing(value)) return [];
  return isJsonArray(value) ? value : [value];
}

/** A value as text. @throws TypeError for an object or a list */
export function textOf(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new TypeError("is no text: name a field within it, such as name.given");
}

function each(change: (value: JsonValue) => Held): Apply {
  return (value) => {
    if (isNothing(value)) return undefined;
    if (!isJsonArray(value)) return change(value);
    return value.flatMap((one) => listOf(change(one)));
  };
}

function eachText(change: (text: string) => Held): Apply {
  return each((value) => change(textOf(value)));
}

function numberOf(value: JsonValue): JsonValue {
  if (typeof value === "number") return value;
  const text = textOf(value).trim();
  const number = Number(text);
  if (text === "" || !Number.isFinite(number)) throw new TypeError(`is '${shown(text)}', which is no number`);
  return number;
}

function booleanOf(value: JsonValue): JsonValue {
  const word = textOf(value).trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  throw new TypeError(
    `is '${shown(word)}', which is neither true nor false: name the words for true, such as boolean('active')`,
  );
}

function wholeNumber(value: Argument): number {
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw new TypeError("'slice' takes whole numbers; negative ones count from the end.");
}

function regularExpression(pattern: Argument | undefined, flags: string): RegExp {
  try {
    return new RegExp(String(pattern), flags);
  } catch (cause) {
    throw new TypeError(cause instanceof Error ? `${cause.message}.` : "The pattern is wrong.", { cause });
  }
}

function matchable(text: string): string {
  if (text.length <= LONGEST_MATCHED) return text;
  throw new TypeError(`has ${text.length} characters; patterns take at most ${LONGEST_MATCHED}`);
}

/** The beginning of a value, for messages. */
function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

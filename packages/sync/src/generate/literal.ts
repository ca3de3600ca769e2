/**
 * Data as TypeScript source, laid out as formatters do, and safe whatever the data says.
 * @module
 */

/** What can be written. */
export type Literal =
  | string
  | boolean
  | readonly Literal[]
  | { readonly [name: string]: Literal | undefined };

const WIDTH = 100;

/**
 * The source of a value at a depth of indentation, the first line of which stands behind `before` characters.
 * Names of members are the caller's own words.
 */
export function literal(value: Literal, depth: number, before: number): string {
  const flat = flatLiteral(value);
  if (!isBroken(value) && before + flat.length < WIDTH) return flat;
  const indent = "  ".repeat(depth + 1);
  const end = "  ".repeat(depth);
  if (isList(value)) {
    const items = value.map((item) => `${indent}${literal(item, depth + 1, indent.length)},\n`);
    return `[\n${items.join("")}${end}]`;
  }
  if (typeof value !== "object") return flat;
  const members = membersOf(value).map(
    ([name, member]) => `${indent}${name}: ${literal(member, depth + 1, indent.length + name.length + 2)},\n`,
  );
  return `{\n${members.join("")}${end}}`;
}

/** Formatters give each of several objects a line of its own. */
function isBroken(value: Literal): boolean {
  if (isList(value))
    return (value.length > 1 && value.every((item) => typeof item === "object")) || value.some(isBroken);
  return typeof value === "object" && membersOf(value).some(([, member]) => isBroken(member));
}

function flatLiteral(value: Literal): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return String(value);
  if (isList(value)) return `[${value.map(flatLiteral).join(", ")}]`;
  const members = membersOf(value).map(([name, member]) => `${name}: ${flatLiteral(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** A string literal. What is invisible, or turns the direction of text, is escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007F-\u009F\u2028\u2029\p{Cf}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** A comment with a description that a service gives. */
export function docstring(text: string): string {
  const lines = wrapped(
    text
      .replaceAll(/[\p{C}\s]+/gu, " ")
      .replaceAll("*/", "*\\/")
      .trim(),
  );
  return lines.length <= 1
    ? `/** ${lines.join("")} */\n`
    : `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`;
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH - 4)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function isList(value: Literal): value is readonly Literal[] {
  return Array.isArray(value);
}

function membersOf(value: {
  readonly [name: string]: Literal | undefined;
}): readonly (readonly [string, Literal])[] {
  return Object.entries(value).filter((entry): entry is [string, Literal] => entry[1] !== undefined);
}

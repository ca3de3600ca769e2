/**
 * Splits the JSON text of a stored object at its top, without reading what its members hold.
 * @module
 */
import type { NameTable } from "./name-table.ts";

/** The members of an object, each in their order. */
export interface SplitMembers {
  /** Those that are plain, as the text between the braces of an object. */
  readonly plain: string;
  readonly rest: readonly TextMember[];
}

/** A member of an object. */
export interface TextMember {
  /** As it stands between the quotation marks. */
  readonly name: string;
  /** JSON. */
  readonly value: string;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Splits an object into the members that are plain and the rest.
 * @param text JSON as `JSON.stringify` writes it
 * @param plainNames as they stand in the text
 * @returns null where the text has another form, such as white space
 */
export function splitMembers(text: string, plainNames: NameTable): SplitMembers | null {
  const rest: TextMember[] = [];
  let plain = "";
  let start = 1;
  // Plain members that follow each other are taken at once.
  let run = start;
  while (text.charCodeAt(start) === QUOTE) {
    const behindName = endOfString(text, start);
    const end = endOfValue(text, behindName + 1);
    const next = text.charCodeAt(end) === COMMA ? end + 1 : end;
    if (!plainNames.has(text, start + 1, behindName - 1)) {
      plain += text.slice(run, start);
      rest.push({ name: text.slice(start + 1, behindName - 1), value: text.slice(behindName + 1, end) });
      run = next;
    }
    start = next;
  }
  const isWhole = start === text.length - 1 && text.charCodeAt(start) === CLOSE_OBJECT;
  if (!isWhole) return null;
  plain += text.slice(run, start);
  return { plain: plain.endsWith(",") ? plain.slice(0, -1) : plain, rest };
}

/** The place behind a string that begins at a quotation mark. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, place: number): boolean {
  let before = place - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (place - before) % 2 === 0;
}

/** The place behind a value, which is a comma or a brace. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let place = start;
  while (place < text.length) {
    const code = text.charCodeAt(place);
    if (code === QUOTE) {
      place = endOfString(text, place);
      continue;
    }
    if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1;
    else if (depth === 0 && (code === COMMA || code === CLOSE_OBJECT)) return place;
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth -= 1;
    place += 1;
  }
  return place;
}

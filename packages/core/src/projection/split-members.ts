/**
 * Splits the JSON text of a stored object at its top, without reading what its members hold.
 * @module
 */

/** The members of an object, as the text between its braces. */
export interface SplitMembers {
  readonly plain: string;
  readonly rest: string;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Splits an object into the members that are plain and the rest, each in their order.
 * @param text JSON as `JSON.stringify` writes it
 * @param plainNames as they stand in the text
 * @returns null where the text has another form, such as white space
 */
export function splitMembers(text: string, plainNames: ReadonlySet<string>): SplitMembers | null {
  const plain: string[] = [];
  const rest: string[] = [];
  let start = 1;
  while (text.charCodeAt(start) === QUOTE) {
    const behindName = endOfString(text, start);
    const end = endOfValue(text, behindName + 1);
    const into = plainNames.has(text.slice(start + 1, behindName - 1)) ? plain : rest;
    into.push(text.slice(start, end));
    start = text.charCodeAt(end) === COMMA ? end + 1 : end;
  }
  const isWhole = start === text.length - 1 && text.charCodeAt(start) === CLOSE_OBJECT;
  return isWhole ? { plain: plain.join(","), rest: rest.join(",") } : null;
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

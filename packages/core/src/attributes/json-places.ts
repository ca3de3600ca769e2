/**
 * Finds places in JSON as `JSON.stringify` writes it, without reading it.
 * @module
 */

/** Codes of the characters that JSON is made of. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** The place behind a string that begins at a quotation mark. */
export function endOfString(text: string, start: number): number {
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
export function endOfValue(text: string, start: number): number {
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

/** Where the next member of an object begins, behind the end of one. */
export function behindMember(text: string, end: number): number {
  return text.charCodeAt(end) === COMMA ? end + 1 : end;
}

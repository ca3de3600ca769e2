/**
 * Splits the JSON text of a stored object at its top, without reading what its members hold.
 * @module
 */
import { behindMember, CLOSE_OBJECT, endOfString, endOfValue, QUOTE } from "./json-places.ts";
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
    const next = behindMember(text, end);
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

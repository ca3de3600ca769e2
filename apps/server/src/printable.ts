/**
 * Texts that others wrote, such as names and what services answer, as a terminal may be given them.
 * @module
 */

/** Characters that move a cursor, colour or reorder what a terminal shows. */
const UNSEEN = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/**
 * A text as people may be shown it, whoever wrote it: characters that would steer their terminal stand as JSON escapes them.
 *
 * @example
 * printable("\u001B[31mred"); // "\\u001b[31mred"
 */
export function printable(text: string): string {
  return text.replaceAll(
    UNSEEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Sentences that may hold what others wrote; they keep their lines. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

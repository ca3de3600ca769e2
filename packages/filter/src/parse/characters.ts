/**
 * Classes of characters that the lexer tells apart (RFC 7644 §3.4.2.2 Figure 1, RFC 3986 §2).
 * @module
 */

/** SP, HTAB, LF, CR. */
export const WHITE_SPACE = 1;
/** A to Z, a to z. */
export const ALPHA = 2;
/** 0 to 9. */
export const DIGIT = 4;
/** What a name may hold after its first letter. */
export const NAME = 8;
/** What an attribute path with a URI may hold. Parentheses are left to grouping. */
export const URI = 16;
/** Parentheses and brackets. */
export const BRACKET = 32;
/** What may stand behind a value: `)` and `]`. */
export const CLOSING = 64;

/** Code units that the lexer names. */
export const Code = {
  quote: 0x22,
  dollar: 0x24,
  apostrophe: 0x27,
  leftParenthesis: 0x28,
  rightParenthesis: 0x29,
  plus: 0x2b,
  minus: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  leftBracket: 0x5b,
  backslash: 0x5c,
  rightBracket: 0x5d,
} as const;

const classes = new Uint8Array(128);

function assign(characters: string, bits: number): void {
  for (let index = 0; index < characters.length; index += 1) {
    const code = characters.charCodeAt(index);
    classes[code] = (classes[code] ?? 0) | bits;
  }
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
assign(LETTERS, ALPHA | NAME | URI);
assign("0123456789", DIGIT | NAME | URI);
assign("-_$", NAME | URI);
assign(".~:/?#@!&'*+,;=%", URI);
assign(" \t\n\r", WHITE_SPACE);
assign("([", BRACKET);
assign(")]", BRACKET | CLOSING);

/** Whether a code unit belongs to one of the classes. */
export function isClass(code: number, bits: number): boolean {
  return code < classes.length && ((classes[code] ?? 0) & bits) !== 0;
}

/** Where the run of characters of some classes ends that begins at `start`. */
export function runEnd(text: string, start: number, bits: number): number {
  let end = start;
  while (end < text.length && isClass(text.charCodeAt(end), bits)) end += 1;
  return end;
}

/** Whether the text ends at an offset, or a character of some classes stands there. */
export function endsOrIs(text: string, offset: number, bits: number): boolean {
  return offset >= text.length || isClass(text.charCodeAt(offset), bits);
}

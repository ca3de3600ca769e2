/**
 * How many cells of a terminal a text takes.
 * @module
 */

const NARROW = /^[\u0020-\u007E\u00A0-\u02FF]*$/;
/** An emoji of several code points is one. */
const SHOWN =
  /\p{Regional_Indicator}{2}|\p{Emoji}[\uFE0F\u20E3\p{Emoji_Modifier}]*(?:\u200D\p{Emoji}[\uFE0F\p{Emoji_Modifier}]*)*|./gsv;
/** Scripts and forms that are as wide as they are high (UAX #11). */
const WIDE =
  /\p{Emoji_Presentation}|\uFE0F|[\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6[[\p{sc=Han}\p{sc=Hangul}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}]--[\uFF61-\uFFDC]]]/v;
/** What alone shows nothing: marks, characters that only steer, and what goes on with a syllable of Hangul. */
const UNSEEN = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11FF]$/v;

/**
 * The width of a text, in cells.
 *
 * @example
 * textWidth("日本 Ada"); // 8
 */
export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const [shown] of text.matchAll(SHOWN)) if (!UNSEEN.test(shown)) width += WIDE.test(shown) ? 2 : 1;
  return width;
}

/**
 * Full and half width characters and what stands for them (RFC 8265 §3.3.1; the `<wide>` and
 * `<narrow>` decompositions of Unicode's UnicodeData.txt, no other compatibility mapping).
 * @module
 */

// [first, last, what the first maps to]: the rest of a range follows in order.
const ranges: readonly (readonly [number, number, number])[] = [
  [0x3000, 0x3000, 0x20],
  [0xff01, 0xff5e, 0x21],
  [0xff5f, 0xff60, 0x2985],
  [0xffa0, 0xffa0, 0x3164],
  [0xffa1, 0xffbe, 0x3131],
  [0xffc2, 0xffc7, 0x314f],
  [0xffca, 0xffcf, 0x3155],
  [0xffd2, 0xffd7, 0x315b],
  [0xffda, 0xffdc, 0x3161],
  [0xffe0, 0xffe1, 0xa2],
  [0xffe2, 0xffe2, 0xac],
  [0xffe3, 0xffe3, 0xaf],
  [0xffe4, 0xffe4, 0xa6],
  [0xffe5, 0xffe5, 0xa5],
  [0xffe6, 0xffe6, 0x20a9],
  [0xffe8, 0xffe8, 0x2502],
  [0xffe9, 0xffec, 0x2190],
  [0xffed, 0xffed, 0x25a0],
  [0xffee, 0xffee, 0x25cb],
];

// U+FF61 to U+FF9F, half width katakana; the last two are combining voice marks.
const KATAKANA =
  "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u3099\u309a";
const FIRST_KATAKANA = 0xff61;

const VARIANT = /[\u3000\uff01-\uffee]/g;

const widths: ReadonlyMap<string, string> = new Map([
  ...Array.from(KATAKANA, (target, index): [string, string] => [
    String.fromCharCode(FIRST_KATAKANA + index),
    target,
  ]),
  ...ranges.flatMap(([first, last, target]) =>
    Array.from({ length: last - first + 1 }, (_, index): [string, string] => [
      String.fromCharCode(first + index),
      String.fromCharCode(target + index),
    ]),
  ),
]);

/** Replaces each full or half width character by its ordinary form. */
export function mapWidth(text: string): string {
  return text.replaceAll(VARIANT, (character) => widths.get(character) ?? character);
}

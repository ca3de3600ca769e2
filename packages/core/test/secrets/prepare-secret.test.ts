import { describe, expect, test } from "vitest";
import { prepareSecret } from "../../src/index.ts";

describe("R8265-4.2-01 a secret is prepared as an OpaqueString", () => {
  test.each<readonly [string, string, string]>([
    ["plain text stays", "s3cret-Passw0rd!", "s3cret-Passw0rd!"],
    ["an ideographic space is a space", "open\u3000sesame", "open sesame"],
    ["a no-break space is a space", "open\u00A0sesame", "open sesame"],
    ["spaces are not taken off", "  open  sesame ", "  open  sesame "],
    ["letters and marks are composed", "ca\u0301sa", "cása"],
    ["Hangul letters are composed", "\u1112\u1161\u11AB", "한"],
    ["letter case stays", "PassWORD", "PassWORD"],
    ["width stays", "\uFF30\uFF41", "\uFF30\uFF41"],
    ["symbols and emoji stay", "♥ 😀", "♥ 😀"],
    ["ZWNJ stays, as Persian words have it", "می\u200Cخواهم", "می\u200Cخواهم"],
  ])("%s", (_name, text, prepared) => {
    expect(prepareSecret(text)).toBe(prepared);
    expect(prepareSecret(prepared)).toBe(prepared);
  });

  test.each<readonly [string, string]>([
    ["empty", ""],
    ["a tab", "a\tb"],
    ["a line feed", "a\nb"],
    ["NUL", "a\u0000b"],
    ["DEL", "a\u007Fb"],
    ["half of a pair", "a\uD800b"],
    ["a soft hyphen", "a\u00ADb"],
    ["for private use", "a\uE000b"],
    ["a noncharacter", "a\uFFFEb"],
  ])("%s cannot be one", (_name, text) => {
    expect(prepareSecret(text)).toBeNull();
  });

  test("as many marks in a row as a text can hold take no time to speak of, for whatever else a process does waits", () => {
    const text = `a${"\u0323\u0301".repeat(32_767)}`;
    const before = performance.now();
    expect(prepareSecret(text) === text).toBe(true);
    expect(performance.now() - before).toBeLessThan(500);
  });

  test("as many marks as any writing system has in a row are composed", () => {
    expect(prepareSecret(`a${"\u0323".repeat(29)}\u0302`)).toBe(`ậ${"\u0323".repeat(28)}`);
  });
});

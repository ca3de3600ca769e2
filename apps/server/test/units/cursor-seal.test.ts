import { randomBytes } from "node:crypto";
import type { SecretKey } from "@scim/tenancy";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCursorSeal } from "../../src/store/cursor-seal.ts";

function newKey(id: string): SecretKey {
  return { id, secret: randomBytes(32) };
}

const OLD = newKey("old");
const NEW = newKey("new");
const seal = createCursorSeal([OLD]);

describe("the seal of cursors", () => {
  test("R9865-2-01 gives cursors of unreserved characters, each another, that open to the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const cursor = seal.seal(text);
        expect(cursor).toMatch(/^[A-Za-z0-9._~-]+$/);
        expect(seal.seal(text)).not.toBe(cursor);
        expect(seal.open(cursor)).toBe(text);
      }),
    );
  });

  test("R9865-5.2-03 shows nothing of the text", () => {
    const cursor = seal.seal(JSON.stringify({ userName: "anna" }));
    expect(Buffer.from(cursor, "base64url").includes("anna")).toBe(false);
  });

  test("R9865-5.2-03 opens none in which a character was changed, added or taken away", () => {
    const cursor = seal.seal("text");
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === "A" ? "B" : "A";
      expect(seal.open(cursor.slice(0, at) + other + cursor.slice(at + 1))).toBeNull();
      expect(seal.open(cursor.slice(0, at) + cursor.slice(at + 1))).toBeNull();
    }
    for (const forged of ["", "x", `${cursor}A`, `${cursor}=`, ` ${cursor}`, "A".repeat(200), "é~."]) {
      expect(seal.open(forged)).toBeNull();
    }
  });

  test("keys can be changed: the first seals, all open, and what none made stays shut", () => {
    const rotated = createCursorSeal([NEW, OLD]);
    expect(rotated.open(seal.seal("text"))).toBe("text");
    expect(seal.open(rotated.seal("text"))).toBeNull();
    expect(createCursorSeal([NEW]).open(seal.seal("text"))).toBeNull();
  });

  test("needs a key", () => {
    expect(() => createCursorSeal([])).toThrow(TypeError);
  });
});

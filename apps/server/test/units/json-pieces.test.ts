import { expect, test } from "vitest";
import { jsonPieces } from "../../src/json-pieces.ts";

test.each([
  [{ a: [], b: {}, c: [1, { d: "x\ny", e: [null, true] }], f: undefined, g: { h: { i: [] } } }],
  [{ when: new Date(0), list: [{ a: 1, b: { c: [2] } }] }],
  ["text"],
  [null],
  [[]],
])("the pieces of %j are what JSON.stringify gives", (value) => {
  expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value, null, 2));
});

test("what is gone through one by one is a list, and no piece holds more than one part of it", () => {
  function* parts() {
    for (let id = 0; id < 5000; id += 1) yield { id, text: "x".repeat(100) };
  }
  const pieces = [...jsonPieces({ parts: { [Symbol.iterator]: parts } })];
  expect(JSON.parse(pieces.join(""))).toEqual({ parts: [...parts()] });
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200);
});

import { ENTERPRISE_USER_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { ExpressionError, parseExpression } from "../src/expression/parse.ts";
import { evaluate } from "../src/expression/evaluate.ts";

const TABLES = new Map([
  [
    "status",
    new Map<string, string | boolean | null>([
      ["A", true],
      ["L", false],
      ["none", null],
    ]),
  ],
  [
    "kind",
    new Map([
      ["1", "Employee"],
      ["*", "Other"],
    ]),
  ],
]);
const FIELDS = {
  first: " Ada ",
  last: "Lovelace",
  mail: "Ada@Example.com",
  status: "A",
  kind: 7,
  code: "07",
  none: "",
  sign: "𠮷田x",
  list: ["a", "B"],
  groups: "x; y;;z",
  "Employee ID": "0042",
  name: { given: "Ada", parts: [{ v: 1 }, { v: 2 }] },
  "a.b": "own",
  on: "YES",
  [ENTERPRISE_USER_URN]: { department: "Engines", manager: { value: "m1" } },
  "odd.name": { inner: [{ "x.y": 1 }, { "x.y": { z: 2 } }] },
};

const valueOf = (text: string) => evaluate(parseExpression(text, TABLES), FIELDS);

describe("an expression", () => {
  test.each([
    ["plain", "plain"],
    ["{{{last}}}", "{Lovelace}"],
    ["{first | trim} {last}", "Ada Lovelace"],
    ["{none} {last}", "Lovelace"],
    ["{none}{missing}, ", undefined],
    ["{mail|lower}", "ada@example.com"],
    ["{mail | match('^([^@]+)@') | upper}", "ADA"],
    ["{mail | match('nothing')}", undefined],
    ['{"Employee ID" | number}', 42],
    ["{'Employee ID' | replace('^0+', '')}", "42"],
    ["{last | slice(0, 4)}", "Love"],
    ["{sign | slice(0, 1)}", "𠮷"],
    ["{sign | slice(-2)}", "田x"],
    ["{status | table('status')}", true],
    ["{kind | table('kind')}", "Other"],
    ["{none | default('x')}", "x"],
    ["{missing | default(true)}", true],
    ["{groups | split(';')}", ["x", "y", "z"]],
    ["{list | lower | join(',')}", "a,b"],
    ["{list | first}", "a"],
    ["{on | boolean}", true],
    ["{on | boolean | not}", false],
    ["{status | boolean('L')}", false],
    ["{status | equals('A', 'B')}", true],
    ["{missing | equals('A')}", false],
    ["{code | equals(7)}", false],
    ["{code | equals(07)}", true],
    ["{kind | equals(7)}", true],
    ["{missing | default(07)}", "07"],
    ["{missing | default(7)}", 7],
    ["{name.given}", "Ada"],
    ["{name.parts.v}", [1, 2]],
    ["{a.b}", "own"],
    [`{${ENTERPRISE_USER_URN}:department}`, "Engines"],
    [`{${ENTERPRISE_USER_URN}.department}`, "Engines"],
    [`{${ENTERPRISE_USER_URN}:manager.value | upper}`, "M1"],
    [`{${ENTERPRISE_USER_URN}:costCenter}`, undefined],
    ["{odd.name.inner.x.y}", [1, { z: 2 }]],
    ["{odd.name.inner.x.y.z}", [2]],
    ["{name:given}", undefined],
  ])("%s is %j", (text, expected) => {
    expect(valueOf(text)).toEqual(expected);
  });

  test.each([
    ["{missing | required}", "Field 'missing' is missing"],
    ["{last | number}", "Field 'last' is 'Lovelace', which is no number."],
    ["{last | boolean}", "neither true nor false"],
    ["{last | table('status')}", "which table 'status' lacks"],
    ["x{name}", "Field 'name' is no text"],
    ["{last | not}", "is no boolean"],
  ])("%s refuses the record", (text, message) => {
    expect(() => valueOf(text)).toThrow(message);
  });

  test.each([
    ["{", 1],
    ["a}", 1],
    ["{last", 5],
    ["{last | }", 8],
    ["{last | slice}", 8],
    ["{last | slice(1", 15],
    ["{last | slice(x)}", 14],
    ["{last | slice('x')}", 8],
    ["{last | slice(0, 1.5)}", 8],
    ["{last first}", 6],
    ["{last | replace('(', '')}", 8],
    ["{last | constructor}", 8],
    ["{last ? 1}", 6],
  ])("%s is refused at character %d", (text, offset) => {
    const refused = (): unknown => parseExpression(text, TABLES);
    expect(refused).toThrow(ExpressionError);
    expect(refused).toThrow(expect.objectContaining({ offset }));
  });
});

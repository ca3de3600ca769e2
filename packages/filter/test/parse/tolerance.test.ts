import { FilterSyntaxError, literalPlaces, parseFilter, parsePatchPath } from "@scim/filter";
import type { Tolerance } from "@scim/filter";
import { describe, expect, test } from "vitest";

function read(
  text: string,
  ...names: readonly Tolerance[]
): { readonly node: unknown; readonly used: readonly Tolerance[] } {
  const used: Tolerance[] = [];
  const node = parseFilter(text, { tolerate: new Set(names), onTolerance: (name) => used.push(name) });
  return { node, used };
}

describe("R7644-F-18 valuePathComparison", () => {
  const rows = [
    ['e[t eq "w"].value eq "x"', 'e[t eq "w" and value eq "x"]'],
    ['e[t eq "w" and p pr].value eq "x"', 'e[t eq "w" and p pr and value eq "x"]'],
    ['e[t eq "w" or p pr].value co "x"', 'e[(t eq "w" or p pr) and value co "x"]'],
    ['e[not (t eq "w")].value ne "x"', 'e[not (t eq "w") and value ne "x"]'],
    ['e[t eq "w"].value pr', 'e[t eq "w" and value pr]'],
    ['e[t eq "w"] pr', 'e[t eq "w"]'],
    ['e[t eq "w"] eq "x"', 'e[t eq "w" and value eq "x"]'],
    [
      'urn:x:y:e[t eq "w"].value eq "x" or not (e[t pr].$ref pr)',
      'urn:x:y:e[t eq "w" and value eq "x"] or not (e[t pr and $ref pr])',
    ],
  ] as const;

  test.for(rows)("%s is %s", ([text, same]) => {
    const { node, used } = read(text, "valuePathComparison");
    expect(node).toEqual(parseFilter(same));
    expect(used).toEqual(["valuePathComparison"]);
  });

  test.for(rows)("refused without the tolerance: %s", ([text]) => {
    expect(() => parseFilter(text)).toThrow(FilterSyntaxError);
    expect(() => read(text, "lenientLiterals")).toThrow("inside the brackets");
  });

  test.for(["e[t pr].value", "e[t pr]. value pr", "e[t pr] .value pr", "e[t pr].a.b pr", "e[t pr].value eq"])(
    "still refused: %s",
    (text) => {
      expect(() => read(text, "valuePathComparison")).toThrow(FilterSyntaxError);
    },
  );

  test.for(["e[t pr] foo 1", "e[t pr] eqq 1", "e[t pr] b pr"])(
    "what is no operator is no comparison: %s",
    (text) => {
      expect(() => read(text, "valuePathComparison")).toThrow(
        expect.objectContaining({ offset: 8, expected: expect.arrayContaining(['"and"']) as string[] }),
      );
    },
  );

  test("it changes no PATCH path", () => {
    const tolerate = new Set<Tolerance>(["valuePathComparison"]);
    expect(() => parsePatchPath('e[t eq "w"].value eq "x"', { tolerate })).toThrow(FilterSyntaxError);
  });
});

describe("lenientLiterals", () => {
  const rows = [
    ["a eq 'x'", 'a eq "x"'],
    [String.raw`a eq 'O\'Brien \"x\" "y" \u0041\\'`, String.raw`a eq "O'Brien \"x\" \"y\" A\\"`],
    ["a sw J", 'a sw "J"'],
    ["(a eq User) or (a eq Group)", 'a eq "User" or a eq "Group"'],
    ["e[t eq work]", 'e[t eq "work"]'],
    ["a eq bjensen@example.com", 'a eq "bjensen@example.com"'],
    ["a eq 2819c223-7f76", 'a eq "2819c223-7f76"'],
    ["a eq 2011-05-13T04:42:34Z", 'a eq "2011-05-13T04:42:34Z"'],
    ["a eq O'Brien", 'a eq "O\'Brien"'],
    ["a eq truely", 'a eq "truely"'],
    ["a eq True", "a eq true"],
    ["a eq FALSE", "a eq false"],
    ["a eq NULL", "a eq null"],
    ["a eq é😀", 'a eq "é😀"'],
  ] as const;

  test.for(rows)("%s is %s", ([text, same]) => {
    const { node, used } = read(text, "lenientLiterals");
    expect(node).toEqual(parseFilter(same));
    expect(used).toEqual(["lenientLiterals"]);
  });

  test.for(rows)("refused without the tolerance: %s", ([text]) => {
    expect(() => parseFilter(text)).toThrow(FilterSyntaxError);
    expect(() => read(text, "valuePathComparison")).toThrow(FilterSyntaxError);
  });

  test.for([
    "a eq 'x",
    "a eq 'x'y",
    'a eq x"y"',
    "a eq",
    "a eq x y",
    "a eq (x)",
    "a eq [x]",
    "a eq 'x\ny'",
    "a eq x\u001fy",
  ])("still refused: %j", (text) => {
    expect(() => read(text, "lenientLiterals")).toThrow(FilterSyntaxError);
  });

  test("it reads PATCH paths too", () => {
    const tolerate = new Set<Tolerance>(["lenientLiterals"]);
    expect(parsePatchPath("e[t eq 'w'].value", { tolerate })).toEqual(parsePatchPath('e[t eq "w"].value'));
  });
});

test.for(['a eq "x"', "a eq 1", "a eq true", 'e[t eq "w"]', "a eq null"])(
  "what the grammar allows needs no tolerance and reads the same: %s",
  (text) => {
    const { node, used } = read(text, "lenientLiterals", "valuePathComparison");
    expect(node).toEqual(parseFilter(text));
    expect(used).toEqual([]);
  },
);

test("each tolerance is told once a text, and none where the text is refused", () => {
  expect(
    read("a eq 'x' and b eq y and e[t eq z].v eq 1", "lenientLiterals", "valuePathComparison").used,
  ).toEqual(["lenientLiterals", "valuePathComparison"]);
  const used: Tolerance[] = [];
  const options = {
    tolerate: new Set<Tolerance>(["lenientLiterals"]),
    onTolerance: (name: Tolerance) => used.push(name),
  };
  expect(() => parseFilter("a eq 'x' and", options)).toThrow(FilterSyntaxError);
  expect(used).toEqual([]);
});

test("onTolerance may parse", () => {
  const seen: unknown[] = [];
  parseFilter("a eq 'x'", {
    tolerate: new Set<Tolerance>(["lenientLiterals"]),
    onTolerance: () => seen.push(parseFilter("b pr")),
  });
  expect(seen).toEqual([parseFilter("b pr")]);
});

test.each([
  ["filter", `a eq 'x y' and (b co y ) or e[t eq "\\"z"].v eq 1`, ["'x y'", "y", '"\\"z"', "1"]],
  ["path", "e[t eq True].v", ["True"]],
  ["filter", 'a eq "x" and b eq', ['"x"']],
  ["filter", "a pr", []],
] as const)("the places of literals in the %s %s are told", (form, text, literals) => {
  const tolerate = new Set<Tolerance>(["lenientLiterals", "valuePathComparison"]);
  const places = literalPlaces(text, form, { tolerate });
  expect(places.map(({ start, end }) => text.slice(start, end))).toEqual(literals);
});

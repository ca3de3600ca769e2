import { FilterSyntaxError, parseFilter, parsePatchPath } from "@scim/filter";
import { describe, expect, test } from "vitest";

const lifted = { maxLength: Infinity, maxDepth: Infinity };

function nested(open: string, depth: number, close: string): string {
  return `${open.repeat(depth)}a pr${close.repeat(depth)}`;
}

describe("R7644-3.4.2.2-10 limits", () => {
  test("8192 characters by default", () => {
    const longest = `a eq "${"x".repeat(8192 - 7)}"`;
    expect(parseFilter(longest).kind).toBe("comparison");
    expect(() => parseFilter(`${longest} `)).toThrow(
      expect.objectContaining({ code: "tooLong", offset: 8192 }),
    );
  });

  test("maxLength may be set", () => {
    expect(() => parseFilter("a pr", { maxLength: 3 })).toThrow(expect.objectContaining({ code: "tooLong" }));
    expect(() => parsePatchPath("abcd", { maxLength: 3 })).toThrow("3 characters");
  });

  test.for([
    ["(", ")"],
    ["not (", ")"],
    ["not(", ")"],
  ] as const)("64 levels of %s by default", ([open, close]) => {
    expect(parseFilter(nested(open, 64, close)).kind).toBe(open === "(" ? "presence" : "not");
    expect(() => parseFilter(nested(open, 65, close))).toThrow(
      expect.objectContaining({ code: "tooDeep", offset: 64 * open.length + open.length - 1 }),
    );
  });

  test("a value path counts one", () => {
    const text = `${"(".repeat(2)}a[(b pr)]${")".repeat(2)}`;
    expect(parseFilter(text, { maxDepth: 4 }).kind).toBe("valuePath");
    expect(() => parseFilter(text, { maxDepth: 3 })).toThrow(expect.objectContaining({ code: "tooDeep" }));
    expect(() => parsePatchPath("a[b pr]", { maxDepth: 0 })).toThrow(
      expect.objectContaining({ code: "tooDeep" }),
    );
  });

  test("groups side by side do not add up", () => {
    const text = Array.from({ length: 100 }, () => "(a pr)").join(" or ");
    expect(parseFilter(text, { maxDepth: 1 }).kind).toBe("or");
  });

  test("with limits lifted, 200 levels are read and 10,000 end in an error with a position", () => {
    expect(parseFilter(nested("(", 200, ")"), lifted).kind).toBe("presence");
    expect(() => parseFilter(nested("not (", 10_000, ")"), lifted)).toThrow(
      expect.objectContaining({ code: "tooDeep", offset: 200 * 5 + 4 }),
    );
  });

  test("with limits lifted, 20,000 terms are one node", () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `a eq ${String(index)}`).join(" or ");
    const node = parseFilter(text, lifted);
    expect(node.kind === "or" && node.operands.length).toBe(20_000);
  });
});

const size = 100_000;

test.for([
  ["opening parentheses", "(".repeat(size)],
  ["closing parentheses", ")".repeat(size)],
  ["brackets", "a[".repeat(size)],
  ["not", "not ".repeat(size)],
  ["not and spaces before no group", `${"not     ".repeat(size)}x`],
  ["an open string", `a eq "${"x".repeat(size)}`],
  ["an open string of escapes", `a eq "${String.raw`\"`.repeat(size)}`],
  ["backslashes", `a eq "${"\\".repeat(size)}`],
  ["spaces", " ".repeat(size)],
  ["spaces behind a value", `a eq 1${" ".repeat(size)}x`],
  ["colons", ":".repeat(size)],
  ["a URN without a name", `urn:${"a:".repeat(size)} pr`],
  ["dots", `a${".".repeat(size)} pr`],
  ["digits", `a eq ${"1".repeat(size)}x`],
  ["zeros and dots", `a eq ${"0.".repeat(size)}"`],
  ["operators", "eq ".repeat(size)],
  ["and", `a pr${" and".repeat(size)}`],
  ["NUL", "\u0000".repeat(size)],
  ["lone surrogates", "\ud800".repeat(size)],
] as const)("hostile input ends in a syntax error: %s", ([, text]) => {
  const tolerate = new Set(["lenientLiterals", "valuePathComparison"] as const);
  expect(() => parseFilter(text, lifted)).toThrow(FilterSyntaxError);
  expect(() => parseFilter(text, { ...lifted, tolerate })).toThrow(FilterSyntaxError);
  expect(() => parsePatchPath(text, lifted)).toThrow(FilterSyntaxError);
});

import { parseFilter } from "@scim/filter";
import { foldFilter, printAttributePath, printFilter, printLiteral, visitFilter } from "@scim/filter/ast";
import type { FilterFold } from "@scim/filter/ast";
import fc from "fast-check";
import { expect, test } from "vitest";
import { filters } from "../arbitraries.ts";

const everyKind = 'a eq 1 and (b pr or not (c[d co "x"]))';

test("visitFilter calls at every node, parents first, from left to right", () => {
  const seen: string[] = [];
  const note = ({ kind }: { readonly kind: string }): void => {
    seen.push(kind);
  };
  visitFilter(parseFilter(everyKind), {
    comparison: note,
    presence: note,
    and: note,
    or: note,
    not: note,
    valuePath: note,
  });
  expect(seen).toEqual(["and", "comparison", "or", "presence", "not", "valuePath", "comparison"]);
});

test("visitFilter goes below nodes that the visitor leaves out", () => {
  const paths: string[] = [];
  visitFilter(parseFilter(everyKind), { comparison: ({ path }) => paths.push(path.attribute) });
  expect(paths).toEqual(["a", "d"]);
});

test("foldFilter can write the filter", () => {
  const writer: FilterFold<string> = {
    comparison: ({ path, operator, value }) =>
      `${printAttributePath(path)} ${operator} ${printLiteral(value)}`,
    presence: ({ path }) => `${printAttributePath(path)} pr`,
    and: (operands) => operands.map((operand) => `(${operand})`).join(" and "),
    or: (operands) => operands.map((operand) => `(${operand})`).join(" or "),
    not: (operand) => `not (${operand})`,
    valuePath: (filter, { path }) => `${printAttributePath(path)}[${filter}]`,
  };
  fc.assert(
    fc.property(filters, (node) => {
      const text = foldFilter(node, writer);
      expect(printFilter(parseFilter(text, { maxLength: Infinity }))).toBe(printFilter(node));
    }),
  );
});

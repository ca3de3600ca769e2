import { bindFilter, compileFilter, evaluateFilter, parseFilter } from "@scim/filter";
import type { FilterNode } from "@scim/filter";
import { and, not, or } from "@scim/filter/ast";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { filtersOver } from "../arbitraries.ts";
import { filterCases, resourceOf } from "../cases.ts";
import { resolverOf } from "../resolver.ts";

const TEST = "urn:example:params:scim:schemas:extension:test:2.0:User";

function matches(filter: string | FilterNode, resource: unknown): boolean {
  const node = typeof filter === "string" ? parseFilter(filter) : filter;
  return evaluateFilter(bindFilter(node, resolverOf("User")), resource);
}

describe("values that are missing, empty or null", () => {
  test.for([
    ["title pr", { title: null }, false],
    ["title pr", { title: "" }, false],
    ["title pr", { title: " " }, true],
    ["title eq null", { title: null }, true],
    ["title eq null", {}, true],
    ['title eq ""', { title: "" }, true],
    ['title eq ""', {}, false],
    ['title co ""', { title: "" }, true],
    ['title sw ""', {}, false],
    ['title ne "x"', { title: null }, true],
    ["emails pr", { emails: [] }, false],
    ["emails pr", { emails: [{}] }, false],
    ["emails pr", { emails: [{ value: null }, { value: "" }] }, false],
    ["emails pr", { emails: [{ primary: false }] }, true],
    ["name pr", { name: { givenName: "" } }, false],
    [`${TEST}:age pr`, { [TEST]: { age: 0 } }, true],
    ["active pr", { active: false }, true],
  ] as const)("R7644-F-03 to F-05: %s on %j is %s", ([filter, resource, outcome]) => {
    expect(matches(filter, resource)).toBe(outcome);
  });

  test.for([
    ["emails.primary eq false", { emails: [{ value: "a" }] }, true],
    ["emails.primary eq false", { emails: [{ value: "a", primary: null }] }, true],
    ["emails.primary eq false", { emails: [{ value: "a", primary: true }] }, false],
    ["emails.primary eq false", { emails: [] }, false],
    ["emails.primary eq false", {}, false],
    ["emails.primary ne true", { emails: [{ value: "a" }, { primary: true }] }, true],
    ["emails[primary ne true]", { emails: [{ value: "a" }] }, true],
    ["emails.primary pr", { emails: [{ value: "a" }] }, false],
    ["active eq false", {}, false],
  ] as const)(
    "R7644-F-06 a missing primary is false, no other boolean is: %s on %j is %s",
    ([filter, resource, outcome]) => {
      expect(matches(filter, resource)).toBe(outcome);
    },
  );
});

describe("several values", () => {
  const resource = { emails: [{ type: "work", value: "a" }, { type: "home", value: "b" }, { value: "c" }] };

  test.for([
    ['emails.type eq "home"', true],
    ['emails.type ne "home"', true],
    ['emails.type eq "work" and emails.value eq "b"', true],
    ['emails[type eq "work" and value eq "b"]', false],
    ['emails[type eq "work" or value eq "b"]', true],
    ["emails[not (type pr)]", true],
    ["not (emails[type pr])", false],
    ['emails[type ne "work" and value eq "c"]', true],
    ['emails.type gt "home"', true],
    ['emails.type gt "work"', false],
  ] as const)("R7644-F-10 to F-15: %s is %s", ([filter, outcome]) => {
    expect(matches(filter, resource)).toBe(outcome);
  });

  test("R7644-F-13 ne on values that are all the same is false", () => {
    expect(matches('emails.type ne "work"', { emails: [{ type: "work" }, { type: "WORK" }] })).toBe(false);
  });
});

describe("the data cannot mislead", () => {
  test.for([
    ["title pr", Object.create({ title: "inherited" })],
    ["name.givenName pr", { name: "text" }],
    ["emails.value pr", { emails: "text" }],
    ["name.givenName pr", null],
    ["title pr", []],
    ['title eq "1"', { title: 1 }],
    ["active eq true", { active: "true" }],
    [`${TEST}:age ge 0`, { [TEST]: { age: "1" } }],
    ['meta.created gt "2000-01-01T00:00:00Z"', { meta: { created: "yesterday" } }],
    ['meta.created sw "2"', { meta: { created: 2020 } }],
  ] as const)("%s on %j is false", ([filter, resource]) => {
    expect(matches(filter, resource)).toBe(false);
  });

  test("a value that is not of the attribute's type only differs", () => {
    expect(matches('title ne "1"', { title: 1 })).toBe(true);
  });
});

test("R7644-3.4.2.2-T-02 co, sw and ew compare a dateTime as text", () => {
  const resource = { meta: { created: "2010-01-23T04:56:22Z" } };
  expect(matches('meta.created co "-23T"', resource)).toBe(true);
  expect(matches('meta.created ew "Z"', resource)).toBe(true);
  expect(matches('meta.created ew "+00:00"', resource)).toBe(false);
});

test("R7644-F-02 texts are ordered by code point", () => {
  expect(matches('displayName lt "😀"', { displayName: "\uffff" })).toBe(true);
});

describe("laws", () => {
  const rows = filterCases.filter(
    (each) => typeof each.expect === "boolean" && each.type === "User" && each.root !== true,
  );
  const leaves = rows
    .map(({ filter }) => parseFilter(filter))
    .filter(({ kind }) => kind !== "and" && kind !== "or");
  const samples = [...new Set(rows.map(({ resource }) => resource))].map((name) => resourceOf(name));
  const filter = filtersOver(leaves);
  const resource = fc.constantFrom(...samples);

  test.for<[string, (a: FilterNode, b: FilterNode) => readonly [FilterNode, FilterNode]]>([
    ["not not a = a", (a) => [not(not(a)), a]],
    ["not (a and b) = not a or not b", (a, b) => [not(and(a, b)), or(not(a), not(b))]],
    ["not (a or b) = not a and not b", (a, b) => [not(or(a, b)), and(not(a), not(b))]],
    ["a and b = b and a", (a, b) => [and(a, b), and(b, a)]],
    ["a or b = b or a", (a, b) => [or(a, b), or(b, a)]],
    ["a and a = a", (a) => [and(a, a), a]],
    ["a or (a and b) = a", (a, b) => [or(a, and(a, b)), a]],
  ])("%s", ([, law]) => {
    fc.assert(
      fc.property(filter, filter, resource, (a, b, sample) => {
        const [left, right] = law(a, b);
        expect(matches(left, sample)).toBe(matches(right, sample));
      }),
      { numRuns: 200 },
    );
  });

  test("a compiled filter gives for each resource what evaluateFilter gives", () => {
    fc.assert(
      fc.property(filter, (node) => {
        const bound = bindFilter(node, resolverOf("User"));
        const compiled = compileFilter(bound);
        expect(samples.map((sample) => compiled(sample))).toEqual(
          samples.map((sample) => evaluateFilter(bound, sample)),
        );
      }),
    );
  });
});

import {
  createFilterCache,
  FilterSyntaxError,
  parseAttributePath,
  parseFilter,
  parsePatchPath,
} from "@scim/filter";
import type { Tolerance } from "@scim/filter";
import { expect, test } from "vitest";

test("gives what the parser gives, and the same tree again", () => {
  const cache = createFilterCache();
  const filter = cache.parseFilter("a pr");
  expect(filter).toEqual(parseFilter("a pr"));
  expect(cache.parseFilter("a pr")).toBe(filter);
  const path = cache.parsePatchPath("a[b pr].c");
  expect(path).toEqual(parsePatchPath("a[b pr].c"));
  expect(cache.parsePatchPath("a[b pr].c")).toBe(path);
  const attribute = cache.parseAttributePath("a.b");
  expect(attribute).toEqual(parseAttributePath("a.b"));
  expect(cache.parseAttributePath("a.b")).toBe(attribute);
});

test("keeps no more than max texts, and those used last", () => {
  const cache = createFilterCache({ max: 10 });
  const used = cache.parseFilter("used pr");
  const unused = cache.parseFilter("unused pr");
  for (let index = 0; index < 100; index += 1) {
    cache.parseFilter(`a${String(index)} pr`);
    expect(cache.parseFilter("used pr")).toBe(used);
  }
  expect(cache.parseFilter("unused pr")).not.toBe(unused);
  expect(cache.parseFilter("unused pr")).toEqual(unused);
});

test("does not keep long texts", () => {
  const cache = createFilterCache();
  const long = `a eq "${"x".repeat(1024)}"`;
  expect(cache.parseFilter(long)).not.toBe(cache.parseFilter(long));
});

test("a kept tree is handed out only within the limits of the call", () => {
  const cache = createFilterCache();
  cache.parseFilter("((a pr))");
  expect(() => cache.parseFilter("((a pr))", { maxDepth: 1 })).toThrow(
    expect.objectContaining({ code: "tooDeep" }),
  );
  expect(() => cache.parseFilter("((a pr))", { maxLength: 7 })).toThrow(
    expect.objectContaining({ code: "tooLong" }),
  );
  expect(cache.parseFilter("((a pr))", { maxDepth: 2, maxLength: 8 })).toEqual(parseFilter("a pr"));
});

test("a kept tree is handed out only where its tolerances are on, and these are told each time", () => {
  const cache = createFilterCache();
  const told: Tolerance[] = [];
  const tolerate = new Set<Tolerance>(["lenientLiterals"]);
  const onTolerance = (name: Tolerance): number => told.push(name);
  const node = cache.parseFilter("a eq x", { tolerate, onTolerance });
  expect(cache.parseFilter("a eq x", { tolerate, onTolerance })).toBe(node);
  expect(told).toEqual(["lenientLiterals", "lenientLiterals"]);
  expect(() => cache.parseFilter("a eq x")).toThrow(FilterSyntaxError);
  expect(() => cache.parseFilter("a eq x", { tolerate: new Set(["valuePathComparison"]) })).toThrow(
    FilterSyntaxError,
  );
});

test("a text is kept apart for each kind", () => {
  const cache = createFilterCache();
  expect(cache.parseAttributePath("a").kind).toBe("attributePath");
  expect(cache.parsePatchPath("a").kind).toBe("patchPath");
  expect(() => cache.parseFilter("a")).toThrow(FilterSyntaxError);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Imports of more than types. */
const IMPORT = /^(?:import|export) (?!type )[^;]*? from "(?<target>[^"]+)";$/gm;

/** What is imported, with what that imports, by the names that stand in the files. */
function reach(url: string, seen: Map<string, readonly string[]>): readonly string[] {
  if (seen.has(url)) return [];
  const targets = [...readFileSync(new URL(url), "utf8").matchAll(IMPORT)].map(([, target = ""]) => target);
  seen.set(url, targets);
  for (const target of targets)
    if (target.startsWith(".")) reach(new URL(target, url).href, seen);
    else if (target.startsWith("@scim/")) reach(import.meta.resolve(target), seen);
  return [...new Set([...seen.values()].flat())];
}

test.each([
  ["entry", ["@scim/core/changes", "@scim/events/link", "@scim/schemas"]],
  ["import", ["@scim/core/changes", "@scim/schemas"]],
  ["reader", ["@scim/filter/evaluate"]],
])("a thread starts fast, and loads no service: %s", (name, expected) => {
  const { href } = new URL(`../src/sqlite/${name}-thread.ts`, import.meta.url);
  const packages = reach(href, new Map()).filter((target) => !/^(?:\.|node:)/.test(target));
  expect(packages.toSorted()).toEqual(expected);
});

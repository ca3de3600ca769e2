import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const IMPORT = /(?:from|import)\s*\(?\s*"([^"]+)"/g;

function reach(url: URL, seen: Map<string, readonly string[]>): Map<string, readonly string[]> {
  if (seen.has(url.href)) return seen;
  const targets = [...readFileSync(url, "utf8").matchAll(IMPORT)].map(([, target = ""]) => target);
  seen.set(url.href, targets);
  for (const target of targets.filter((each) => each.startsWith("."))) reach(new URL(target, url), seen);
  return seen;
}

function packagesBehind(entry: string): readonly string[] {
  const graph = reach(new URL(`../../src/${entry}`, import.meta.url), new Map());
  return [...graph.values()].flat().filter((target) => !target.startsWith("."));
}

test.each(["ast", "evaluate"])(
  "@scim/filter/%s imports no package, so that what loads it loads no parser",
  (part) => {
    expect(packagesBehind(`${part}/index.ts`)).toEqual([]);
  },
);

test("the scan sees what the parser imports", () => {
  expect(packagesBehind("index.ts")).toContain("chevrotain");
});

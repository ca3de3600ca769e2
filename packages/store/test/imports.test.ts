import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const STATEMENT = /^(?:import|export)\s[^;]*?from "([^"]+)";|^import "([^"]+)";|\bimport\("([^"]+)"\)/gms;

/** What a module loads from other packages when it runs, itself and through its own files. */
function packagesOf(file: URL, seen = new Set<string>()): ReadonlySet<string> {
  const packages = new Set<string>();
  if (seen.has(file.href)) return packages;
  seen.add(file.href);
  for (const [statement, ...names] of readFileSync(file, "utf8").matchAll(STATEMENT)) {
    const name = names.find((each) => each !== undefined) ?? "";
    if (/^(?:import|export) type /.test(statement)) continue;
    if (!name.startsWith(".")) packages.add(name);
    else for (const other of packagesOf(new URL(name, file), seen)) packages.add(other);
  }
  return packages;
}

function entry(dialect: string): readonly string[] {
  const packages = packagesOf(new URL(`../src/${dialect}/index.ts`, import.meta.url));
  return [...packages].filter((name) => !name.startsWith("@scim/"));
}

test("SQLite loads no driver; PostgreSQL loads its own, and no SQLite", () => {
  expect(entry("sqlite").filter((name) => !name.startsWith("node:"))).toEqual([]);
  expect(entry("sqlite")).toContain("node:sqlite");
  expect(entry("postgres")).toContain("pg");
  expect(entry("postgres")).not.toContain("node:sqlite");
});

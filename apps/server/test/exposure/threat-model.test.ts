import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = new URL("../../../../", import.meta.url);
const TEXT = readFileSync(new URL("SECURITY.md", ROOT), "utf8");

/** A file that the table links to, and names of tests in it. */
const LINK = /\[(?<label>[^\]]+)\]\((?<path>[^)]+)\) (?<names>"[^"]+"(?:, "[^"]+")*)/g;

/** The rows of the table of threats: what is threatened, and its third cell. */
function threats(): readonly { readonly threat: string; readonly tests: string }[] {
  const table = TEXT.split("## Threat model")[1]?.split("\n## ")[0] ?? "";
  return table
    .split("\n")
    .filter(
      (line) =>
        line.startsWith("| ") && !line.startsWith("| threat") && !/^\| \*\*.*\*\* +\| +\| +\|$/.test(line),
    )
    .map((line) => line.split(" | "))
    .map(([threat = "", , tests = ""]) => ({ threat: threat.slice(2).trim(), tests }));
}

describe("the threat model", () => {
  test("names many threats", () => {
    expect(threats().length).toBeGreaterThan(30);
  });

  test.each(threats())("$threat: the tests that are named exist", ({ tests }) => {
    const links = [...tests.matchAll(LINK)].map(({ groups }) => ({ ...groups }));
    expect(links.length).toBeGreaterThan(0);
    // Nothing else stands in the cell, such as a link whose form is not read.
    expect(
      tests
        .replaceAll(LINK, "")
        .replaceAll("<br>", "")
        .replace(/\|\s*$/, "")
        .trim(),
    ).toBe("");
    for (const { label = "", path = "", names = "" } of links) {
      expect(path.endsWith(`/${label}`) && path.endsWith(".test.ts")).toBe(true);
      expect(existsSync(fileURLToPath(new URL(path, ROOT)))).toBe(true);
      const source = readFileSync(new URL(path, ROOT), "utf8");
      for (const [, name = ""] of names.matchAll(/"([^"]+)"/g)) expect(source).toContain(name);
    }
  });
});

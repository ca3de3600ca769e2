import { readFileSync } from "node:fs";
import { ERROR_CODES } from "@scim/schemas";
import { expect, test, vi } from "vitest";
import { DEFAULT_LIMITS } from "../../src/index.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** The cells of the rows of the table under a heading. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const section = readme.split(/^## /m).find((each) => each.startsWith(heading)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("| `"));
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("the program is the one that is compiled, and it runs", async () => {
  const program = readFileSync(new URL("smallest-program.ts", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
  const log = vi.spyOn(console, "log").mockReturnValue(undefined);
  await import("./smallest-program.ts");
  expect(log.mock.calls).toEqual([
    ["tolerated:", "string-booleans", "active"],
    ["bjensen", true],
  ]);
  log.mockRestore();
});

test("the table of limits is that of DEFAULT_LIMITS", () => {
  const limits = tableUnder("Limits").map(([name, value]) => [name, value]);
  expect(limits).toEqual(
    Object.entries(DEFAULT_LIMITS).map(([name, value]) => [`\`${name}\``, String(value)]),
  );
});

test("errors have the statuses of the error table", () => {
  const rows = tableUnder("Errors").flatMap(([codes = "", status]) =>
    codes.split(", ").map((code) => [code.replaceAll("`", ""), Number(status)]),
  );
  const statuses = new Map<unknown, number>(
    Object.entries(ERROR_CODES).map(([code, row]) => [code, row.status]),
  );
  expect(rows).toEqual(rows.map(([code]) => [code, statuses.get(code)]));
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ERROR_CODES } from "@scim/schemas";
import { errorsPage } from "../../../scripts/errors-doc.ts";

const page = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");

describe("docs/errors.md", () => {
  test("is what scripts/errors-doc.ts makes of the table", () => {
    expect(page).toBe(errorsPage());
  });

  test("has a row and a section for each code, and no other", () => {
    const rows = [...page.matchAll(/^\| \[(\w+)\]\(#(\w+)\) \|/gmu)].map(([, code = "", anchor = ""]) => [
      code,
      anchor,
    ]);
    const sections = [...page.matchAll(/^## (\w+)$/gmu)].map(([, code]) => code);
    const codes = Object.keys(ERROR_CODES);
    expect(rows).toEqual(codes.map((code) => [code, code.toLowerCase()]));
    expect(sections).toEqual(codes);
  });
});

import { ERROR_CODES } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { TABLES } from "./tables.ts";

const ROWS = Object.values(TABLES).flat();
const KEYWORDS = Object.values(ERROR_CODES).flatMap((row) => ("scimType" in row ? [row.scimType] : []));

describe("the tables provoke every error that has a keyword", () => {
  test.each(KEYWORDS)("R7644-3.12-03 R7644-3.12-05 %s, by three different requests or more", (keyword) => {
    const provoking = ROWS.filter((row) =>
      [row.strict, row.tolerant].some(
        (expected) => expected.kind === "refused" && expected.scimType === keyword,
      ),
    );
    expect(new Set(provoking.map(({ title }) => title)).size).toBeGreaterThanOrEqual(3);
  });

  test("keywords stand with the status that the RFC gives them", () => {
    for (const { strict, tolerant } of ROWS) {
      for (const expected of [strict, tolerant]) {
        if (expected.kind === "accepted" || expected.scimType === null) continue;
        const row = Object.values(ERROR_CODES).find(
          (each) => "scimType" in each && each.scimType === expected.scimType,
        );
        expect(row?.status).toBe(expected.status);
      }
    }
  });
});

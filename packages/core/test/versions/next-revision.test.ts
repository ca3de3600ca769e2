import { expect, test } from "vitest";
import { nextRevision as revisionBehind } from "../../src/index.ts";

const nextRevision = (before: number): number => revisionBehind(before, Math.random());

test("R7644-3.14-09 a revision grows by a step that another history does not repeat", () => {
  const begun = new Set(Array.from({ length: 1000 }, () => nextRevision(0)));
  // Of 2^32 steps two that are alike are rare; a short step would repeat among so many.
  expect(begun.size).toBeGreaterThan(995);
  for (const [before] of begun.entries()) expect(nextRevision(before)).toBeGreaterThan(before);
});

test("a revision is a safe integer, however many there were", () => {
  let revision = 0;
  for (let change = 0; change < 10_000_000; change += 1) revision = nextRevision(revision);
  expect(Number.isSafeInteger(revision)).toBe(true);
  expect(nextRevision(Number.MAX_SAFE_INTEGER - 1)).toBe(Number.MAX_SAFE_INTEGER);
});

import { expect, test } from "vitest";
import { triedSince } from "../../src/delivery/backoff.ts";
import { HOUR } from "./service.ts";

const START = Date.UTC(2026, 2, 1);
const at = (milliseconds: number): string => new Date(START + milliseconds).toISOString();

test.each([
  ["in time", 10_000, 10_000, 0],
  ["as late as the longest pause", 10_000, 10_000 + HOUR, 0],
  ["later than that, as where nobody could try", 10_000, 10_001 + HOUR, HOUR + 1],
  ["a day late", HOUR, 25 * HOUR, 24 * HOUR],
  ["late, where it was due before it failed, since a clock went back", -2 * HOUR, HOUR, HOUR],
])("what is tried again %s has failed since then", (_, due, now, since) => {
  expect(triedSince(at(0), at(due), START + now)).toBe(at(since));
});

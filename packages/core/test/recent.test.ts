import { expect, test } from "vitest";
import { isRecent } from "../src/index.ts";

test.each([
  ["the same moment", 5000, true],
  ["just before its time is over", 5999, true],
  ["its time is over", 6000, false],
  ["the clock was set back", 4999, false],
])("what was found out at an instant is recent: %s", (_what, now, recent) => {
  expect(isRecent(5000, { now, within: 1000 })).toBe(recent);
});

import { expect, test } from "vitest";
import { createWaitingPolls, MOST_WAITING } from "../../src/delivery/waiting-polls.ts";

const OURS = { tenant: "ours", id: "stream" };

test("a place is free again once its poll was answered, and streams take none of each other", () => {
  const waiting = createWaitingPolls();
  const taken = (): readonly unknown[] =>
    Array.from({ length: MOST_WAITING + 1 }, () => waiting.enter(OURS)).filter((leave) => leave !== null);
  const places = Array.from({ length: MOST_WAITING }, () => waiting.enter(OURS));
  expect(waiting.enter(OURS)).toBeNull();
  expect(waiting.enter({ ...OURS, tenant: "theirs" })).not.toBeNull();
  for (const leave of places) leave?.();
  expect(taken()).toHaveLength(MOST_WAITING);
});

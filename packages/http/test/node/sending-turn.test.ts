import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { sendingTurn } from "@scim/http/node";

/** Answers that wait, each with its number, and the numbers of those that were sent. */
function answers(count: number): readonly number[] {
  const sent: number[] = [];
  for (let n = 1; n <= count; n += 1) void sendingTurn().then(() => sent.push(n));
  return sent;
}

/** Lets all run that waits for a promise, and nothing that waits for the event loop. */
async function promisesSettled(): Promise<void> {
  await new Promise((resolve) => process.nextTick(resolve));
}

test.each([1, 2, 31])("%i answers of one turn are sent at its end, in their order", async (count) => {
  const sent = answers(count);
  await promisesSettled();
  expect(sent).toEqual([]);
  await setImmediate();
  expect(sent).toEqual(Array.from({ length: count }, (_, n) => n + 1));
});

test.each([
  { count: 32, atOnce: 32 },
  { count: 40, atOnce: 32 },
  { count: 64, atOnce: 64 },
])("of $count answers of one turn $atOnce do not wait for its end", async ({ count, atOnce }) => {
  const sent = answers(count);
  await promisesSettled();
  expect(sent).toHaveLength(atOnce);
  await setImmediate();
  expect(sent).toHaveLength(count);
});

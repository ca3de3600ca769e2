import { expect, test } from "vitest";
import { createLastUse } from "../../src/index.ts";

const TOKENS = ["t1", "t2", "t3"].map((id) => ({ tenant: "acme", id }));

test("a use whose write fails is written with the next, once, and keeps up no other", async () => {
  let now = Date.parse("2026-04-01T08:00:00.000Z");
  const failing = new Set(["t1"]);
  const noted: string[] = [];
  const lastUse = createLastUse({
    now: () => now,
    store: {
      noteUse: async ({ id }, { at }) => {
        if (failing.has(id)) throw new Error("away");
        noted.push(`${id} ${at.slice(14, 19)}`);
      },
    },
  });
  for (const token of TOKENS) lastUse.used(token);
  await expect(lastUse.write()).rejects.toThrow("away");
  // One that is used but once a day says nothing more by itself.
  now += 10_000;
  await expect(lastUse.write()).rejects.toThrow("away");
  expect(noted).toEqual(["t2 00:00", "t3 00:00"]);
  now += 60_000;
  for (const token of TOKENS) lastUse.used(token);
  failing.clear();
  await lastUse.write();
  await lastUse.write();
  expect(noted.slice(2).toSorted()).toEqual(["t1 01:10", "t2 01:10", "t3 01:10"]);
});

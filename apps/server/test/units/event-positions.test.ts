import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { TenantHeldUp } from "@scim/events";
import { expect, test } from "vitest";
import { startPositioning } from "../../src/upkeep/event-positions.ts";

/** Resolves when a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(1);
}

test("goes on at once while many wait, and leaves the last few for the next look", async () => {
  // Of several tenants there may be more than were asked for of each.
  const answers = [
    (limit: number) => limit,
    (limit: number) => limit + 10,
    () => 3,
    (limit: number) => limit,
    () => 0,
  ];
  const limits: number[] = [];
  const looks: number[] = [];
  const stop = startPositioning({
    events: {
      assign: async (limit) => {
        limits.push(limit);
        return answers.shift()?.(limit) ?? 0;
      },
    },
    pause: async (_milliseconds, signal) => {
      looks.push(limits.length);
      if (answers.length === 0) await once(signal, "abort");
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  await until(() => looks.length === 2);
  await stop();
  expect(looks).toEqual([3, 5]);
  expect(new Set(limits)).toEqual(new Set([1000]));
});

test("tells of a failure, and a stop does not wait for the next try", async () => {
  const failures: unknown[] = [];
  const stop = startPositioning({
    events: { assign: () => Promise.reject(new TypeError("gone")) },
    onError: (error) => failures.push(error),
  });
  await until(() => failures.length > 0);
  await stop();
  expect(failures).toEqual([new TypeError("gone")]);
});

test.each([
  ["of one tenant waits no longer", new TenantHeldUp("acme", new Error("no such document")), 200],
  ["of all waits for some seconds", new TypeError("gone"), 5000],
])("what comes behind a failure %s", async (_what, failure, expected) => {
  const failures: unknown[] = [];
  const pauses: number[] = [];
  const stop = startPositioning({
    events: { assign: () => Promise.reject(failure) },
    pause: async (milliseconds, signal) => {
      pauses.push(milliseconds);
      await once(signal, "abort");
    },
    onError: (error) => failures.push(error),
  });
  await until(() => pauses.length > 0);
  await stop();
  expect([failures, pauses]).toEqual([[failure], [expected]]);
});

test("a stop waits for what is under way, and nothing comes behind it", async () => {
  const { promise: given, resolve: give } = Promise.withResolvers<number>();
  let asked = 0;
  const stop = startPositioning({
    events: {
      assign: () => {
        asked += 1;
        return given;
      },
    },
    interval: 0,
    onError: (error) => expect.unreachable(String(error)),
  });
  await until(() => asked === 1);
  const order: string[] = [];
  const stopped = stop().then(() => order.push("stopped"));
  await delay(5);
  order.push("given");
  give(7);
  await stopped;
  expect(order).toEqual(["given", "stopped"]);
  expect(asked).toBe(1);
});

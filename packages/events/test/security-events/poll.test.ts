import { setImmediate as nextTurn } from "node:timers/promises";
import { createMemoryStore, createPlan, SCOPE } from "@scim/core/testing";
import { expect, test } from "vitest";
import { answerPoll, readPoll } from "../../src/index.ts";
import { createMemoryReceivers, sampleReceiver } from "../../src/testing/index.ts";

const NAME = { tenant: SCOPE.tenant, id: "r1" };
const NOW = Date.UTC(2026, 2, 1);
const OTHER = "another poll";

/** A stream that there is nothing to tell. */
async function emptyStream() {
  const store = createMemoryStore();
  const receivers = createMemoryReceivers(store.events);
  await receivers.add(sampleReceiver({ kind: "poll", types: [] }));
  const parts = {
    receivers,
    events: store.events,
    signer: { sign: async () => "token" },
    now: () => NOW,
    newHolder: () => "this poll",
  };
  return { store, parts };
}

/** A stream with an event, which another poll has in hand; `paused` is called while a poll waits. */
async function busyStream(paused: () => void) {
  const { store, parts } = await emptyStream();
  const { receivers, events } = parts;
  await store.write(SCOPE, createPlan({ type: "User", id: "a", body: { userName: "a" } }));
  await events.assign(10);
  const lease = { holder: OTHER, now: "", latest: "~", until: "2026-03-01T00:00:10.000Z" };
  expect(await receivers.lease(NAME, lease)).not.toBeNull();
  const pause = async (): Promise<void> => {
    paused();
    await receivers.release(NAME, OTHER);
  };
  return {
    poll: (signal: AbortSignal) =>
      answerPoll({ ...parts, pause, signal }, NAME, readPoll({ returnImmediately: true })),
  };
}

test("R8936-2.3-01: a poll that must not wait for an event waits for another one that has the stream in hand", async () => {
  let pauses = 0;
  const { poll } = await busyStream(() => void (pauses += 1));
  const { sets, moreAvailable } = await poll(new AbortController().signal);
  expect([Object.values(sets), moreAvailable, pauses]).toEqual([["token"], false, 1]);
});

test("a poll that waits for an event ends in time, also where the clock is set back meanwhile", async () => {
  const { parts } = await emptyStream();
  let [now, pauses] = [NOW, 0];
  const pause = async (): Promise<void> => {
    pauses += 1;
    now -= 3_600_000;
    if (pauses > 10) throw new Error("The poll goes on.");
  };
  const { signal } = new AbortController();
  expect(await answerPoll({ ...parts, now: () => now, pause, signal }, NAME, readPoll({}))).toEqual({
    sets: {},
    moreAvailable: false,
  });
});

test("tokens are made some at a time, so that others have their turn", async () => {
  const { store, parts } = await emptyStream();
  for (let at = 0; at < 100; at += 1)
    await store.write(SCOPE, createPlan({ type: "User", id: `u${at}`, body: { userName: `u${at}` } }));
  await parts.events.assign(100);
  let [underWay, most] = [0, 0];
  const sign = async (): Promise<string> => {
    underWay += 1;
    most = Math.max(most, underWay);
    await nextTurn();
    underWay -= 1;
    return "token";
  };
  const polling = { ...parts, signer: { sign }, pause: async () => undefined, signal: AbortSignal.abort() };
  const { sets } = await answerPoll(polling, NAME, readPoll({ maxEvents: 100 }));
  expect([Object.keys(sets).length, most]).toEqual([100, 20]);
});

test("tokens of what a stream does not want any more are not handed out again", async () => {
  const { store, parts } = await emptyStream();
  const { receivers, events } = parts;
  await store.write(SCOPE, createPlan({ type: "User", id: "a", body: { userName: "a" } }));
  await events.assign(10);
  const poll = () =>
    answerPoll(
      { ...parts, pause: async () => undefined, signal: AbortSignal.abort() },
      NAME,
      readPoll({ returnImmediately: true }),
    );
  expect(Object.keys((await poll()).sets)).toHaveLength(1);
  const [stream] = await receivers.list(NAME.tenant);
  if (stream === undefined) throw new TypeError("The stream is gone.");
  await receivers.replace({ ...stream, types: ["Group"], revision: stream.revision + 1 }, stream.revision);
  expect(await poll()).toEqual({ sets: {}, moreAvailable: false });
  expect(await receivers.aside(NAME, { state: "waiting", after: 0, limit: 10 })).toEqual([]);
});

test.each([
  [
    "were removed before anybody asked",
    0,
    "The events from position 1 to 2 were removed before they were delivered.",
  ],
  ["a restored backup lacks", 9, "Position 9 was never given; delivery goes on behind 2."],
])("a stream whose events %s is told so, and goes on behind them", async (_, position, lastProblem) => {
  const { store, parts } = await emptyStream();
  const { receivers, events } = parts;
  for (const id of ["a", "b"])
    await store.write(SCOPE, createPlan({ type: "User", id, body: { userName: id } }));
  await events.assign(10);
  const name = { ...NAME, id: "behind" };
  await receivers.add(sampleReceiver({ ...name, kind: "poll", types: [], position }));
  await events.purge("9999", 10);
  const polling = { ...parts, pause: async () => undefined, signal: AbortSignal.abort() };
  expect((await answerPoll(polling, name, readPoll({}))).sets).toEqual({});
  expect(await receivers.find(name)).toMatchObject({ position: 2, lastProblem });
});

test("R8936-2.3-01: a poll that ends while another one has the stream in hand says that there are more", async () => {
  const { poll } = await busyStream(() => undefined);
  expect(await poll(AbortSignal.abort())).toEqual({ sets: {}, moreAvailable: true });
});

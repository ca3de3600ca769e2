import type { EventFeed, FeedEvent } from "@scim/core";
import { createMemoryStore, createPlan, SCOPE } from "@scim/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { openEventStream } from "../../src/admin/event-stream.ts";

const EVENTS = 200;
/** Where nobody else reads. */
const turn = { take: async () => undefined, end: () => undefined };

test("a stream reads no more ahead of a client than it sends at once, so that what is erased meanwhile is not sent", async () => {
  const store = createMemoryStore();
  for (let at = 0; at < EVENTS; at += 1) {
    const body = { userName: `u${at}`, title: "x".repeat(10_000) };
    await store.write(SCOPE, createPlan({ type: "User", id: `u${at}`, body }));
  }
  await store.events.assign(EVENTS);
  let last = 0;
  const events: Pick<EventFeed, "read" | "head"> = {
    head: (tenant) => store.events.head(tenant),
    read: async (tenant, page) => {
      const found = await store.events.read(tenant, page);
      last = found.at(-1)?.position ?? last;
      return found;
    },
  };
  const { signal } = new AbortController();
  const stream = await openEventStream(events, SCOPE.tenant, {
    since: 0,
    limit: 1000,
    interval: 1,
    signal,
    turn,
  });
  onTestFinished(() => void stream.destroy());
  let text = "";
  let ahead = 0;
  for await (const chunk of stream) {
    text += String(chunk);
    const taken = text.split("\n\n").length - 1;
    ahead = Math.max(ahead, last - taken);
    if (taken === EVENTS) break;
  }
  expect(ahead).toBeLessThan(30);
  const ids = [...text.matchAll(/^id: (?<id>\d+)$/gm)].map((found) => Number(found.groups?.["id"]));
  expect(ids).toEqual(Array.from({ length: EVENTS }, (_, at) => at + 1));
});

test.each([
  ["of which all that the client has not seen went", { head: 9, kept: 7 }, 7],
  ["that was restored from a backup of before", { head: 2, kept: 1 }, 3],
])("a stream %s ends with an event `gone` that says where to go on", async (_what, later, oldestPosition) => {
  const { signal } = new AbortController();
  let now = { head: 5, kept: 6 };
  const events: Pick<EventFeed, "read" | "head"> = {
    head: async () => now.head,
    read: async (_tenant, { after }) => {
      const positions = Array.from({ length: now.head }, (_, at) => at + 1);
      return positions.filter((at) => at >= now.kept && at > after).map(eventAt);
    },
  };
  const stream = await openEventStream(events, SCOPE.tenant, {
    since: 5,
    limit: 9,
    interval: 1,
    signal,
    turn,
  });
  now = later;
  const sent = (await stream.toArray()).join("");
  const [, data = ""] = /^event: gone\ndata: (.*)\n\n$/m.exec(sent) ?? [];
  expect(JSON.parse(data)).toEqual({ detail: expect.any(String), oldestPosition });
});

test("a stream has the turn while it reads what there is, and neither while it waits for more nor for its client", async () => {
  const stop = new AbortController();
  const log: string[] = [];
  let head = 150;
  let looks = 0;
  const events: Pick<EventFeed, "read" | "head"> = {
    head: async () => head,
    read: async (_tenant, { after, limit }) => {
      const found = Array.from({ length: Math.min(limit, head - after) }, (_, at) => eventAt(after + at + 1));
      log.push(`read ${found.length}`);
      looks += found.length === 0 ? 1 : 0;
      if (looks === 2 && head === 150) head = 151;
      if (looks === 4) stop.abort();
      return found;
    },
  };
  const noted = { take: async () => void log.push("take"), end: () => void log.push("end") };
  const options = { since: 0, limit: 100, interval: 1, signal: stop.signal, turn: noted };
  const stream = await openEventStream(events, SCOPE.tenant, options);
  expect(log, "before its client takes anything").toEqual(["take", "read 100", "end"]);
  for await (const _ of stream);
  const told = log.filter((each, at) => each !== "end" || log[at - 1] !== "read 0").join(", ");
  expect(told).toContain("take, read 50, end, read 0, read 0, take, read 1, end");
});

function eventAt(position: number): FeedEvent {
  return {
    position,
    at: "2026-03-01T08:00:00.000Z",
    connection: SCOPE.connection,
    origin: null,
    subject: null,
    kind: "created",
    type: "User",
    id: `u${position}`,
    version: "1",
    versionBefore: null,
    changed: [],
    before: null,
    after: {},
    collections: [],
  };
}

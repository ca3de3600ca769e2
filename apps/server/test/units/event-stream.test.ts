import type { EventFeed } from "@scim/core";
import { createMemoryStore, createPlan, SCOPE } from "@scim/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { openEventStream } from "../../src/admin/event-stream.ts";

const EVENTS = 200;

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
  const stream = await openEventStream(events, SCOPE.tenant, { since: 0, limit: 1000, interval: 1, signal });
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

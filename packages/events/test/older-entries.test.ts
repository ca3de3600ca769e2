import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { type ChainedEntry, verifyAudit } from "../src/index.ts";
import { SAMPLE_KEYS } from "../src/testing/index.ts";

/** Entries as they stand in databases: what verifies them must go on doing so, whatever new ones look like. */
const STORED: readonly ChainedEntry[] = [
  {
    position: 1,
    at: "2026-11-21T08:00:00.000Z",
    type: "User",
    id: "u1",
    text: '{"at":"2026-11-21T08:00:00.000Z","changes":[{"after":{"hash":"jpO-xiIBzzs5pOT5T6Y0dv"},"path":"*"},{"path":"userName"},{"after":{"value":true},"path":"active"}],"collections":[],"connection":"default","id":"u1","key":"1","kind":"created","origin":null,"position":1,"subject":null,"type":"User","version":{"after":"1-oHqiWIk","before":null}}',
    hash: "t2xTrcRLAZmmN9o6c8es0gupRtciW2PPYlhI3VtW18M",
  },
  {
    position: 2,
    at: "2026-11-21T09:00:00.000Z",
    type: "User",
    id: "u1",
    text: '{"at":"2026-11-21T09:00:00.000Z","changes":[{"after":{"value":false},"before":{"value":true},"path":"active"}],"collections":[],"connection":"default","id":"u1","key":"1","kind":"patched","origin":{"credential":"c1","request":"r1"},"position":2,"subject":null,"type":"User","version":{"after":"2-pQ9a","before":"1-oHqiWIk"}}',
    hash: "1mUJx2AxtXNd6XNVHOaBVTyJ70xVJK2g6QDtHQp4OnE",
  },
];

function verify(entries: readonly ChainedEntry[], pause?: () => Promise<void>) {
  const audit = {
    read: async (_tenant: string, { after, limit }: { readonly after: number; readonly limit: number }) =>
      entries.filter(({ position }) => position > after).slice(0, limit),
    checkpoints: async () => [],
    checkpointAt: async () => null,
  };
  const digest = (text: string): string => hash("sha256", text, "base64url");
  const events = { head: async () => entries.length };
  return verifyAudit("default", { ...SAMPLE_KEYS, digest, audit, events, pause });
}

test("entries that were stored before verify, and one that was changed since does not", async () => {
  expect(await verify(STORED)).toMatchObject({ valid: true, entries: 2, hash: STORED[1]?.hash, faults: [] });
  const forged = STORED.map((entry) => ({ ...entry, text: entry.text.replace('"id":"u1"', '"id":"u2"') }));
  expect((await verify(forged)).valid).toBe(false);
});

test("others have their turn after every 100 entries", async () => {
  const [entry] = STORED;
  const entries = Array.from({ length: 250 }, (_, at) => ({
    ...entry,
    position: at + 1,
  })) as readonly ChainedEntry[];
  let pauses = 0;
  const { entries: seen } = await verify(entries, async () => void (pauses += 1));
  expect([seen, pauses]).toEqual([250, 2]);
});

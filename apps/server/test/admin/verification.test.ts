import { type ChainedEntry, entryHash } from "@scim/events";
import { SAMPLE_KEYS } from "@scim/events/testing";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { auditRoutes } from "../../src/admin/audit.ts";

/** More than are read at once. */
const ENTRIES = 1200;
const AT = "2026-11-22T08:00:00.000Z";

/** A chain that holds. */
function chain(): readonly ChainedEntry[] {
  const entries: ChainedEntry[] = [];
  for (let position = 1; position <= ENTRIES; position += 1) {
    const text = JSON.stringify({ at: AT, id: "u1", position, type: "User" });
    const of = { tenant: "default", previous: entries.at(-1)?.hash ?? null, text };
    entries.push({ position, at: AT, type: "User", id: "u1", text, hash: entryHash(SAMPLE_KEYS.digest, of) });
  }
  return entries;
}

test("the verification of a long chain lets other requests have their turn", async () => {
  const entries = chain();
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  const turnsAtRead: number[] = [];
  const audit = {
    read: async (_tenant: string, { after, limit }: { readonly after: number; readonly limit: number }) => {
      turnsAtRead.push(turns);
      return entries.slice(after, after + limit);
    },
    checkpoints: async () => [],
    checkpointAt: async () => null,
  };
  const app = Fastify();
  // The other parts of the store are asked for nothing here.
  const events = { head: async () => ENTRIES };
  const routes = { ...SAMPLE_KEYS, audit, events } as unknown as Parameters<typeof auditRoutes>[0];
  await app.register(auditRoutes(routes));
  setImmediate(count);
  const answer = await app.inject("/tenants/default/audit/verification");
  isOver = true;
  expect(answer.json()).toMatchObject({ valid: true, entries: ENTRIES });
  const [, first = 0, second = 0] = turnsAtRead;
  expect(second - first, "turns between two reads of 500 entries").toBeGreaterThanOrEqual(5);
});

import { get } from "node:http";
import { type ChainedEntry, entryHash } from "@scim/events";
import { SAMPLE_KEYS } from "@scim/events/testing";
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { auditRoutes } from "../../src/admin/audit.ts";
import { KEY_PAGE } from "../../src/admin/key-page.ts";
import { taking } from "../../src/admin/parameters.ts";
import { asks } from "../../src/admin/rights.ts";
import { servedRoutes } from "./plugin-of-routes.ts";

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

/** The routes over a chain; `onRead` is told before each page that is read. */
function routesOver(onRead: () => unknown): FastifyPluginAsync {
  const entries = chain();
  const audit = {
    read: async (_tenant: string, { after, limit }: { readonly after: number; readonly limit: number }) => {
      await onRead();
      return entries.slice(after, after + limit);
    },
    checkpoints: async () => [],
    checkpointAt: async () => null,
  };
  // The other parts of the store are asked for nothing here.
  const events = { head: async () => ENTRIES };
  return auditRoutes({ ...SAMPLE_KEYS, audit, events } as unknown as Parameters<typeof auditRoutes>[0]);
}

async function served(onRead: () => unknown): Promise<FastifyInstance> {
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(routesOver(onRead));
  return app;
}

test("the verification of a long chain ends with its client", async () => {
  const { promise: gone, resolve: goes } = Promise.withResolvers<void>();
  let reads = 0;
  const app = await served(async () => {
    reads += 1;
    // The first reads one entry, to see where the chain begins.
    if (reads !== 2) return;
    outgoing.destroy();
    await gone;
  });
  app.addHook("onRequest", (_request, reply, done) => {
    reply.raw.once("close", goes);
    done();
  });
  const { promise: over, resolve: ends } = Promise.withResolvers<void>();
  app.addHook("onError", async () => ends());
  const origin = await app.listen({ port: 0, host: "127.0.0.1" });
  const outgoing = get(`${origin}/tenants/default/audit/verification`);
  outgoing.on("error", () => undefined);
  await over;
  expect(reads).toBe(2);
});

test("the verification of a long chain ends with its server, and says so", async () => {
  let reads = 0;
  const closed: Promise<unknown>[] = [];
  const app = await served(() => {
    reads += 1;
    if (reads === 2) closed.push(app.close());
  });
  const origin = await app.listen({ port: 0, host: "127.0.0.1" });
  const answer = await fetch(`${origin}/tenants/default/audit/verification`);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    expect.objectContaining({ message: expect.stringMatching(/^The server stops before .+\.$/) }),
  ]);
  await Promise.all(closed);
  expect(reads).toBe(2);
});

test("the verification of a long chain lets other requests have their turn", async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  const turnsAtRead: number[] = [];
  const app = await served(() => turnsAtRead.push(turns));
  setImmediate(count);
  const answer = await app.inject("/tenants/default/audit/verification");
  isOver = true;
  expect(answer.json()).toMatchObject({ valid: true, entries: ENTRIES });
  const [, first = 0, second = 0] = turnsAtRead;
  expect(second - first, "turns between two reads of 500 entries").toBeGreaterThanOrEqual(5);
});

test("the verifications of a tenant take turns with each other and with its lists", async () => {
  const told: string[] = [];
  const headers = { authorization: "Bearer admin:tenant:acme" };
  const ask = async (path: string): Promise<void> => {
    const answer = await app.inject({ url: `/tenants/acme/${path}`, headers });
    told.push(`${path} ${answer.statusCode}`);
  };
  const asked: Promise<void>[] = [];
  let reads = 0;
  const app = await servedRoutes(async (instance) => {
    const onRead = (): void => {
      reads += 1;
      if (reads === 1) asked.push(ask("list"), ask("audit/verification?since=0"));
    };
    await instance.register(routesOver(onRead));
    instance.get("/tenants/:tenant/list", taking(asks("read"), ...KEY_PAGE), async () => ({
      readsBefore: reads,
    }));
  });
  await ask("audit/verification");
  await Promise.all(asked);
  expect(told).toEqual(["list 200", "audit/verification 200", "audit/verification?since=0 200"]);
});

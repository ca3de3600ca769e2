import type { EventFeed, FeedPage } from "@scim/core";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { changeRoutes } from "../../src/admin/changes.ts";
import { KEY_PAGE } from "../../src/admin/key-page.ts";
import { taking } from "../../src/admin/parameters.ts";
import { asks } from "../../src/admin/rights.ts";
import { follow } from "./follow.ts";
import { servedRoutes } from "./plugin-of-routes.ts";

/** As many as one program asks for at once. */
const CROWD = 40;

/** What reads lists, and how far it is. */
interface Reading {
  readonly app: FastifyInstance;
  /** Tenants whose lists are read now. */
  readonly under: string[];
  /** Lets the first of them be answered. */
  readonly answerFirst: () => void;
}

async function reading(): Promise<Reading> {
  const under: string[] = [];
  const gates: (() => void)[] = [];
  const app = await servedRoutes(async (instance) => {
    instance.get<{ Params: { tenant: string } }>(
      "/tenants/:tenant/list",
      taking(asks("read"), ...KEY_PAGE),
      async ({ params: { tenant } }) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        under.push(tenant);
        gates.push(resolve);
        await promise;
        return { list: [] };
      },
    );
    instance.get("/tenants/:tenant/one", asks("read"), async () => ({}));
  });
  return {
    app,
    under,
    answerFirst: () => {
      under.shift();
      gates.shift()?.();
    },
  };
}

/** What an administrator of a tenant asks for. */
async function asked(app: FastifyInstance, tenant: string, path: string): Promise<LightMyRequestResponse> {
  return app.inject({
    url: `/tenants/${tenant}/${path}`,
    headers: { authorization: `Bearer admin:tenant:${tenant}` },
  });
}

test("lists of one tenant are read one after another, and others read theirs meanwhile", async () => {
  const { app, under, answerFirst } = await reading();
  const crowd = Array.from({ length: CROWD }, () => asked(app, "acme", "list"));
  const refused = await Promise.race(crowd);
  expect([refused.statusCode, refused.headers["retry-after"], refused.json()]).toEqual([
    503,
    "5",
    expect.objectContaining({ detail: expect.stringContaining("Too many lists are being read now.") }),
  ]);
  expect(under).toEqual(["acme"]);

  const other = asked(app, "globex", "list");
  await expect.poll(() => under).toEqual(["acme", "globex"]);
  expect((await asked(app, "acme", "one")).statusCode, "what is no list waits for nobody").toBe(200);

  while (under.length > 0) {
    expect(under.filter((tenant) => tenant === "acme").length).toBeLessThanOrEqual(1);
    const [first] = under;
    answerFirst();
    if (first === "globex") expect((await other).statusCode).toBe(200);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  }
  const statuses = (await Promise.all(crowd)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(33);
  expect(statuses.filter((status) => status === 503)).toHaveLength(CROWD - 33);
});

/** As much of the events of a tenant as is sent, behind a position and up to the last. */
function eventsOf(
  tenant: string,
  { after, limit }: FeedPage,
  last: number,
): Awaited<ReturnType<EventFeed["read"]>> {
  return Array.from({ length: Math.min(limit, last - after) }, (_, index) => ({
    tenant,
    position: after + index + 1,
  })) as unknown as Awaited<ReturnType<EventFeed["read"]>>;
}

test("who waits for changes keeps nobody of the tenant from reading", async () => {
  const { promise: waits, resolve: isWaiting } = Promise.withResolvers<void>();
  let head = 0;
  let looks = 0;
  const events: Pick<EventFeed, "read" | "head"> = {
    head: async () => head,
    read: async (tenant, { after, limit }) => {
      looks += 1;
      if (looks === 2) isWaiting();
      return eventsOf(tenant, { after, limit }, head);
    },
  };
  const app = await servedRoutes(async (instance) => {
    await instance.register(changeRoutes({ events, interval: 1 }));
    instance.get("/tenants/:tenant/list", taking(asks("read"), ...KEY_PAGE), async () => ({ list: [] }));
  });
  const waiting = asked(app, "acme", "changes?since=0&wait=25");
  await waits;
  expect((await asked(app, "acme", "list")).statusCode).toBe(200);
  head = 3;
  const { statusCode, body } = await waiting;
  expect([statusCode, JSON.parse(body)]).toEqual([200, expect.objectContaining({ next: 3, more: false })]);
});

test("streams of one tenant that are far behind read one after another, with a turn for others between two pages", async () => {
  const STREAMS = 20;
  const LAST = 1000;
  let turns = 0;
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  const turnsAtRead: number[] = [];
  const events: Pick<EventFeed, "read" | "head"> = {
    head: async () => LAST,
    read: async (tenant, { after, limit }) => {
      if (tenant === "acme" && after < LAST) turnsAtRead.push(turns);
      return eventsOf(tenant, { after, limit }, LAST);
    },
  };
  const app = await servedRoutes(async (instance) => {
    await instance.register(changeRoutes({ events, interval: 1 }));
    instance.get("/tenants/:tenant/list", taking(asks("read"), ...KEY_PAGE), async () => ({ list: [] }));
  });
  const origin = await app.listen({ port: 0 });
  const toEnd = async (tenant: string): Promise<void> => {
    const headers = { authorization: `Bearer admin:tenant:${tenant}` };
    for await (const { id } of follow({ origin, path: `/tenants/${tenant}/changes?since=0`, headers }))
      if (id === String(LAST)) return;
    throw new TypeError("The stream ended before its last event");
  };
  const streams = Array.from({ length: STREAMS }, () => toEnd("acme"));
  await expect.poll(() => turnsAtRead.length).toBeGreaterThan(STREAMS / 2);
  expect((await asked(app, "acme", "list")).statusCode, "who reads a page waits for no stream").toBe(200);
  await toEnd("globex");
  await Promise.all(streams);
  expect(turnsAtRead).toHaveLength((STREAMS * LAST) / 100);
  expect(new Set(turnsAtRead).size, "pages that are read in turns of their own").toBe(turnsAtRead.length);
});

import { createDefaultRegistry } from "@scim/schemas";
import { expect, test } from "vitest";
import {
  createHandlerStore,
  type HandledResource,
  type ReferenceRow,
  type RequestContext,
  type ResourceStore,
  type StoredResource,
} from "../src/index.ts";
import { createMemoryHandler, createMemoryStore } from "../src/testing/index.ts";
import { user } from "./support/bodies.ts";
import { jobRunner, post } from "./support/bulk.ts";
import type { TestClient } from "./support/client.ts";
import { handledStore } from "./support/handled-store.ts";
import { addMemberships, groupOf } from "./support/memberships.ts";
import { testService, type TestService } from "./support/service.ts";
import { testSources } from "./support/sources.ts";

/** Resources, or rows, of each store below. */
const MANY = 10_000;

function idOf(number: number): string {
  return String(number).padStart(6, "0");
}

function numberOf(id: string | undefined): number {
  return id === undefined ? 0 : Number(id) + 1;
}

/** Where resources and rows are told at once, as an embedded database does: nothing is waited for. */
function atOnce(store: ResourceStore): ResourceStore {
  return {
    ...store,
    query: async (_, { type, page }) => {
      const first = page.kind === "keyset" ? numberOf(page.from?.id) : page.offset;
      const ids = type === "User" ? idsFrom(first, page.limit) : [];
      const resources = ids.map((id) => stored(type, id));
      const total = type === "User" ? MANY : 0;
      return { kind: "page", resources, total, more: first + page.limit < MANY, plan: "index" };
    },
    readMany: async (_, { type, ids }) => ids.map((id) => stored(type, id)),
    referenceRows: async (_, { after, limit }) =>
      idsFrom(numberOf(after?.owner), limit).map((owner): ReferenceRow => ({
        owner,
        position: 1,
        display: null,
        value: "u1",
        rest: {},
      })),
  };
}

function idsFrom(first: number, limit: number): readonly string[] {
  return Array.from({ length: Math.max(0, Math.min(limit, MANY - first)) }, (_, place) =>
    idOf(first + place),
  );
}

function stored(type: string, id: string): StoredResource {
  const body = { userName: id };
  const noted = { connection: "default", version: "v1", created: "", lastModified: "" };
  return { type, id, body, ...noted, collections: new Map(), inverses: new Map() };
}

async function* oneByOne(): AsyncGenerator<HandledResource, void, undefined> {
  for (const id of idsFrom(0, MANY)) yield { id, attributes: { userName: id } };
}

function handling(list: () => { readonly resources: AsyncIterable<HandledResource> }): TestService {
  const handlers = { User: { ...createMemoryHandler(), list } };
  return testService(undefined, { wrap: () => handledStore(createDefaultRegistry(), { handlers }) });
}

function besideGroups(): TestService {
  const registry = createDefaultRegistry();
  const handlers = { Group: createMemoryHandler() };
  const store = atOnce(createMemoryStore());
  return testService(undefined, {
    wrap: () => createHandlerStore({ registry, sources: testSources(), handlers, store }),
  });
}

const WORK: readonly (readonly [string, () => TestService, (client: TestClient) => Promise<unknown>])[] = [
  [
    "a page far down the sorted list of all types",
    () => testService(undefined, { wrap: () => atOnce(createMemoryStore()) }),
    (client) => client.list(null, { sortBy: "userName", startIndex: MANY - 10, count: 5 }),
  ],
  [
    "rows that are compared one by one",
    () => testService(addMemberships, { wrap: () => atOnce(createMemoryStore()) }),
    (client) => client.list("GroupMembership", { filter: 'member.display eq "z"' }),
  ],
  [
    "the list of a handler that comes row by row, and waits for nothing",
    () => handling(() => ({ resources: oneByOne() })),
    (client) => client.list("User", { filter: 'userName eq "z"' }),
  ],
  [
    "users whose groups a handler keeps",
    besideGroups,
    (client) => client.list("User", { filter: 'groups.value eq "z"' }),
  ],
];

/** How often others have their turn while something is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let next: NodeJS.Immediate;
  const take = (): void => {
    turns += 1;
    next = setImmediate(take);
  };
  next = setImmediate(take);
  await work;
  clearImmediate(next);
  return turns;
}

test.each(WORK)("others have their turn beside %s", async (_, serve, act) => {
  expect(await turnsDuring(act(serve().as("strict")))).toBeGreaterThanOrEqual(4);
});

test.each(WORK)("with its client ends %s", async (_, serve, act) => {
  const client = new AbortController();
  const gone = new Error("gone");
  setImmediate(() => client.abort(gone));
  await expect(act(serve().as("strict", { signal: client.signal }))).rejects.toBe(gone);
});

/** A job of groups, each with the next as its member, and the first with the last. */
function circleIn({ service, context }: TestService, of: Partial<RequestContext> = {}): Promise<unknown> {
  const operations = Array.from({ length: 200 }, (_, place) =>
    post("/Groups", `g${place}`, groupOf(`g${place}`, `bulkId:g${(place + 1) % 200}`)),
  );
  return jobRunner(service, context("strict", of))(operations);
}

test("others have their turn beside the references of a bulk job, which ends with its client", async () => {
  expect(await turnsDuring(circleIn(testService()))).toBeGreaterThanOrEqual(8);
  const client = new AbortController();
  const gone = new Error("gone");
  setImmediate(() => client.abort(gone));
  await expect(circleIn(testService(), { signal: client.signal })).rejects.toBe(gone);
});

/** A job of 64 users with so many values each. */
function usersIn(
  { service, context }: TestService,
  values: number,
  of: Partial<RequestContext> = {},
): Promise<unknown> {
  const phoneNumbers = Array.from({ length: values }, (_, place) => ({ value: `${place}` }));
  const operations = Array.from({ length: 64 }, (_, place) =>
    post("/Users", `u${place}`, { ...user({ userName: `u${place}` }), phoneNumbers }),
  );
  return jobRunner(service, context("strict", of))(operations);
}

test("others have their turn between long POST operations of a bulk job, which ends with its client", async () => {
  expect(await turnsDuring(usersIn(testService(), 500))).toBeGreaterThanOrEqual(8);
  const client = new AbortController();
  const gone = new Error("gone");
  setImmediate(() => client.abort(gone));
  await expect(usersIn(testService(), 500, { signal: client.signal })).rejects.toBe(gone);
});

test("POST operations of ordinary length begin together, so that they share a transaction", async () => {
  expect(await turnsDuring(usersIn(testService(), 5))).toBeLessThanOrEqual(1);
});

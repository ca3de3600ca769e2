import { createDefaultRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import {
  createScimService,
  PROFILES,
  type ListAnswer,
  type ReferenceRowQuery,
  type RequestContext,
  type ResourceStore,
} from "../../src/index.ts";
import { createMemoryStore } from "../../src/testing/index.ts";
import { createTestClient, idOf, type Query, type TestClient } from "../support/client.ts";
import { TEST_SEAL } from "../support/cursors.ts";
import { addMemberships, groupOf, membership } from "../support/memberships.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL } from "../support/service.ts";
import { testSources } from "../support/sources.ts";

interface Memberships {
  readonly client: TestClient;
  readonly clientOf: (tenant: string, subject?: string) => TestClient;
  /** What the store was asked for. */
  readonly asked: ReferenceRowQuery[];
  readonly counted: string[];
}

function memberships(): Memberships {
  const registry = createDefaultRegistry();
  addMemberships(registry);
  const asked: ReferenceRowQuery[] = [];
  const counted: string[] = [];
  const memory = createMemoryStore();
  const store: ResourceStore = {
    ...memory,
    referenceRows: (scope, query) => {
      asked.push(query);
      return memory.referenceRows(scope, query);
    },
    countReferenceRows: (scope, filter) => {
      counted.push(filter.type);
      return memory.countReferenceRows(scope, filter);
    },
  };
  const service = createScimService({ registry, store, sources: testSources(), cursorSeal: TEST_SEAL });
  const contextOf = (tenant: string, subject: string | null): RequestContext => ({
    tenant,
    connection: "default",
    subject,
    profile: PROFILES.strict,
    baseUrl: BASE_URL,
    signal: undefined,
    onSwitch: () => undefined,
  });
  const clientOf = (tenant: string, subject?: string): TestClient =>
    createTestClient(service, contextOf(tenant, subject ?? null));
  return { client: clientOf("default"), clientOf, asked, counted };
}

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `m${index}`);
}

function idsOf(page: ListAnswer): readonly string[] {
  return page.resources.map(({ id }) => String(id));
}

async function walk(
  client: TestClient,
  query: Query,
  between: (page: number) => Promise<void> = async () => undefined,
): Promise<readonly ListAnswer[]> {
  const pages = [await client.list("GroupMembership", { ...query, cursor: "" })];
  for (;;) {
    const cursor = pages.at(-1)?.nextCursor ?? null;
    if (cursor === null) return pages;
    await between(pages.length);
    pages.push(await client.list("GroupMembership", { ...query, cursor }));
  }
}

/** Walks back from the last page. */
async function walkBack(client: TestClient, query: Query, last: ListAnswer): Promise<readonly ListAnswer[]> {
  const pages = [last];
  for (;;) {
    const cursor = pages[0]?.previousCursor ?? null;
    if (cursor === null) return pages;
    pages.unshift(await client.list("GroupMembership", { ...query, cursor }));
  }
}

describe("a walk by cursor", () => {
  test.each<[Query, number]>([
    [{ filter: 'group.value eq "id-1"' }, 10],
    [{}, 14],
    [{ sortBy: "group.value", sortOrder: "descending" }, 14],
    [{ filter: 'member.value eq "m1"' }, 3],
    [{ filter: 'member.value eq "m1"', sortBy: "group.value", sortOrder: "descending" }, 3],
    [{ filter: 'member.value eq "m1" and group.value eq "id-2"' }, 1],
    [{ filter: 'member.value sw "m1"' }, 3],
    [{ filter: 'group.value eq "id-1" and not (member.value eq "m3")' }, 9],
    [{ filter: 'group.value eq "nothing"' }, 0],
  ])("%j sees the rows that pages by number have, forth and back", async (query, total) => {
    const { client } = memberships();
    await client.post("Group", groupOf("first", ...names(10)));
    await client.post("Group", groupOf("second", "m1", "m2"));
    await client.post("Group", groupOf("third", "m0", "m1"));
    const whole = idsOf(await client.list("GroupMembership", { ...query, count: 100 }));
    expect(whole).toHaveLength(total);
    for (const count of [1, 3, 100]) {
      const pages = await walk(client, { ...query, count });
      expect(pages.flatMap(idsOf)).toEqual(whole);
      expect(pages[0]?.previousCursor).toBeNull();
      const last = pages.at(-1);
      if (last === undefined) throw new TypeError("A walk has a page");
      expect((await walkBack(client, { ...query, count }, last)).flatMap(idsOf)).toEqual(whole);
    }
  });

  test("sees each of 20,000 members that stays exactly once, while others come and go", async () => {
    const { client } = memberships();
    const group = idOf(await client.post("Group", groupOf("all", ...names(20_000))));
    const gone = new Set<string>();
    const pages = await walk(client, { filter: `group.value eq "${group}"`, count: 1000 }, async (page) => {
      // One that was seen, one that is to come, and the last of the page that was just read.
      for (const index of [page * 1000 - 500, page * 1000 + 500, page * 1000 - 1]) {
        gone.add(`${group}~m${index}`);
        await client.delete("GroupMembership", `${group}~m${index}`).catch(() => undefined);
      }
      await client.post("GroupMembership", membership(group, `new${page}`));
    });
    const seen = pages.flatMap(idsOf);
    const stayed = names(20_000)
      .map((name) => `${group}~${name}`)
      .filter((id) => !gone.has(id));
    expect(stayed.length).toBeGreaterThan(19_900);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => !gone.has(id) && !id.includes("new"))).toEqual(stayed);
  });

  test.each([10, 20_000])(
    "asks the store once for a page of a group of %i, and counts nothing",
    async (size) => {
      const { client, asked, counted } = memberships();
      const group = idOf(await client.post("Group", groupOf("all", ...names(size))));
      const query = { filter: `group.value eq "${group}"`, count: 4 };
      const first = await client.list("GroupMembership", { ...query, cursor: "" });
      const second = await client.list("GroupMembership", { ...query, cursor: first.nextCursor });
      expect([...idsOf(first), ...idsOf(second)]).toEqual(names(8).map((name) => `${group}~${name}`));
      expect(counted).toEqual([]);
      expect(
        asked.map(({ owner, after, offset, limit }) => ({
          owner,
          after: after?.position ?? null,
          offset,
          limit,
        })),
      ).toEqual([
        { owner: group, after: null, offset: 0, limit: 5 },
        { owner: group, after: 4, offset: 0, limit: 5 },
      ]);
      expect(first.totalResults).toBeNull();
    },
  );

  test("tells the total where one page holds everything, and where only the number is asked for", async () => {
    const { client, counted } = memberships();
    await client.post("Group", groupOf("all", ...names(5)));
    expect(await client.list("GroupMembership", { cursor: "", count: 5 })).toMatchObject({
      totalResults: 5,
      startIndex: null,
      nextCursor: null,
      previousCursor: null,
    });
    expect(counted).toEqual([]);
    expect(await client.list("GroupMembership", { cursor: "", count: 0 })).toMatchObject({
      totalResults: 5,
      resources: [],
      nextCursor: null,
    });
  });

  test("goes on behind a group that was deleted while the walk stood in it", async () => {
    const { client } = memberships();
    const ids = [];
    for (const name of ["a", "b", "c"])
      ids.push(idOf(await client.post("Group", groupOf(name, ...names(3)))));
    const [, second = ""] = ids;
    const pages = await walk(client, { count: 4 }, async (page) => {
      if (page === 1) await client.delete("Group", second);
    });
    expect(pages.flatMap(idsOf)).toEqual([
      "id-1~m0",
      "id-1~m1",
      "id-1~m2",
      "id-2~m0",
      "id-3~m0",
      "id-3~m1",
      "id-3~m2",
    ]);
  });
});

describe("a cursor", () => {
  test.each<[rule: string, change: Query]>([
    ["another filter", { filter: 'group.value eq "id-2"' }],
    ["no filter", { filter: null }],
    ["another order", { sortBy: "group.value", sortOrder: "descending" }],
    ["other attributes", { attributes: ["member"] }],
    ["text that nobody sealed", { cursor: "abc" }],
  ])("is refused with %s", async (_rule, change) => {
    const { client } = memberships();
    await client.post("Group", groupOf("all", ...names(5)));
    const query = { filter: 'group.value eq "id-1"', count: 2 };
    const { nextCursor } = await client.list("GroupMembership", { ...query, cursor: "" });
    const refused = await refusal(
      client.list("GroupMembership", { ...query, cursor: nextCursor, ...change }),
    );
    expect(refused.answer).toBe("400 invalidCursor");
  });

  test("is refused to another tenant, to another subject, and for another type", async () => {
    const { client, clientOf } = memberships();
    await client.post("Group", groupOf("all", ...names(5)));
    const { nextCursor: cursor } = await client.list("GroupMembership", { count: 2, cursor: "" });
    for (const other of [clientOf("south"), clientOf("default", "somebody")]) {
      const refused = await refusal(other.list("GroupMembership", { count: 2, cursor }));
      expect(refused.answer).toBe("400 invalidCursor");
    }
    expect((await refusal(client.list("Group", { count: 2, cursor }))).answer).toBe("400 invalidCursor");
  });
});

test("a query over all types shows resources with their members, and no row a second time", async () => {
  const { client } = memberships();
  const group = idOf(await client.post("Group", groupOf("all", "m1")));
  const answer = await client.list(null);
  expect(idsOf(answer)).toEqual([group]);
  expect(answer.totalResults).toBe(1);
});

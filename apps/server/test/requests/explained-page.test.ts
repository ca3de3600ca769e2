import type { LoggedRequest, RequestLogStore, RequestQuery, StoredRequest } from "@scim/events";
import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { AdminRequest } from "../../src/remote/admin-requests.ts";
import { readExplained } from "../../src/requests/explained-page.ts";
import { requestsAtServer } from "../../src/requests/request-reading.ts";

/** Entries with a body of so many characters, oldest first. */
function entriesOf(count: number, characters: number): readonly StoredRequest[] {
  return Array.from({ length: count }, (_, at) => ({
    ...ENTRY,
    id: `e${String(at).padStart(4, "0")}`,
    body: { json: "x".repeat(characters) },
  }));
}

const ENTRY: LoggedRequest & { readonly run: string } = {
  id: "",
  at: "2026-11-22T00:00:00.000Z",
  tenant: "default",
  connection: "hr",
  run: "run-1",
  requestId: "r",
  credential: null,
  method: "PATCH",
  route: "/Users/{id}",
  target: "/Users/1",
  headers: {},
  body: null,
  status: 200,
  answer: null,
  durationMs: 1,
  switches: [],
  errorCode: null,
  failedOperations: [],
  type: "User",
  resource: "1",
};

function logOf(entries: readonly StoredRequest[]): Pick<RequestLogStore, "list"> {
  return {
    list: async (_tenant, { after, before, limit }) =>
      after === undefined
        ? entries
            .filter(({ id }) => before === undefined || id < before)
            .toReversed()
            .slice(0, limit)
        : entries.filter(({ id }) => id > after).slice(0, limit),
  };
}

describe("a page of the request log", () => {
  test.each<readonly [what: string, count: number, characters: number, query: RequestQuery, page: unknown]>([
    ["what there is", 50, 10, { limit: 100 }, ["e0049", 50, null]],
    ["as many as are asked for", 50, 10, { limit: 45 }, ["e0049", 45, "e0005"]],
    ["what is before one", 50, 10, { limit: 45, before: "e0030" }, ["e0029", 30, null]],
    ["what is behind one", 50, 10, { limit: 25, after: "e0009" }, ["e0010", 25, "e0034"]],
    ["nothing", 0, 0, { limit: 25 }, [undefined, 0, null]],
    ["no more than 2 MiB, and some", 200, 30_000, { limit: 200 }, ["e0199", 80, "e0120"]],
    ["no more than 2 MiB behind one", 200, 30_000, { limit: 200, after: "" }, ["e0000", 80, "e0079"]],
  ])("holds %s", async (_what, count, characters, query, page) => {
    const { requests, next } = await readExplained(logOf(entriesOf(count, characters)), "default", query);
    expect([requests[0]?.id, requests.length, next]).toEqual(page);
  });
});

test("commands go on where a server answers fewer than they ask for, and there are more", async () => {
  const log = logOf(entriesOf(200, 30_000));
  const limits: unknown[] = [];
  const admin = {
    send: async ({ query = {} }: AdminRequest): Promise<JsonObject> => {
      const { before, limit } = query;
      limits.push(limit);
      const asked = { limit: Number(limit), ...(before === undefined ? {} : { before: String(before) }) };
      const page = await readExplained(log, "default", asked);
      return JSON.parse(JSON.stringify(page)) as JsonObject;
    },
    change: () => Promise.reject(new Error("Nothing is changed.")),
    find: async () => null,
    isAway: () => false,
  };
  const found = await requestsAtServer(admin).list("default", { limit: 150 });
  expect([found.length, found.at(-1)?.id, limits]).toEqual([150, "e0050", [150, 70]]);
});

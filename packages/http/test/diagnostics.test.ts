import type { Finding, FindingList } from "@scim/core";
import { describe, expect, test } from "vitest";
import { createScimHandler, type HttpRequest, type HttpResponse } from "../src/index.ts";
import { failing, FakeService, Harness, principalOf } from "./fake-service.ts";

const ADDRESS = "/Diagnostics/ReferentialConsistency";
const EMPTY = { orphanedGroupMembers: [], inconsistentUserGroups: [], cyclicGroupMembers: [] };

describe("the diagnostic address", () => {
  test.each([
    ["", { count: null, cursor: null }],
    ["?tenantId=acme", { count: null, cursor: null }],
    ["?TENANTID=acme&count=5", { count: 5, cursor: null }],
    ["?cursor=&tenantId=acme", { count: null, cursor: "" }],
    ["?cursor=abc&count=2", { count: 2, cursor: "abc" }],
  ])("'%s' asks the service for %j", async (query, request) => {
    const harness = new Harness();
    const { status, json, headers } = await harness.send({ target: `${ADDRESS}${query}` });
    expect([status, json, headers["cache-control"]]).toEqual([200, EMPTY, "no-store"]);
    expect(harness.service.calls).toMatchObject([{ operation: "diagnose", request }]);
    expect(harness.records[0]?.route).toBe(ADDRESS);
  });

  test.each([
    ["another tenant is not found", `${ADDRESS}?tenantId=globex`, 404],
    ["nor is one without a name", `${ADDRESS}?tenantId=`, 404],
    ["another diagnosis is not found", "/Diagnostics/Other", 404],
    ["two tenants", `${ADDRESS}?tenantId=acme&tenantId=globex`, 400],
    ["a count that is none", `${ADDRESS}?count=many`, 400],
    ["a filter, which is never ignored", `${ADDRESS}?Filter=issue+pr`, 400],
  ])("%s", async (_name, target, status) => {
    const harness = new Harness();
    expect((await harness.send({ target })).status).toBe(status);
    expect(harness.service.calls).toEqual([]);
  });

  test("another tenant is answered as what does not exist", async () => {
    const harness = new Harness();
    const foreign = await harness.send({ target: `${ADDRESS}?tenantId=globex` });
    expect(foreign.body).toBe((await harness.send({ target: "/Nothing" })).body);
  });

  test.each([
    ["scim", 200],
    ["scim:diagnostics", 200],
    ["scim:read", 403],
    ["scim:write scim:delete scim:bulk", 403],
    ["admin", 403],
  ])("the scopes '%s' are answered %i", async (scopes, status) => {
    expect((await new Harness().send({ target: ADDRESS, token: `token:${scopes}` })).status).toBe(status);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])("%s is not offered", async (method) => {
    const { status, headers } = await new Harness().send({ target: ADDRESS, method });
    expect([status, headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test("a page tells where to go on", async () => {
    const harness = new Harness();
    harness.service.diagnosis = { kind: "page", lists: EMPTY, nextCursor: "next" };
    expect((await harness.send({ target: `${ADDRESS}?cursor=` })).json).toEqual({
      ...EMPTY,
      nextCursor: "next",
    });
  });

  test("what the service refuses is answered as an error", async () => {
    const harness = new Harness();
    harness.service.before = failing("unavailable");
    expect((await harness.send({ target: ADDRESS })).status).toBe(503);
  });
});

/** A service with a whole report, and whether it was closed. */
function reporting(lists: Readonly<Record<FindingList, readonly (readonly Finding[])[]>>) {
  const service = new FakeService();
  const state = { closed: 0 };
  async function* batches(found: readonly (readonly Finding[])[]): AsyncGenerator<readonly Finding[]> {
    yield* found;
  }
  service.diagnosis = {
    kind: "report",
    lists: Object.entries(lists).map(([name, found]) => ({
      // The keys of the record are the names of the lists.
      name: name as FindingList,
      batches: batches(found),
    })),
    close: async () => {
      state.closed += 1;
    },
  };
  const handler = createScimHandler({ service, authenticate: async (token) => principalOf(token) });
  return { state, get: async (method = "GET") => handler.handle(requestOf(method)) };
}

function requestOf(method: string): HttpRequest {
  return {
    method,
    target: ADDRESS,
    headers: { authorization: "Bearer token:scim" },
    body: null,
    baseUrl: "https://id.example/scim/v2",
    tenant: null,
    signal: undefined,
    id: "request-1",
  };
}

async function textOf({ body }: HttpResponse): Promise<string> {
  if (body === null || typeof body === "string") throw new TypeError("The answer is no stream");
  let text = "";
  for await (const piece of body) text += piece;
  return text;
}

describe("a whole report", () => {
  const orphan = (id: string) => ({ groupId: "g", memberId: id, issue: "gone" });

  test("is sent while it is made, and lets go of what it is made of", async () => {
    const { state, get } = reporting({
      orphanedGroupMembers: [[orphan("1"), orphan("2")], [], [orphan("3")]],
      inconsistentUserGroups: [],
      cyclicGroupMembers: [[]],
    });
    expect(JSON.parse(await textOf(await get()))).toEqual({
      ...EMPTY,
      orphanedGroupMembers: [orphan("1"), orphan("2"), orphan("3")],
    });
    expect(state.closed).toBe(1);
  });

  test("is let go of by HEAD too", async () => {
    const { state, get } = reporting({ ...EMPTY, orphanedGroupMembers: [[orphan("1")]] });
    expect(await get("HEAD")).toMatchObject({ status: 200, body: null });
    expect(state.closed).toBe(1);
  });
});

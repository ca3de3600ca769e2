import type { JsonObject, JsonValue } from "@scim/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf, GROUP, USER, type Client } from "../over-http/client.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";
import { resourcesOf, textMember, type WireAnswer } from "../over-http/exchange.ts";
import { newToken } from "../over-http/server.ts";

const MEMBERSHIP = "urn:example:params:scim:schemas:scim:1.0:GroupMembership";
const BULK_REQUEST = "urn:ietf:params:scim:api:messages:2.0:BulkRequest";
const SEARCH_REQUEST = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";
const MEMBERS = 20_000;

let server: OwnServer;
let client: Client;
let groups = 0;

beforeAll(async () => {
  server = await startOwnServer({ SCIM_GROUP_MEMBERSHIPS: "on" });
  client = clientOf(server);
});
afterAll(async () => {
  await server.stop();
});

function membership(group: string, member: string): JsonObject {
  return { schemas: [MEMBERSHIP], group: { value: group }, member: { value: member } };
}

async function groupOf(count: number): Promise<string> {
  const members = Array.from({ length: count }, (_, index) => ({ value: `m${index}` }));
  return (await client.group({ displayName: `Group ${(groups += 1)} of ${count}`, members })).id;
}

function list(parameters: Readonly<Record<string, string>>): Promise<WireAnswer> {
  return client.call("GET", `/GroupMemberships?${new URLSearchParams(parameters).toString()}`);
}

function idsOf({ body }: WireAnswer): readonly string[] {
  return resourcesOf(body).map((resource) => textMember(resource, "id"));
}

/** The results of a bulk job. */
function resultsOf({ body }: WireAnswer): readonly JsonObject[] {
  // A BulkResponse holds a list of objects (RFC 7644 §3.7).
  return (body["Operations"] ?? []) as readonly JsonObject[];
}

function lengthOf(value: JsonValue | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}

describe("/GroupMemberships", () => {
  test("creates, reads and deletes a membership, which is a member of the group meanwhile", async () => {
    const { id: user } = await client.user({ userName: "reader" });
    const group = await client.group({ displayName: "Readers" });
    const id = `${group.id}~${user}`;
    const created = await client.call("POST", "/GroupMemberships", {
      body: { ...membership(group.id, user), member: { value: user, type: "User", display: "Reader" } },
    });
    expect(created.status).toBe(201);
    expect(created.headers.location).toBe(`${server.origin}/scim/v2/GroupMemberships/${id}`);
    expect(created.body).toMatchObject({
      id,
      group: { value: group.id, display: "Readers", $ref: `${server.origin}/scim/v2/Groups/${group.id}` },
      member: {
        value: user,
        type: "User",
        display: "Reader",
        $ref: `${server.origin}/scim/v2/Users/${user}`,
      },
      meta: {
        resourceType: "GroupMembership",
        location: created.headers.location,
        version: created.headers.etag,
      },
    });

    const { body: shown } = await client.call("GET", `/Users/${user}`);
    expect(shown["groups"]).toMatchObject([{ value: group.id, display: "Readers" }]);
    const changed = await client.call("GET", group.path);
    expect(changed.body["members"]).toHaveLength(1);
    expect(changed.headers.etag).not.toBe(group.tag);

    const tag = String(created.headers.etag);
    const again = await client.call("GET", `/GroupMemberships/${id}`, { headers: { "If-None-Match": tag } });
    expect(again.status).toBe(304);
    const stale = await client.call("DELETE", `/GroupMemberships/${id}`, {
      headers: { "If-Match": 'W/"old"' },
    });
    expect(stale.status).toBe(412);
    expect(stale.headers.etag).toBeDefined();
    const gone = await client.call("DELETE", `/GroupMemberships/${id}`, { headers: { "If-Match": tag } });
    expect(gone.status).toBe(204);
    expect((await client.call("GET", `/GroupMemberships/${id}`)).status).toBe(404);
    expect((await client.call("GET", group.path)).body).not.toHaveProperty("members");
  });

  test.each<[rule: string, body: (group: string) => JsonObject, status: number, scimType: string]>([
    ["that is there", (group) => membership(group, "m0"), 409, "uniqueness"],
    ["of an unknown group", () => membership("nobody", "m0"), 400, "invalidValue"],
    ["without member", (group) => ({ ...membership(group, "m0"), member: null }), 400, "invalidValue"],
    ["with an id that is none", (group) => membership(group, "../x"), 400, "invalidValue"],
  ])("refuses a membership %s", async (_rule, body, status, scimType) => {
    const group = await groupOf(1);
    const refused = await client.call("POST", "/GroupMemberships", { body: body(group) });
    expect(refused.status).toBe(status);
    expect(refused.body["scimType"]).toBe(scimType);
  });

  test.each(["PUT", "PATCH"])("answers %s with 405 and what is allowed", async (method) => {
    const group = await groupOf(1);
    const refused = await client.call(method, `/GroupMemberships/${group}~m0`, {
      body: membership(group, "m0"),
    });
    expect(refused.status).toBe(405);
    expect(String(refused.headers.allow).split(", ")).toEqual(expect.arrayContaining(["GET", "DELETE"]));
    expect(String(refused.headers.allow)).not.toMatch(/PUT|PATCH/);
  });

  test("is told by discovery with its operations", async () => {
    const type = await client.call("GET", "/ResourceTypes/GroupMembership");
    expect(type.body).toMatchObject({
      endpoint: "/GroupMemberships",
      schema: MEMBERSHIP,
      operations: ["create", "read", "delete", "query"],
    });
    expect((await client.call("GET", `/Schemas/${MEMBERSHIP}`)).status).toBe(200);
  });

  test("is searched by POST, filtered by group and by member, and paged by number", async () => {
    const [first, second] = [await groupOf(5), await groupOf(3)];
    const search = await client.call("POST", "/GroupMemberships/.search", {
      body: { schemas: [SEARCH_REQUEST], filter: `group.value eq "${first}"`, startIndex: 4, count: 2 },
    });
    expect(search.body).toMatchObject({ totalResults: 5, startIndex: 4, itemsPerPage: 2 });
    expect(idsOf(search)).toEqual([`${first}~m3`, `${first}~m4`]);
    const both = await list({ filter: `group.value eq "${second}" and member.value eq "m2"` });
    expect(idsOf(both)).toEqual([`${second}~m2`]);
    expect(both.headers["scim-filter-plan"]).toBeUndefined();
    const compared = await list({ filter: `group.value eq "${second}" and not (member.value eq "m1")` });
    expect(idsOf(compared)).toEqual([`${second}~m0`, `${second}~m2`]);
    expect(compared.headers["scim-filter-plan"]).toBe("index of members, then a filter");
    const refused = await list({ sortBy: "member.display" });
    expect([refused.status, refused.body["scimType"]]).toEqual([400, "invalidValue"]);
  });

  test("takes part in bulk jobs, with references to what the job makes", async () => {
    const answer = await client.call("POST", "/Bulk", {
      body: {
        schemas: [BULK_REQUEST],
        Operations: [
          {
            method: "POST",
            path: "/GroupMemberships",
            bulkId: "m",
            data: membership("bulkId:g", "bulkId:u"),
          },
          { method: "POST", path: "/Users", bulkId: "u", data: { schemas: [USER], userName: "in-bulk" } },
          {
            method: "POST",
            path: "/Groups",
            bulkId: "g",
            data: { schemas: [GROUP], displayName: "In bulk" },
          },
        ],
      },
    });
    expect(answer.status).toBe(200);
    const [made] = resultsOf(answer);
    expect(made).toMatchObject({ method: "POST", bulkId: "m", status: "201" });
    const path = textMember(made ?? {}, "location").split("/scim/v2")[1] ?? "";
    expect((await client.call("GET", path)).body["group"]).toMatchObject({ display: "In bulk" });
  });

  test("tells what a creation would come to, and writes nothing", async () => {
    const group = await groupOf(1);
    const body = membership(group, "m1");
    const trial = await client.call("POST", "/.dry-run/GroupMemberships", { body });
    expect(trial.status).toBe(200);
    expect(trial.body).toMatchObject({ valid: true, resource: { id: `${group}~m1` } });
    expect((await client.call("GET", `/GroupMemberships/${group}~m1`)).status).toBe(404);
    const taken = await client.call("POST", "/.dry-run/GroupMemberships", { body: membership(group, "m0") });
    expect(taken.body).toMatchObject({ valid: false });
  });

  test("shows a tenant nothing of another", async () => {
    const group = await groupOf(2);
    const token = await server.createToken("--tenant", "south");
    expect(token).toMatch(new RegExp(`^${newToken("south").slice(0, 11)}`));
    const as = (method: string, path: string, body?: JsonObject): Promise<WireAnswer> =>
      client.call(method, path, { token, ...(body === undefined ? {} : { body }) });
    expect((await as("GET", `/GroupMemberships/${group}~m0`)).status).toBe(404);
    expect((await as("DELETE", `/GroupMemberships/${group}~m0`)).status).toBe(404);
    expect((await as("POST", "/GroupMemberships", membership(group, "x"))).status).toBe(400);
    expect((await as("GET", "/GroupMemberships")).body["totalResults"]).toBe(0);
  });
});

describe("a group of 20,000 members", () => {
  test("is walked by cursor while members come and go: each that stays is seen once", async () => {
    const group = await groupOf(MEMBERS);
    const filter = `group.value eq "${group}"`;
    const gone = new Set<string>();
    const seen: string[] = [];
    let cursor: string | null = "";
    for (let page = 1; cursor !== null; page += 1) {
      const answer: WireAnswer = await list({ filter, count: "1000", cursor });
      expect(answer.status).toBe(200);
      seen.push(...idsOf(answer));
      const next = answer.body["nextCursor"];
      cursor = typeof next === "string" ? next : null;
      for (const index of [page * 1000 - 1, page * 1000 + 10, page * 1000 - 500]) {
        const id = `${group}~m${index}`;
        gone.add(id);
        await client.call("DELETE", `/GroupMemberships/${id}`);
      }
      const added = await client.call("POST", "/GroupMemberships", { body: membership(group, `new${page}`) });
      expect(added.status).toBe(201);
    }
    const stayed = Array.from({ length: MEMBERS }, (_, index) => `${group}~m${index}`).filter(
      (id) => !gone.has(id),
    );
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => !gone.has(id) && !id.includes("new"))).toEqual(stayed);
    const counted = await list({ filter, count: "0" });
    const { body: whole } = await client.call("GET", `/Groups/${group}?attributes=members.value`);
    expect(counted.body["totalResults"]).toBe(lengthOf(whole["members"]));
  });
});

describe("the setting groupMemberships", () => {
  test("is off by default", async () => {
    const plain = await startOwnServer();
    try {
      expect((await clientOf(plain).call("GET", "/GroupMemberships")).status).toBe(404);
      expect((await clientOf(plain).call("GET", "/ResourceTypes/GroupMembership")).status).toBe(404);
    } finally {
      await plain.stop();
    }
  });
});

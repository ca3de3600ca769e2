import type { JsonObject, JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { BULK_REQUEST, clientOf, GROUP, PATCH_OP, USER, type Client } from "../over-http/client.ts";
import { useServer } from "../over-http/use-server.ts";

const client = useServer({ SCIM_BULK_MAX_OPERATIONS: "20", SCIM_BULK_MAX_PAYLOAD_SIZE: "20000" });

let names = 0;
function newName(): string {
  names += 1;
  return `bulk-${names}`;
}

const bulk = (operations: JsonValue, envelope: JsonObject = {}, by: Client = client) =>
  by.call("POST", "/Bulk", { body: { schemas: [BULK_REQUEST], Operations: operations, ...envelope } });

/** The results of a job. */
function resultsOf(body: JsonObject): readonly JsonObject[] {
  // A BulkResponse holds one object for each operation (RFC 7644 §3.7.3).
  return (body["Operations"] ?? []) as readonly JsonObject[];
}

const statusesOf = (body: JsonObject) => resultsOf(body).map(({ status }) => status);

const create = (bulkId: string, userName = newName()): JsonObject => ({
  method: "POST",
  path: "/Users",
  bulkId,
  data: { schemas: [USER], userName },
});

const rename = (id: string, value: string): JsonObject => ({
  method: "PATCH",
  path: `/Users/${id}`,
  data: { schemas: [PATCH_OP], Operations: [{ op: "replace", path: "nickName", value }] },
});

describe("a bulk job", () => {
  test("R7644-3.7-01 R7644-3.7.3-01 does all four methods and tells what became of each", async () => {
    const { id, path, tag } = await client.user({ userName: newName() });
    const { path: leaving } = await client.user({ userName: newName() });
    const answer = await bulk([
      create("a"),
      { method: "PUT", path, version: tag, data: { schemas: [USER], userName: newName() } },
      rename(id, "Nick"),
      { method: "DELETE", path: leaving },
    ]);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/scim+json; charset=utf-8");
    const now = await client.call("GET", path);
    const address = `${client.server.origin}${client.server.base}`;
    expect(answer.body).toEqual({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkResponse"],
      Operations: [
        {
          method: "POST",
          bulkId: "a",
          status: "201",
          version: expect.stringMatching(/^W\/"/),
          location: expect.stringMatching(new RegExp(`^${address}/Users/`)),
        },
        { method: "PUT", status: "200", version: expect.stringMatching(/^W\/"/), location: address + path },
        { method: "PATCH", status: "200", version: now.headers.etag, location: address + path },
        { method: "DELETE", status: "204", location: address + leaving },
      ],
    });
    expect(now.body["nickName"]).toBe("Nick");
    expect((await client.call("GET", leaving)).status).toBe(404);
  });

  test("R7644-3.7.2-01 references to what is made later are resolved", async () => {
    const answer = await bulk([
      {
        method: "POST",
        path: "/Groups",
        bulkId: "g",
        data: { schemas: [GROUP], displayName: newName(), members: [{ type: "User", value: "bulkId:u" }] },
      },
      create("u"),
    ]);
    expect(statusesOf(answer.body), answer.text).toEqual(["201", "201"]);
    const [group, user] = resultsOf(answer.body).map(({ location }) =>
      String(location).slice(client.server.origin.length + client.server.base.length),
    );
    expect((await client.call("GET", String(group))).body["members"]).toEqual([
      expect.objectContaining({ value: String(user).replace("/Users/", "") }),
    ]);
  });

  test("R7644-3.7-07 R7644-3.7.3-04 one that fails tells its error, and the rest goes on", async () => {
    const taken = newName();
    await client.user({ userName: taken });
    const { body } = await bulk([create("a"), create("b", taken), create("c")]);
    expect(statusesOf(body)).toEqual(["201", "409", "201"]);
    expect(resultsOf(body)[1]).toEqual({
      method: "POST",
      bulkId: "b",
      status: "409",
      response: {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
        status: "409",
        scimType: "uniqueness",
        detail: expect.stringContaining("userName"),
      },
    });
  });

  test("R7644-3.7-08 failOnErrors ends the job, and what was done stays", async () => {
    const wrong = { method: "DELETE", path: "/Users/nobody" };
    const kept = newName();
    const job = [create("a", kept), wrong, create("b"), wrong, create("c")];
    expect(statusesOf((await bulk(job, { failOnErrors: 2 })).body)).toEqual(["201", "404", "201", "404"]);
    const found = await client.call("GET", `/Users?filter=${encodeURIComponent(`userName eq "${kept}"`)}`);
    expect(found.body["totalResults"]).toBe(1);
  });

  test("R7644-3.7-10 a stale version is 412, and nothing changes", async () => {
    const user = await client.user({ userName: newName() });
    const { body } = await bulk([
      { ...rename(user.id, "Nick"), version: 'W/"stale"' },
      { method: "DELETE", path: user.path, version: "stale" },
    ]);
    expect(statusesOf(body)).toEqual(["412", "412"]);
    expect((await client.call("GET", user.path)).body).toEqual(user.body);
  });

  test("switches that let an operation pass are in the log and in the header that explains", async () => {
    const answer = await client.call("POST", "/Bulk", {
      headers: { "SCIM-Explain": "true" },
      body: {
        schemas: [BULK_REQUEST],
        Operations: [{ ...create("a"), data: { schemas: [USER], userName: newName(), active: "True" } }],
      },
    });
    expect(statusesOf(answer.body)).toEqual(["201"]);
    expect(answer.headers["scim-switches"]).toBe("string-booleans");
    await expect.poll(() => client.server.log()).toContain("string-booleans");
  });

  test("R7644-7-01 failed operations are in the log by place and error, without what the client wrote", async () => {
    await bulk([
      { method: "unmentionable", path: "/Users/unmentionable" },
      { method: "DELETE", path: "/Users/nobody" },
    ]);
    await expect.poll(() => client.server.log()).toContain("1 DELETE notFound");
    expect(client.server.log()).not.toContain("unmentionable");
  });
});

describe("the limits of a bulk job", () => {
  test("are advertised", async () => {
    expect((await client.call("GET", "/ServiceProviderConfig")).body["bulk"]).toMatchObject({
      supported: true,
      maxOperations: 20,
      maxPayloadSize: 20_000,
    });
  });

  test("R7644-3.7-11 more operations than maxOperations are 413, and none is done", async () => {
    const name = newName();
    const job = [create("a", name), ...Array.from({ length: 20 }, (_, n) => rename(`${n}`, "x"))];
    const answer = await bulk(job);
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ status: "413", detail: expect.stringMatching(/maxOperations.*20/) });
    const found = await client.call("GET", `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`);
    expect(found.body["totalResults"]).toBe(0);
    expect((await bulk(job.slice(1))).status).toBe(200);
  });

  test.each([20_000, 20_001, 200_000, 5_000_000])(
    "R7644-3.7-11 R7644-3.7-12 a body of %i bytes",
    async (bytes) => {
      const start = JSON.stringify({ schemas: [BULK_REQUEST], Operations: [] });
      const answer = await client.call("POST", "/Bulk", { body: start.padEnd(bytes, " ") });
      if (bytes <= 20_000) {
        expect(answer.status, answer.text).not.toBe(413);
      } else {
        expect(answer.status).toBe(413);
        expect(answer.body["detail"]).toMatch(/maxPayloadSize.*20000 bytes/);
      }
    },
  );

  test("R7644-3.7-12 a greater Content-Length is refused before the body comes", async () => {
    // Without its body the connection is of no use to others.
    const headers = { "Content-Length": "20001", Connection: "close" };
    expect(await client.call("POST", "/Bulk", { headers })).toMatchObject({ status: 413 });
  });
});

describe("who may do what", () => {
  test.each([
    ["scim:bulk", ["403", "403", "403"]],
    ["scim:bulk scim:write", ["201", "200", "403"]],
    ["scim:bulk scim:delete", ["403", "403", "204"]],
  ])("R7644-3.7-10, R7644-7-04 a token of %s: %j", async (scopes, statuses) => {
    const flags = scopes.split(" ").flatMap((scope) => ["--scope", scope]);
    const token = await client.server.createToken(...flags);
    const user = await client.user({ userName: newName() });
    const { status, body } = await bulk(
      [create("a"), rename(user.id, "Nick"), { method: "DELETE", path: user.path }],
      {},
      clientOf({ ...client.server, token }),
    );
    expect(status).toBe(200);
    expect(statusesOf(body)).toEqual(statuses);
  });

  test.each(["scim:read", "scim:write", "scim:delete"])(
    "a token of %s alone opens no bulk job",
    async (scope) => {
      const token = await client.server.createToken("--scope", scope);
      const answer = await bulk([], {}, clientOf({ ...client.server, token }));
      expect(answer.status).toBe(403);
      expect(answer.headers["www-authenticate"]).toContain('scope="scim:bulk"');
    },
  );

  test("a job of another tenant finds nothing", async () => {
    const user = await client.user({ userName: newName() });
    const token = await client.server.createToken("--tenant", "globex");
    const globex = clientOf({ ...client.server, token });
    const job = [
      rename(user.id, "Nick"),
      { method: "PUT", path: user.path, data: { schemas: [USER], userName: newName() } },
      { method: "DELETE", path: user.path },
    ];
    const { body } = await bulk(job, {}, globex);
    expect(statusesOf(body)).toEqual(["404", "404", "404"]);
    expect((await client.call("GET", user.path)).body).toEqual(user.body);
  });
});

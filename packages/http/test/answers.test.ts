import { ERROR_CODES, ScimError, type ErrorCode } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { createScimHandler, statusResponse } from "../src/index.ts";
import { Harness, withSwitches } from "./fake-service.ts";

const LOCATION = "https://id.example/scim/v2/Users/2819c223";

describe("answers", () => {
  test.each([
    ["POST", "/Users", 201],
    ["GET", "/Users/1", 200],
    ["PUT", "/Users/1", 200],
    ["PATCH", "/Users/1", 200],
    ["GET", "/Schemas/u", 200],
    ["GET", "/ServiceProviderConfig", 200],
  ])("R7644-3.3-04 R7644-3.14-02 %s %s carries Location and ETag", async (method, target, status) => {
    const body = method === "GET" ? null : "{}";
    const response = await new Harness().send({ method, target, body });
    expect(response).toMatchObject({
      status,
      headers: { location: LOCATION, etag: 'W/"v1"', "content-type": "application/scim+json; charset=utf-8" },
      json: { id: "2819c223" },
    });
  });

  test("R7644-3.4.2-01 a list has all four members as numbers, and Resources", async () => {
    const response = await new Harness().send({ target: "/Users" });
    expect(response.json).toEqual({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
      totalResults: 12,
      startIndex: 3,
      itemsPerPage: 2,
      Resources: [{ id: "1" }, { id: "2" }],
    });
    expect(response.headers).not.toHaveProperty("etag");
    expect(response.headers).not.toHaveProperty("scim-filter-plan");
  });

  test("SCIM-Filter-Plan tells how a filter was served, in printable ASCII", async () => {
    const harness = new Harness();
    harness.service.filterPlan = "scan: nickName co é\r\nX: 1";
    const response = await harness.send({ target: "/Users?filter=x" });
    expect(response.headers["scim-filter-plan"]).toBe("scan: nickName co ???X: 1");
    expect(harness.records[0]?.filterPlan).toBe(harness.service.filterPlan);
  });

  test("R7232-4.1-01 304 carries the ETag and no body", async () => {
    const harness = new Harness();
    harness.service.readAnswer = "notModified";
    const response = await harness.send({ target: "/Users/1", headers: { "if-none-match": '"v1"' } });
    expect(response).toMatchObject({ status: 304, body: null });
    expect(response.headers).toEqual({ etag: 'W/"v1"' });
  });

  test("R7644-3.6-01 DELETE answers 204", async () => {
    expect(await new Harness().send({ method: "DELETE", target: "/Users/1" })).toMatchObject({
      status: 204,
      headers: {},
      body: null,
    });
  });

  test.each([
    [undefined, null, undefined],
    ["return=minimal", "minimal", "return=minimal"],
    ["respond-async, Return=Minimal; wait=10", "minimal", "return=minimal"],
    ['return="representation"', "representation", undefined],
    ["return=everything", null, undefined],
  ])("R7240-01 Prefer: %s asks for %s", async (prefer, expected, applied) => {
    const harness = new Harness();
    harness.service.patchAnswer = "noContent";
    const headers = prefer === undefined ? {} : { prefer };
    const response = await harness.send({ method: "PATCH", target: "/Users/1", body: "{}", headers });
    expect(harness.service.calls[0]?.request).toMatchObject({ prefer: expected });
    expect(response).toMatchObject({ status: 204, body: null, headers: { etag: 'W/"v1"' } });
    expect(response.headers["preference-applied"]).toBe(applied);
  });

  test.each(["/Users/1", "/Users", "/Schemas", "/Nothing"])(
    "R7644-3.4.1-03 HEAD %s answers as GET, without the body",
    async (target) => {
      const harness = new Harness();
      const get = await harness.send({ target });
      const head = await harness.send({ method: "HEAD", target });
      expect(head.body).toBeNull();
      expect(head.status).toBe(get.status);
      const length = String(new TextEncoder().encode(get.body ?? "").length);
      expect(head.headers).toEqual({ ...get.headers, "content-length": length });
    },
  );

  test("SCIM-Explain: true asks for the switches that fired", async () => {
    const harness = new Harness();
    harness.service.before = (_operation, context) => {
      context.onSwitch("string-booleans", "active");
      context.onSwitch("unknown-attributes", "x\r\ny");
      context.onSwitch("string-booleans", "emails.primary");
    };
    const explained = await harness.send({ target: "/Users/1", headers: { "scim-explain": "true" } });
    expect(explained.headers["scim-switches"]).toBe("string-booleans, unknown-attributes");
    expect((await harness.send({ target: "/Users/1" })).headers).not.toHaveProperty("scim-switches");
    expect(harness.records[0]?.switches).toHaveLength(3);
    harness.service.before = () => undefined;
    const none = await harness.send({ target: "/Users/1", headers: { "scim-explain": "True" } });
    expect(none.headers["scim-switches"]).toBe("none");
  });

  test("however often a switch fired, none that fired behind it is left out", async () => {
    const harness = new Harness();
    harness.service.before = (_operation, context) => {
      for (let at = 0; at < 150; at += 1) context.onSwitch("unknown-attributes", `x${at}`);
      for (let at = 0; at < 150; at += 1) context.onSwitch("string-booleans", `y${at}`);
    };
    const { headers } = await harness.send({ target: "/Users/1", headers: { "scim-explain": "true" } });
    expect(headers["scim-switches"]).toBe("unknown-attributes, string-booleans");
    expect(harness.records[0]?.switches.slice(98)).toEqual([
      { name: "unknown-attributes", path: "x98" },
      { name: "unknown-attributes", path: "x99" },
      { name: "string-booleans", path: "y0" },
    ]);
  });
});

describe("errors", () => {
  test("what an application refuses as unavailable says when to come again", async () => {
    const harness = new Harness();
    harness.service.before = () => {
      throw new ScimError("unavailable", "The directory is down.");
    };
    const { status, headers } = await harness.send({ target: "/Users/1" });
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
  });

  test.each(Object.entries(ERROR_CODES))(
    "%s keeps its status and scimType",
    async (code, row: { status: number; scimType?: string }) => {
      const harness = new Harness();
      harness.service.before = () => {
        throw new ScimError(code as ErrorCode, "A detail.", {
          members: { extra: [1] },
          headers: { "Retry-After": "1" },
        });
      };
      const response = await harness.send({ target: "/Users/1" });
      expect(response).toMatchObject({ status: row.status, headers: { "retry-after": "1" } });
      expect(response.json).toEqual({
        schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
        status: String(row.status),
        ...(row.scimType === undefined ? {} : { scimType: row.scimType }),
        detail: "A detail.",
        extra: [1],
      });
      expect(harness.records[0]).toMatchObject({ errorCode: code, status: row.status });
      expect(harness.records[0]?.failure !== undefined).toBe(row.status >= 500);
    },
  );

  test("412 carries the versions and the current entity tag", async () => {
    const harness = new Harness();
    harness.service.before = () => {
      throw new ScimError("versionMismatch", "Changed.", {
        members: { expectedVersion: "v1", currentVersion: "v2" },
        headers: { ETag: 'W/"v2"' },
      });
    };
    const response = await harness.send({
      method: "DELETE",
      target: "/Users/1",
      headers: { "if-match": "v1" },
    });
    expect(response.headers["etag"]).toBe('W/"v2"');
    expect(response.json).toMatchObject({ status: "412", expectedVersion: "v1", currentVersion: "v2" });
  });

  test("plain-answers leaves out what RFC 7644 §3.12 does not name, in the operations of a bulk job too", async () => {
    const harness = new Harness(withSwitches("plain-answers"));
    const error = new ScimError("versionMismatch", "Changed.", {
      members: { expectedVersion: "v1", currentVersion: "v2" },
      headers: { ETag: 'W/"v2"' },
    });
    const operation = { method: "PUT", bulkId: null, version: null, location: null, status: 412, error };
    harness.service.bulkAnswer = () => [operation];
    const job = await harness.send({ method: "POST", target: "/Bulk", body: "{}" });
    harness.service.before = () => {
      throw error;
    };
    const response = await harness.send({ method: "DELETE", target: "/Users/1" });
    const plain = {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "412",
      detail: "Changed.",
    };
    expect(response.headers["etag"]).toBe('W/"v2"');
    expect(response.json).toEqual(plain);
    expect(job.json).toMatchObject({ Operations: [{ response: plain }] });
    expect(job.body).not.toContain("currentVersion");
  });

  test.each([
    new Error("SQLITE_CORRUPT: /var/lib/scim/scim.db"),
    new RangeError("Maximum call stack size exceeded"),
    new TypeError("Cannot read properties of undefined (reading 'x')"),
    "a string",
    undefined,
    null,
  ])("R7644-3.12-04 %s becomes a 500 that tells the request id alone", async (thrown) => {
    const harness = new Harness();
    harness.service.before = () => {
      throw thrown;
    };
    const response = await harness.send({ target: "/Users/1" });
    expect(response.json).toEqual({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "500",
      detail: "The service failed to answer. Its log tells more under request id 'request-1'.",
    });
    expect(harness.records[0]).toMatchObject({ status: 500, errorCode: "internal" });
    if (thrown instanceof Error) expect(harness.records[0]?.failure).toBe(thrown);
  });

  test("a store of credentials that fails is a 500, not a 401", async () => {
    const response = await new Harness().send({ target: "/Users", token: "broken-store" });
    expect(response.status).toBe(500);
    expect(response.body).not.toContain("disk");
  });

  test("a client that went away is told apart from a failure", async () => {
    const harness = new Harness();
    harness.service.before = () => {
      throw new Error("aborted");
    };
    await harness.send({ target: "/Users/1", signal: AbortSignal.abort() });
    expect(harness.records[0]?.aborted).toBe(true);
  });

  test("statusResponse answers what is no rule of SCIM", () => {
    expect(JSON.parse(statusResponse(429, "Wait.").body ?? "")).toEqual({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "429",
      detail: "Wait.",
    });
  });
});

describe("records", () => {
  test.each([
    ["GET", "/Users/2819c223?attributes=userName", "/Users/{id}"],
    ["GET", '/Groups?filter=displayName+eq+"secret"', "/Groups"],
    ["GET", "/secret", "/{endpoint}"],
    ["GET", "/secret/secret", "/{endpoint}/{id}"],
    ["GET", "/secret/secret/secret", "unknown"],
    ["GET", "/Schemas/secret", "/Schemas/{id}"],
    ["DELETE", "/Users", "/{endpoint}"],
  ])("R7644-7-01 %s %s is logged as %s", async (method, target, route) => {
    const harness = new Harness();
    const response = await harness.send({ method, target });
    const [record] = harness.records;
    expect(record).toMatchObject({ requestId: "request-1", method, route, status: response.status });
    expect(record?.durationMs).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(record)).not.toMatch(/secret|2819c223|token:/);
  });

  test("handlers without a log work alike, and tell who authenticates of the request and its address", async () => {
    const { service } = new Harness();
    const asked: unknown[] = [];
    const authenticate = async (...sent: unknown[]): Promise<null> => {
      asked.push(sent);
      return null;
    };
    const response = await createScimHandler({ service, authenticate }).handle({
      method: "GET",
      target: "/Users",
      headers: { authorization: "Bearer x" },
      body: null,
      baseUrl: "https://id.example/scim/v2",
      tenant: null,
      signal: undefined,
      id: "1",
      address: "192.0.2.1",
    });
    expect(response.status).toBe(401);
    expect(asked).toMatchObject([["x", null, { id: "1", address: "192.0.2.1" }]]);
  });
});

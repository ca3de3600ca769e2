import type { BulkOperationAnswer } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { Harness } from "./fake-service.ts";

const DONE: BulkOperationAnswer = {
  method: "POST",
  bulkId: "qwerty",
  location: "https://id.example/scim/v2/Users/1",
  version: "v1",
  status: 201,
  error: null,
};

function failed(error: ScimError, more: Partial<BulkOperationAnswer> = {}): BulkOperationAnswer {
  return { ...DONE, location: null, version: null, status: error.status, error, ...more };
}

async function bulk(answers: readonly BulkOperationAnswer[]) {
  const harness = new Harness();
  harness.service.bulkAnswer = () => answers;
  const response = await harness.send({ method: "POST", target: "/Bulk", body: '{"Operations":[]}' });
  return { response, harness };
}

describe("POST to /Bulk", () => {
  test("R7644-3.7.3-01 the service is given the message, and its answers come back in order", async () => {
    const gone = { ...DONE, method: "DELETE", bulkId: null, version: null, status: 204 };
    const taken = failed(new ScimError("uniqueness", "Taken."));
    const { response, harness } = await bulk([DONE, gone, taken]);
    expect(response).toMatchObject({
      status: 200,
      headers: { "content-type": "application/scim+json; charset=utf-8" },
    });
    expect(response.json).toEqual({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkResponse"],
      Operations: [
        { method: "POST", bulkId: "qwerty", version: 'W/"v1"', location: DONE.location, status: "201" },
        { method: "DELETE", location: DONE.location, status: "204" },
        {
          method: "POST",
          bulkId: "qwerty",
          status: "409",
          response: {
            schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
            status: "409",
            scimType: "uniqueness",
            detail: "Taken.",
          },
        },
      ],
    });
    expect(harness.service.calls).toMatchObject([
      { operation: "bulk", request: { body: { Operations: [] } } },
    ]);
    expect(harness.records[0]?.route).toBe("/Bulk");
  });

  test.each([
    ["scim", { create: true, replace: true, patch: true, delete: true }],
    ["scim:bulk", { create: false, replace: false, patch: false, delete: false }],
    ["scim:bulk scim:write", { create: true, replace: true, patch: true, delete: false }],
    ["scim:bulk scim:delete", { create: false, replace: false, patch: false, delete: true }],
  ])("R7644-3.7-10 scopes '%s' allow %j", async (scopes, allowed) => {
    const harness = new Harness();
    const found: Record<string, boolean> = {};
    harness.service.bulkAnswer = ({ authorize }) => {
      for (const operation of ["create", "replace", "patch", "delete"] as const) {
        try {
          authorize("User", operation);
          found[operation] = true;
        } catch (error) {
          expect(error).toMatchObject({ code: "forbidden", status: 403 });
          found[operation] = false;
        }
      }
      return [];
    };
    const token = `token:${scopes}`;
    expect((await harness.send({ method: "POST", target: "/Bulk", body: "{}", token })).status).toBe(200);
    expect(found).toEqual(allowed);
  });

  test("R7644-3.7-11 R7644-3.7-12 a body over the limit is 413 that names it, and nothing is done", async () => {
    const harness = new Harness({ limits: { bodyBytes: 10, bulkBodyBytes: 100 } });
    const send = (body: string, headers = {}) =>
      harness.send({ method: "POST", target: "/Bulk", body, headers });
    expect((await send(`{"a":"${"x".repeat(92)}"}`)).status).toBe(200);
    const large = await send(`{"a":"${"x".repeat(93)}"}`);
    const stated = await send("{}", { "content-length": "101" });
    for (const { json } of [large, stated]) {
      expect(json).toMatchObject({
        status: "413",
        detail: expect.stringMatching(/maxPayloadSize.*\b100 bytes/),
      });
    }
    expect(harness.service.calls).toHaveLength(1);
  });

  test("an error of the job as a whole is the answer", async () => {
    const harness = new Harness();
    harness.service.before = () => {
      throw new ScimError("invalidSyntax", "'Operations' is missing.");
    };
    const response = await harness.send({ method: "POST", target: "/Bulk", body: "{}" });
    expect(response.json).toMatchObject({ status: "400", scimType: "invalidSyntax" });
  });

  test("the log learns of failed operations, and of the cause where the service failed", async () => {
    const cause = new Error("disk I/O error");
    const broken = new ScimError("internal", "The operation failed.", { cause });
    const taken = new ScimError("uniqueness", "Taken.");
    const { response, harness } = await bulk([DONE, failed(taken), failed(broken, { method: "PUT" })]);
    expect(harness.records[0]).toMatchObject({
      status: 200,
      errorCode: null,
      failedOperations: [
        { index: 1, method: "POST", errorCode: "uniqueness", failure: undefined },
        { index: 2, method: "PUT", errorCode: "internal", failure: cause },
      ],
    });
    expect(response.body).not.toContain("disk");
    expect(response.json).toMatchObject({
      Operations: [{}, {}, { response: { status: "500", detail: expect.stringContaining("'request-1'") } }],
    });
  });

  test("R7644-7-01 text of the client in the place of a method stays out of the log", async () => {
    const { harness } = await bulk([failed(new ScimError("invalidSyntax", "x"), { method: "SECRET" })]);
    expect(harness.records[0]?.failedOperations).toMatchObject([{ method: "unknown" }]);
  });

  test("of thousands of refusals the log lists a hundred, and every fault of the service", async () => {
    const taken = failed(new ScimError("uniqueness", "Taken."));
    const broken = failed(new ScimError("unavailable", "Busy."));
    const { harness } = await bulk([...Array.from({ length: 2000 }, () => taken), broken]);
    const codes = harness.records[0]?.failedOperations.map(({ errorCode }) => errorCode) ?? [];
    expect(codes).toHaveLength(101);
    expect(codes.at(-1)).toBe("unavailable");
  });
});
